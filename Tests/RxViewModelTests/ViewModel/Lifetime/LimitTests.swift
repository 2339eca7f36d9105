import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `parallel` with a limit
@Suite struct LimitTests {
  private let scheduler = TestScheduler()

  /// Executes a step for each name, which runs until its own subject ends.
  private final class Uploads: Sendable {
    let screen: Screen
    private let ends = Locked<[String: PublishSubject<Int>]>([:])
    private let lines = Locked<[String]>([])
    private let bag = DisposeBag()

    init(_ scheduler: any Scheduler) {
      screen = Screen(scheduler: scheduler)
      let journal = lines
      screen.executionObservable.subscribe(onNext: { execution in
        let name =
          switch execution.phase {
          case .started: "started"
          case .emitted: ""
          case .completed: "completed"
          case .failed: "failed"
          case .cancelled: "cancelled"
          case .dropped: "dropped"
          }
        if !name.isEmpty { journal.mutate { $0.append("\(execution.action) \(name)") } }
      }).disposed(by: bag)
      screen.isLoadingObservable.skip(1).subscribe(onNext: { value in
        journal.mutate { $0.append("loading \(value)") }
      }).disposed(by: bag)
    }

    deinit { bag.dispose() }

    /// The lines since the last call.
    var news: [String] {
      lines.mutate { lines in
        defer { lines = [] }
        return lines
      }
    }

    func step(_ name: String, spins: Bool = false) -> Step {
      let subject = PublishSubject<Int>()
      ends.mutate { $0[name] = subject }
      return Step(name, spins: spins, on: subject)
    }

    func execute(_ name: String, _ mode: ExecutionMode, spins: Bool = false) {
      screen.execute(step(name, spins: spins), mode: mode)
    }

    func complete(_ name: String) { ends.value[name]!.onCompleted() }
    func fail(_ name: String) { ends.value[name]!.onError(TestError()) }
  }

  @Test func asManyAsTheLimitRunAndTheOthersFollowInTheirOrder() {
    let uploads = Uploads(ImmediateScheduler())
    for name in ["a", "b", "c", "d", "e"] { uploads.execute(name, .parallel(limit: 2)) }
    #expect(uploads.news == ["a started", "b started"])
    uploads.complete("b")
    #expect(uploads.news == ["b completed", "c started"])
    uploads.fail("a")
    #expect(uploads.news == ["a failed", "d started"])
    uploads.screen.cancelActions { ["c", "d"].contains($0.name) }
    #expect(uploads.news == ["c cancelled", "d cancelled", "e started"])
    uploads.execute("f", .parallel(limit: 2))
    #expect(uploads.news == ["f started"])
  }

  // contract 2.7
  @Test func allThatWaitedStartBeforeLoadingEnds() {
    let uploads = Uploads(ImmediateScheduler())
    uploads.execute("a", .sequence("x"), spins: true)
    uploads.execute("b", .sequence("x"))
    uploads.execute("c", .parallel("x", limit: 3))
    uploads.execute("d", .parallel("x", limit: 3))
    uploads.execute("e", .parallel("x", limit: 3))
    #expect(uploads.news == ["loading true", "a started"])
    uploads.complete("a")
    #expect(uploads.news == ["a completed", "b started", "c started", "d started", "loading false"])
  }

  @Test func inALaneOfMixedModesNoneOvertakesOneThatWaits() {
    let uploads = Uploads(ImmediateScheduler())
    uploads.execute("a", .sequence("x"))
    uploads.execute("b", .parallel("x", limit: 5))
    #expect(uploads.news == ["a started", "b started"])
    uploads.execute("c", .sequence("x"))
    uploads.execute("d", .parallel("x", limit: 5))
    uploads.execute("e", .parallel("y", limit: 1))
    #expect(uploads.news == ["e started"])
    uploads.complete("a")
    #expect(uploads.news == ["a completed"])
    uploads.complete("b")
    #expect(uploads.news == ["b completed", "c started", "d started"])
  }

  @Test func theCancellationOfOneThatWaitsLetsThoseBehindItStart() {
    let uploads = Uploads(ImmediateScheduler())
    uploads.execute("a", .sequence("x"))
    uploads.execute("b", .sequence("x"))
    uploads.execute("c", .parallel("x", limit: 2))
    uploads.execute("d", .parallel("x", limit: 2))
    #expect(uploads.news == ["a started"])
    uploads.screen.cancelActions { $0.name == "b" }
    #expect(uploads.news == ["b cancelled", "c started"])
    uploads.screen.cancelActions { $0.name == "d" }
    uploads.complete("a")
    #expect(uploads.news == ["d cancelled", "a completed"])
  }

  @Test func switchLatestCancelsAndDropWhileBusyIsDropped() {
    let uploads = Uploads(ImmediateScheduler())
    for name in ["a", "b", "c"] { uploads.execute(name, .parallel("x", limit: 2)) }
    uploads.execute("d", .dropWhileBusy("x"))
    #expect(uploads.news == ["a started", "b started", "d dropped"])
    uploads.execute("e", .switchLatest("x"))
    #expect(uploads.news == ["a cancelled", "b cancelled", "c cancelled", "e started"])
    uploads.execute("f", .parallel("x", limit: 2))
    uploads.execute("g", .parallel("x", limit: 2))
    #expect(uploads.news == ["f started"])
    uploads.complete("e")
    #expect(uploads.news == ["e completed", "g started"])
  }

