import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.6: errors, thrown in every place
@Suite struct ErrorTests {
  enum Place: CaseIterable {
    case event, later, deferred, operatorClosure, task, firstMapper, secondMapper, justMapper
  }

  private static let modes: [ExecutionMode] = [
    .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy,
  ]

  /// An action that fails at `place`, in some cases after a first fold. `applied` counts the calls of mappers that come after the error.
  private static func failing(_ place: Place, with error: any Error, gate: PublishSubject<Int>, applied: Locked<Int>)
    -> Step
  {
    let fail: StateMapper<[String]> = { _ in throw error }
    let add: StateMapper<[String]> = { $0 + ["x"] }
    let behind: StateMapper<[String]> = { state in
      applied.mutate { $0 += 1 }
      return state
    }
    return Step("a", spins: true) {
      switch place {
      case .event: .error(error)
      case .later: gate.map { _ in behind }.concat(Observable<StateMapper<[String]>>.error(error))
      case .deferred: .deferred { throw error }
      case .operatorClosure: Observable.just(1).map { _ in throw error }
      case .task: Observable.task { throw error }
      case .firstMapper: .of(fail, behind, behind)
      case .secondMapper: .of(add, fail, behind)
      case .justMapper: .just(fail)
      }
    }
  }

  @Test(arguments: Place.allCases, modes)
  func anErrorIsOneItemOnBothStreamsAndNothingElse(place: Place, mode: ExecutionMode) async throws {
    let (screen, gate, applied) = (Screen(), PublishSubject<Int>(), Locked(0))
    let journal = Journal(screen)
    screen.execute(Self.failing(place, with: TestError("oops"), gate: gate, applied: applied), mode: mode)
    gate.onCompleted()
    // The first of these comes after the failure in its lane, and the second after everything.
    try #require(await eventually { !screen.handled.value.isEmpty })
    try await screen.perform(Step("b"), mode: mode)
    try await screen.perform(Step("c"))
    let before = place == .secondMapper ? ["x"] : []
    #expect(screen.currentState == before + ["b", "c"])
    #expect(applied.value == 0)
    #expect(screen.handled.value == ["oops of a"])
    let failure = ["error oops", "a failed with oops", "a failed"]
    #expect(journal.lines.filter { failure.contains($0) } == failure)
    #expect(!journal.lines.contains("end"))
  }

  // Cancellation is not an error, wherever it comes from.
  @Test(arguments: Place.allCases, modes)
  func cancellationIsNoError(place: Place, mode: ExecutionMode) async throws {
    let (screen, gate, applied) = (Screen(), PublishSubject<Int>(), Locked(0))
    let (ends, ended, bag) = (screen.ends(), Signal(), DisposeBag())
    screen.at("a cancelled", in: bag) { ended.fire() }
    let errors = screen.errorObservable.test()
    screen.execute(Self.failing(place, with: CancellationError(), gate: gate, applied: applied), mode: mode)
    gate.onCompleted()
    #expect(await onThread { ended.wait() })
    try await screen.perform(Step("b"), mode: mode)
    #expect(ends.values == ["a cancelled", "b completed"])
    #expect(errors.values.isEmpty && screen.handled.value.isEmpty && applied.value == 0)
    #expect(screen.currentState == (place == .secondMapper ? ["x", "b"] : ["b"]))
    bag.dispose()
  }

  // Each of several equal errors is an item of its own on both streams, in the same order.
  @Test func equalErrorsAreSeparateItems() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let (errors, pairs) = (screen.errorObservable.test(), screen.actionAndErrorObservable.test())
    for name in ["a", "b", "a"] { screen.execute(Step(name) { throw TestError("same") }) }
    scheduler.run()
    #expect(errors.values.map { "\($0)" } == ["same", "same", "same"])
    #expect(pairs.values.map { "\($0.action!) \($0.error)" } == ["a same", "b same", "a same"])
  }

  // A stream of actions that ends with a `CancellationError` has not failed either.
  @Test func aCancelledStreamOfActionsHasNotFailed() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    let subscription = Observable<Step>.error(CancellationError()).execute(on: screen)
    scheduler.run()
    #expect(journal.news == [])
    #expect(screen.handled.value == [])
    subscription.dispose()
  }
}
