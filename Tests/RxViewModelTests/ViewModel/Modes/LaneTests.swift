import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: a lane, and which actions wait for it
struct LaneTests {
  private let scheduler = TestScheduler()

  enum Fate {
    /// Started and folded at once.
    case folded
    /// Started, but its mapper waits.
    case held
    case waiting
    case dropped
    /// Folded, after the never-ending action has been cancelled.
    case supersedes
  }

  private static func fate(of mode: Mode, behind other: Mode) -> Fate {
    if !mode.sharesLane(with: other) { return .folded }
    return switch mode.kind {
    // One unfinished action before it is fewer than its limit of two.
    case .parallel, .limited: .folded
    case .ordered: .held
    case .deferred, .sequence, .keepLatest, .keptDebounced: .waiting
    case .switchLatest, .debounced: .supersedes
    case .dropWhileBusy: .dropped
    // It joins only one with the same key.
    case .join, .joinWithKey: mode == other ? .waiting : .folded
    }
  }

  private static let modes: [Mode] = Mode.Kind.allCases.flatMap { kind -> [Mode] in
    return (Mode.Kind.withLane.contains(kind) ? [nil, "x", "y"] : [nil]).map { Mode(kind: kind, lane: $0) }
  }

  // The table: every mode behind every other, in the default lanes, the same one and another.
  @Test(arguments: modes)
  func aNeverEndingActionDelaysOnlyItsOwnLane(other: Mode) {
    for mode in Self.modes {
      let scheduler = HandScheduler()
      let plans = [Plan(other.kind, "", lane: other.lane), Plan(mode.kind, "j", lane: mode.lane), Plan(.parallel, "j")]
      let viewModel = ScriptedViewModel(plans, scheduler: scheduler) { _, _ in }
      let (journal, bag) = (Locked<[LogEntry]>([]), DisposeBag())
      for subscription in viewModel.note({ line in journal.mutate { $0.append(line) } }) {
        subscription.disposed(by: bag)
      }
      for action in plans.indices {
        viewModel.execute(action)
        scheduler.run()
        scheduler.passTime()
        scheduler.run()
      }
      let (lines, fate) = (journal.value, Self.fate(of: mode, behind: other))
      #expect(lines.contains(.started(0)))
      #expect(lines.contains(.started(1)) == [.folded, .held, .supersedes].contains(fate), "\(mode)")
      #expect(viewModel.currentState == ([.folded, .supersedes].contains(fate) ? [10, 20] : [20]), "\(mode)")
      #expect(lines.contains(.dropped(1)) == (fate == .dropped), "\(mode)")
      #expect(lines.contains(.cancelled(0)) == (fate == .supersedes), "\(mode)")
      bag.dispose()
    }
  }

  // A named lane is none of the default lanes, and no name stands for the order of the ordered actions.
  @Test func aNamedLaneIsNoDefaultLane() {
    let screen = Screen(scheduler: ImmediateScheduler())
    for mode: ExecutionMode in [.sequence, .switchLatest, .dropWhileBusy, .parallelOrdered, .parallelDeferred] {
      screen.execute(Step("never") { .never() }, mode: mode)
    }
    let (names, fates) = (["sequence", "switchLatest", "ordered", ""], screen.fates())
    for name in names { screen.execute(Step(name), mode: .sequence("\(name)")) }
    #expect(fates.values == names.flatMap { ["\($0) started", "\($0) completed"] })
  }

  #if os(Linux)
    // The test measures in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func lanesMadeAtRunTimeDoNotAccumulate() async {
      await #expect(processExitsWith: .success) {
        let screen = Screen(scheduler: ImmediateScheduler())
        let modes: [@Sendable (ExecutionMode.Lane) -> ExecutionMode] = [
          { .sequence($0) }, { .switchLatest($0) }, { .dropWhileBusy($0) },
        ]
        checkGrowth(below: 32_768, from: 2_000, to: 20_000) { count in
          for number in 0..<count {
            let step = Step("a") { number % 4 == 0 ? .never() : .unchanged() }
            screen.execute(step, mode: modes[number % 3]("lane \(number) of \(count)"))
            if number % 100 == 99 { screen.cancelActions { _ in true } }
          }
          screen.cancelActions { _ in true }
        }
      }
    }
  #endif
}

private enum GalleryAction: Sendable, Equatable {
  case load(Int)
  case deleteAll, reload
}

// Sendable: it stores nothing.
private final class GalleryViewModel: RxViewModel<GalleryAction, [Int]>, @unchecked Sendable {
  override func createInitialState() -> [Int] { [] }

  override func createObservable(_ action: GalleryAction) -> Effect {
    switch action {
    case .load(let number):
      Observable.just(number).delay(.milliseconds(100), scheduler: scheduler).mutate { $0.append($1) }
    case .deleteAll: .mutate { $0 = [] }
    case .reload: .unchanged()
    }
  }

  override func executionMode(for action: GalleryAction) -> ExecutionMode {
    switch action {
    case .load: .parallel("thumbnails", limit: 5)
    case .deleteAll: .sequence("thumbnails")
    case .reload: .switchLatest("thumbnails")
    }
  }
}

extension LaneTests {
  // The gallery of the article on execution modes.
  @Test func aGalleryLoadsFiveThumbnailsAtATime() {
    let gallery = GalleryViewModel(scheduler: scheduler)
    for number in 0..<12 { gallery.execute(.load(number)) }
    var counts: [Int] = []
    for _ in 0..<3 {
      scheduler.advance(by: .milliseconds(100))
      counts.append(gallery.currentState.count)
    }
    #expect(counts == [5, 10, 12])
    for number in 0..<12 { gallery.execute(.load(number)) }
    gallery.execute(.deleteAll)
    gallery.execute(.load(12))
    scheduler.run()
    #expect(gallery.currentState == [12])
    for number in 0..<12 { gallery.execute(.load(number)) }
    gallery.execute(.reload)
    scheduler.run()
    #expect(gallery.currentState == [12])
  }
}

private enum ListAction: Sendable, Equatable {
  case type, reload, loadMore
  case rename(Int)
}

// Sendable: it stores nothing.
private final class ListViewModel: RxViewModel<ListAction, [ListAction]>, @unchecked Sendable {
  override func createInitialState() -> [ListAction] { [] }

  override func createObservable(_ action: ListAction) -> Effect {
    Observable.just(1).delay(.milliseconds(100), scheduler: scheduler).mutate { state, _ in state.append(action) }
  }

  override func executionMode(for action: ListAction) -> ExecutionMode {
    switch action {
    case .type: .switchLatest("list", after: .milliseconds(300))
    case .reload: .switchLatest("list")
    case .loadMore: .dropWhileBusy("list")
    case .rename(let id): .sequence("item \(id)")
    }
  }
}

extension LaneTests {
  // The list of the article on execution modes.
  @Test func aListSharesOneLane() {
    let viewModel = ListViewModel(scheduler: scheduler)
    viewModel.execute(.loadMore)
    for _ in 0..<3 { viewModel.execute(.type) }
    viewModel.execute(.loadMore)
    viewModel.execute(.rename(1))
    viewModel.execute(.rename(2))
    viewModel.execute(.rename(1))
    scheduler.run()
    #expect(viewModel.currentState == [.rename(1), .rename(2), .rename(1), .type])
    #expect(scheduler.now == .milliseconds(400))
    viewModel.execute(.loadMore)
    viewModel.execute(.reload)
    scheduler.run()
    #expect(viewModel.currentState.last == .reload)
    #expect(!viewModel.currentState.contains(.loadMore))
  }
}
