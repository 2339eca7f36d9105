import RxViewModel
import RxViewModelTesting
import Testing

// contract 2, execution modes: a named lane is one lane, whatever the modes of the actions in it
@Suite struct SharedLaneTests {
  private let scheduler = TestScheduler()

  /// Sets the state to its name when `milliseconds` have passed.
  private func step(_ name: String, _ milliseconds: Int = 10) -> Step {
    let time = Duration.milliseconds(milliseconds)
    let timer = scheduler.coldObservable([Recorded(time, .next(1)), Recorded(time, .completed)])
    return Step(name) { timer.mutate { state, _ in state.append(name) } }
  }

  /// The phases of the actions, without the folds.
  private static func fates(_ screen: Screen) -> TestObserver<String> {
    screen.executionObservable.compactMap { execution -> String? in
      switch execution.phase {
      case .started: "\(execution.action) started"
      case .emitted: nil
      case .completed: "\(execution.action) completed"
      case .failed: "\(execution.action) failed"
      case .cancelled: "\(execution.action) cancelled"
      case .dropped: "\(execution.action) dropped"
      }
    }.test()
  }

  @Test func aSearchCancelsThePageOnItsWay() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("page"), mode: .dropWhileBusy("list"))
    screen.execute(step("search"), mode: .switchLatest("list"))
    scheduler.run()
    #expect(fates.values == ["page started", "page cancelled", "search started", "search completed"])
    #expect(screen.currentState == ["search"])
  }

  @Test func noPageIsRequestedDuringASearch() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("search"), mode: .switchLatest("list"))
    screen.execute(step("page"), mode: .dropWhileBusy("list"))
    scheduler.run()
    screen.execute(step("next page"), mode: .dropWhileBusy("list"))
    scheduler.run()
    #expect(
      fates.values == [
        "search started", "page dropped", "search completed", "next page started", "next page completed",
      ])
  }

  @Test func aSequenceWaitsForAllUnfinishedActions() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("search"), mode: .switchLatest("list"))
    screen.execute(step("save"), mode: .sequence("list"))
    screen.execute(step("save again"), mode: .sequence("list"))
    scheduler.run()
    #expect(
      fates.values == [
        "search started", "search completed", "save started", "save completed", "save again started",
        "save again completed",
      ])
  }

  @Test func aSearchCancelsRunningAndWaitingActions() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("save"), mode: .sequence("list"))
    screen.execute(step("save again"), mode: .sequence("list"))
    screen.execute(step("search"), mode: .switchLatest("list"))
    scheduler.run()
    #expect(
      fates.values == ["save started", "save cancelled", "save again cancelled", "search started", "search completed"])
  }

  @Test func aPageIsDroppedWhileASequenceIsUnfinished() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("save"), mode: .sequence("list"))
    screen.execute(step("page"), mode: .dropWhileBusy("list"))
    scheduler.run()
    #expect(fates.values == ["save started", "page dropped", "save completed"])
  }

  @Test func oneLaneThatAllModesShareGoesOnAfterEachEnd() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(step("a"), mode: .dropWhileBusy("list"))
    screen.execute(Step("b") { .error(TestError()) }, mode: .sequence("list"))
    screen.execute(step("c"), mode: .sequence("list"))
    screen.execute(step("d"), mode: .dropWhileBusy("list"))
    scheduler.run()
    screen.execute(step("e"), mode: .dropWhileBusy("list"))
    scheduler.run()
    #expect(
      fates.values == [
        "a started", "d dropped", "a completed", "b started", "b failed", "c started", "c completed", "e started",
        "e completed",
      ])
  }

  private static let modes: [ExecutionMode] = [.sequence, .switchLatest, .dropWhileBusy]

  @Test func aDefaultLaneBelongsToItsModeAlone() {
    for (first, second) in Self.modes.flatMap({ first in Self.modes.map { (first, $0) } }) where first != second {
      let screen = Screen(scheduler: scheduler)
      let fates = Self.fates(screen)
      screen.execute(Step("a") { .never() }, mode: first)
      screen.execute(Step("b"), mode: second)
      scheduler.run()
      #expect(fates.values == ["a started", "b started", "b completed"], "\(first), \(second)")
    }
  }

  @Test func theQuietSwitchLatestUsesTheDefaultLaneOfSwitchLatest() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    screen.execute(Step("a") { .never() }, mode: .switchLatest)
    screen.execute(Step("b"), mode: .switchLatest(after: .milliseconds(10)))
    screen.execute(Step("c"), mode: .switchLatest)
    scheduler.run()
    #expect(fates.values == ["a started", "a cancelled", "b cancelled", "c started", "c completed"])
  }

  // A named lane is none of the default lanes, and no name stands for the order of the ordered actions.
  @Test func aNamedLaneIsNoDefaultLane() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    for (number, mode) in (Self.modes + [.parallelOrdered, .parallelDeferred]).enumerated() {
      screen.execute(Step("\(number)") { .never() }, mode: mode)
    }
    for name in ["sequence", "switchLatest", "ordered", ""] {
      screen.execute(Step(name), mode: .sequence("\(name)"))
    }
    scheduler.run()
    #expect(fates.values.filter { $0.hasSuffix("completed") }.count == 4)
    #expect(!fates.values.contains { $0.hasSuffix("cancelled") })
  }

  @Test func namesMadeAtRunTimeMeanTheSameLane() {
    let screen = Screen(scheduler: scheduler)
    let fates = Self.fates(screen)
    for number in 0..<4 {
      let user = number % 2
      screen.execute(step("\(number)"), mode: .sequence("user \(user)"))
    }
    scheduler.run()
    #expect(
      fates.values == [
        "0 started", "1 started", "0 completed", "2 started", "1 completed", "3 started", "2 completed", "3 completed",
      ])
  }

  #if os(Linux)
    // The test measures in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func lanesMadeAtRunTimeDoNotAccumulate() async {
      await #expect(processExitsWith: .success) {
        let screen = Screen(scheduler: ImmediateScheduler())
        let modes: [@Sendable (ExecutionMode.Lane) -> ExecutionMode] = [
          { .sequence($0) }, { .switchLatest($0) }, { .dropWhileBusy($0) },
        ]
        let work: (Range<Int>) -> Void = { numbers in
          for number in numbers {
            screen.execute(
              Step("a") { number % 4 == 0 ? .never() : .unchanged() }, mode: modes[number % 3]("lane \(number) of many")
            )
            if number % 100 == 99 { screen.cancelActions { _ in true } }
          }
          screen.cancelActions { _ in true }
        }
        work(0..<2_000)
        let growth = allocation { work(2_000..<22_000) }
        precondition(growth < 32_768, "\(growth) bytes more after 20,000 lanes")
      }
    }
  #endif
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

extension SharedLaneTests {
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
