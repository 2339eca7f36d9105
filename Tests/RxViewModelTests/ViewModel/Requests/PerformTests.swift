import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.10
struct PerformTests {
  @Test func performThrowsCancellationWhenSupersededOrDropped() async throws {
    let (screen, started) = (Screen(), Signal())
    let first = Task {
      try await screen.perform(
        Step("a") { Observable<Int>.never().do(onSubscribe: { started.fire() }).mutate { _, _ in } },
        mode: .switchLatest)
    }
    #expect(await onThread { started.wait() })
    #expect(try await screen.perform(Step("b"), mode: .switchLatest) == ["b"])
    await #expect(throws: CancellationError.self) { try await first.value }
    screen.execute(Step("busy") { .never() }, mode: .dropWhileBusy)
    await #expect(throws: CancellationError.self) { try await screen.perform(Step("c"), mode: .dropWhileBusy) }
  }

  /// The stage in which the action is when it is ended.
  enum Place: CaseIterable {
    case queued, waiting, held, running
  }

  enum Fate: CaseIterable {
    case cleared, cancelled, taskCancelled
  }

  @Test(arguments: Place.allCases, Fate.allCases)
  func performReturnsHoweverItsActionEnds(place: Place, fate: Fate) async {
    let scheduler = HandScheduler()
    let (screen, source) = (Screen(scheduler: scheduler), PublishSubject<Int>())
    let mode: ExecutionMode = place == .waiting ? .sequence : place == .held ? .parallelOrdered : .parallel
    if place == .waiting || place == .held {
      screen.execute(Step("first") { .never() }, mode: mode)
      #expect(await onThread { scheduler.scheduled.wait() })
      scheduler.run()
    }
    let performing = Task { try await screen.perform(Step("a", on: source), mode: mode) }
    #expect(await onThread { scheduler.scheduled.wait() })
    if place != .queued { scheduler.run() }
    if place == .held {
      source.onNext(1)
      source.onCompleted()
      scheduler.run()
    }
    #expect(source.hasObservers == (place == .running))
    switch fate {
    case .cleared: screen.clear()
    case .cancelled: screen.cancelActions { $0.name == "a" }
    case .taskCancelled: performing.cancel()
    }
    scheduler.run()
    await #expect(throws: CancellationError.self) { try await performing.value }
    #expect(!source.hasObservers)
    #expect(screen.currentState == [])
  }

  // `completed` of `executionObservable` carries the state that `perform` returns.
  @Test(arguments: ExecutionMode.all)
  func completedCarriesTheSameState(mode: ExecutionMode) async throws {
    let (screen, completed) = (Screen(), Locked<[[String]]>([]))
    let subscription = screen.executionObservable.subscribe(onNext: { execution in
      if case .completed(let state) = execution.phase { completed.mutate { $0.append(state) } }
    })
    for effect in 0..<3 {
      let state = try await screen.perform(
        Step("a") {
          switch effect {
          case 0: .mutate { $0.append("a") }
          case 1: Observable.from(1...2).mutate { $0.append("\($1)") }
          default: .empty()
          }
        }, mode: mode)
      #expect(completed.value.last == state)
      #expect(completed.value.count == effect + 1)
      #expect(state == (effect == 0 ? ["a"] : ["a", "1", "2"]))
    }
    subscription.dispose()
  }

  @Test func aTaskThatIsCancelledBeforeItPerformsPerformsNothing() async {
    let (screen, created) = (Screen(), Locked(0))
    let start = Signal()
    let performing = Task {
      await onThread { _ = start.wait() }
      return try await screen.perform(
        Step("a") {
          created.mutate { $0 += 1 }
          return .mutate { $0.append("a") }
        })
    }
    performing.cancel()
    start.fire()
    await #expect(throws: CancellationError.self) { try await performing.value }
    await #expect(throws: Never.self) { try await screen.perform(Step("b")) }
    #expect(created.value == 0)
  }

  // `perform` throws the error of an effect or of a mapper, also a handled one and a `CancellationError`.
  @Test(arguments: [true, false])
  func performThrowsTheErrorOfItsAction(isCancellation: Bool) async {
    let screen = Screen(handlesErrors: true)
    let error: any Error = isCancellation ? CancellationError() : TestError()
    let mapper: StateMapper<[String]> = { _ in throw error }
    for effect in [Observable.just(mapper), .of(mapper), .error(error)] {
      await #expect {
        try await screen.perform(Step("a") { effect })
      } throws: { error in
        isCancellation ? error is CancellationError : error is TestError
      }
    }
  }

  // The action has failed when its error is handled, so the end of the view model doesn't change how it ends.
  @Test func performThrowsTheErrorOfAnActionWhoseHandlerClears() async {
    let viewModel = ClosureViewModel<Int, Int>(0) { _, _ in
      .error(TestError())
    } overrides: {
      $0.handles = { viewModel, _, _ in
        viewModel.clear()
        return true
      }
    }
    await #expect(throws: TestError.self) { try await viewModel.perform(1) }
  }
}