  @Test func anActionThatWaitsForAPauseHoldsUpThoseBehindIt() {
    let uploads = Uploads(scheduler)
    uploads.execute("a", .switchLatest("x", after: .seconds(1)))
    uploads.execute("b", .parallel("x", limit: 3))
    uploads.execute("c", .parallel("x", limit: 3))
    uploads.execute("d", .parallel("x", limit: 3))
    scheduler.advance(by: .milliseconds(999))
    #expect(uploads.news == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(uploads.news == ["a started", "b started", "c started"])
    uploads.execute("e", .switchLatest("x", after: .seconds(1)))
    scheduler.advance()
    #expect(uploads.news == ["a cancelled", "b cancelled", "c cancelled", "d cancelled"])
  }

  @Test func theDefaultLaneBelongsToAllLimitsAndToNoOtherMode() {
    let uploads = Uploads(ImmediateScheduler())
    for (name, mode) in [("a", ExecutionMode.sequence), ("b", .switchLatest), ("c", .dropWhileBusy)] {
      uploads.execute(name, mode)
    }
    uploads.execute("d", .parallel(limit: 1))
    uploads.execute("e", .parallel(limit: 2))
    uploads.execute("f", .parallel(limit: 2))
    uploads.execute("g", .parallel(limit: 9))
    uploads.execute("h", .parallel)
    #expect(uploads.news.filter { $0.hasSuffix("started") }.map(\.first) == ["a", "b", "c", "d", "e", "h"])
    uploads.screen.executeInSequence(uploads.step("i"))
    uploads.complete("a")
    #expect(uploads.news == ["a completed", "i started"])
  }

  // contract 2.10
  @Test func performWaitsForItsTurn() async throws {
    let uploads = Uploads(ImmediateScheduler())
    uploads.execute("a", .parallel(limit: 1))
    let started = Signal()
    let subscription = uploads.screen.executionObservable.subscribe(onNext: {
      if $0.action.name == "b", $0.phase == .started { started.fire() }
    })
    let step = uploads.step("b")
    async let state = uploads.screen.perform(step, mode: .parallel(limit: 1))
    let cancelled = Task { try await uploads.screen.perform(Step("c"), mode: .parallel(limit: 1)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    uploads.complete("a")
    #expect(await onThread { started.wait() })
    uploads.complete("b")
    #expect(try await state == [])
    subscription.dispose()
  }

  // contract 2.9
  @Test(arguments: [1, 2])
  func anActionThatWaitsForItsTurnOnlyKeepsTheViewModelAlive(ended: Int) {
    let (scheduler, lifetimes) = (StepScheduler(), Lifetimes())
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let states = screen!.stateObservable.test()
    let sources = (0..<3).map { _ in PublishSubject<Int>() }
    for (number, source) in sources.enumerated() {
      screen!.execute(Step("\(number)", on: source), mode: .parallel("x", limit: 3))
    }
    screen!.execute(Step("a"), mode: .parallel("x", limit: 2))
    while !scheduler.isEmpty { scheduler.runNext() }
    for _ in 0..<1_500 { screen!.execute(Step("crowd") { .never() }) }
    while !scheduler.isEmpty { scheduler.runNext() }
    // One turn does not suffice for the ends. What follows them comes in the next.
    let names = ["crowd"] + (0..<ended).map { "\($0 + 1)" }
    screen!.cancelActions { names.contains($0.name) }
    scheduler.runNext()
    screen = nil
    #expect(lifetimes.alive == 1)
    while !scheduler.isEmpty { scheduler.runNext() }
    #expect(lifetimes.alive == 0)
    #expect(states.values.last == (ended == 2 ? ["a"] : []))
  }

  @Test func modesAreEqualByKindLimitAndLane() {
    #expect(ExecutionMode.parallel(limit: 5) == .parallel(limit: 5))
    #expect(ExecutionMode.parallel(limit: 5) != .parallel(limit: 4))
    #expect(ExecutionMode.parallel("x", limit: 5) != .parallel("y", limit: 5))
    #expect(ExecutionMode.parallel(limit: 1) != .sequence)
    #expect(Set<ExecutionMode>([.parallel(limit: 2), .parallel(limit: 2), .parallel("x", limit: 2)]).count == 2)
    #expect("\(ExecutionMode.parallel(limit: 5))" == "parallel(limit: 5)")
    #expect("\(ExecutionMode.parallel("uploads", limit: 5))" == "parallel(uploads, limit: 5)")
    #expect("\(ExecutionMode.switchLatest("x", after: .seconds(1)))" == "switchLatest(x, after: 1.0 seconds)")
    #expect("\(ExecutionMode.switchLatest)" == "switchLatest")
  }

  // contract 2.1, 2.2: actions from many threads, whose effects end on others
  @Test func theLimitHoldsOnManyThreads() async {
    final class Work: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
      let (running, most) = (Locked(0), Locked(0))
      let started = Locked<[Int]>([])

      override func createInitialState() -> Int { 0 }

      override func createObservable(_ action: Int) -> Effect {
        let now = running.mutate { running in
          running += 1
          return running
        }
        most.mutate { $0 = max($0, now) }
        started.mutate { $0.append(action) }
        return .task { [running] in
          await Task.yield()
          running.mutate { $0 -= 1 }
          return { $0 + 1 }
        }
      }
    }
    let (work, done, total) = (Work(), Signal(), 4 * 200)
    let subscription = work.stateObservable.subscribe(onNext: { if $0 == total { done.fire() } })
    await race(threads: 4) { thread in
      for number in 0..<200 { work.execute(thread * 1_000 + number, mode: .parallel(limit: 3)) }
    }
    #expect(await onThread { done.wait() })
    #expect((1...3).contains(work.most.value))
    let started = work.started.value
    for thread in 0..<4 {
      let own = started.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted() && own.count == 200)
    }
    subscription.dispose()
  }
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

extension LimitTests {
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
