import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias Sum = ClosureViewModel<Int, Int>

// contract 1.10: a turn handles at most 1,024 pieces of the work that waited when it began, and then yields
struct TurnTests {
  private static let bound = 1_024
  private let scheduler = StepScheduler()
  private let source = PublishSubject<Int>()

  /// Its action 0 adds what `source` sends.
  private func sum(_ scheduler: any Scheduler) -> Sum {
    Sum(0, scheduler: scheduler) { [source] _, action in
      action == 0 ? source.mutate { $0 += $1 } : .mutate { $0 += action }
    }
  }

  enum Flood: CaseIterable {
    case actions, mappers, both
  }

  @Test(arguments: Flood.allCases)
  func otherWorkOfTheSchedulerComesBetweenTheTurnsOfAFlood(flood: Flood) {
    let (sum, states, count) = (sum(scheduler), Locked<[Int]>([]), 2_500)
    sum.execute(0)
    scheduler.runNext()
    for number in 0..<count {
      if flood == .actions || flood == .both && number % 2 == 0 { sum.execute(1) } else { source.onNext(1) }
    }
    // Each piece of other work schedules the next one, as a view does.
    @Sendable func look() {
      states.mutate { $0.append(sum.currentState) }
      if sum.currentState < count { scheduler.schedule { look() } }
    }
    scheduler.schedule { look() }
    scheduler.runAll()
    #expect(sum.currentState == count)
    #expect(states.value.first! > 0)
    #expect(WaitingWork.mostBetween(states.value) <= Self.bound)
    #expect(states.value.count <= count / Self.bound + 2)
  }

  @Test(arguments: ["1 emitted", "1 completed"])
  func aTurnDoesNotHandleInputsThatArriveDuringIt(step: String) {
    let (sum, bag) = (sum(scheduler), DisposeBag())
    sum.at(step, in: bag) { [weak sum] in if let sum, sum.currentState < 100 { sum.execute(1) } }
    sum.execute(1)
    #expect(scheduler.changes { sum.currentState }.allSatisfy { $0 <= 1 })
    #expect(sum.currentState == 100)
    bag.dispose()
  }

  // However many inputs wait, one turn is scheduled for them.
  @Test func waitingInputsScheduleOneTurn() {
    let sum = sum(scheduler)
    sum.execute(0)
    scheduler.runNext()
    for _ in 0..<10 {
      sum.execute(1)
      source.onNext(1)
      sum.cancelActions { _ in false }
    }
    scheduler.runNext()
    #expect(sum.currentState == 20)
    #expect(scheduler.isEmpty)
  }

  // Cancelled actions count too. For each cancellation the observer executes and cancels another action, 1,500 in all.
  @Test func aFloodOfCancelledActionsYields() {
    let (sum, bag, ends) = (sum(scheduler), DisposeBag(), Locked(0))
    sum.executionObservable.subscribe(onNext: { [weak sum] execution in
      guard case .cancelled = execution.phase else { return }
      ends.mutate { $0 += 1 }
      let next = execution.action + 1
      if next > 1_500 { return }
      sum?.execute(next)
      sum?.cancelActions { $0 == next }
    }).disposed(by: bag)
    sum.execute(1)
    sum.cancelActions { $0 == 1 }
    let counts = scheduler.changes { ends.value }
    #expect(counts[0] <= Self.bound)
    #expect(ends.value == 1_500)
    #expect(sum.currentState == 0)
    bag.dispose()
  }

  // So do the mappers from elsewhere that a mapper of the same effect, from the view model's own work, takes along.
  @Test func theMappersThatAnotherOneTakesAlongCountToo() {
    let (sum, bag) = (sum(scheduler), DisposeBag())
    sum.execute(0)
    scheduler.runAll()
    sum.stateObservable.subscribe(onNext: { [source] in if $0 == 1 { source.onNext(1) } }).disposed(by: bag)
    for _ in 0..<2_500 { source.onNext(1) }
    #expect(scheduler.changes { sum.currentState }.allSatisfy { $0 <= Self.bound + 1 })
    #expect(sum.currentState == 2_501)
    bag.dispose()
  }
}

// contract 1.10: a turn on a scheduler handles at most 1,024 pieces of work, also of work that waited in a lane
struct LaneTurnTests {
  enum End: CaseIterable {
    case completed, cancelled
  }

  // Each piece of other work schedules the next one, as a view does.
  @Test(arguments: WaitingWork.allCases, End.allCases)
  func otherWorkOfTheSchedulerComesBetweenTheTurns(waiting: WaitingWork, end: End) {
    let (scheduler, looks) = (StepScheduler(), Locked<[Int]>([]))
    let adder = Adder(scheduler: scheduler)
    adder.execute(waiting)
    scheduler.runAll()
    #expect(adder.currentState == 0)
    if end == .completed { adder.gate.onCompleted() } else { adder.cancelActions { $0 == .gate } }
    @Sendable func look() {
      looks.mutate { $0.append(adder.currentState) }
      if looks.value.count < WaitingWork.count, adder.currentState < WaitingWork.count { scheduler.schedule { look() } }
    }
    scheduler.schedule { look() }
    scheduler.runAll()
    #expect(adder.currentState == WaitingWork.count)
    #expect(WaitingWork.mostBetween(looks.value) <= WaitingWork.bound)
  }
}

/// Pieces of work that wait for the end of one action: more than two turns handle.
enum WaitingWork: CaseIterable {
  /// Actions that wait for their start.
  case sequence, sequenceOfStreams, deferred, limited
  /// Actions that all start at the end of one action, because their limits are high.
  case besideEachOther
  /// Many actions, each with a mapper that waits.
  case orderedActions
  /// One action with many mappers that wait.
  case orderedMappers

  static let (bound, count) = (1_024, 2_500)

  /// The largest number of pieces of work between two of the observed counts, or before the first one.
  static func mostBetween(_ looks: [Int]) -> Int {
    zip([0] + looks, looks).map { $1 - $0 }.max()!
  }
}

/// Counts the mappers that it has folded.
final class Adder: RxViewModel<Adder.Action, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  enum Action: Sendable, Equatable {
    /// Runs until `gate` ends.
    case gate
    case add, addFromStream
    case addEach(Int)
  }

  let gate = PublishSubject<Int>()

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    // Without the mapper that adds 0, the action would emit the state once more at its end.
    case .gate: Observable.merge([.just(0), gate.asObservable()]).mutate { $0 += $1 }
    case .add: .mutate { $0 += 1 }
    case .addFromStream: Observable.from([1]).mutate { $0 += $1 }
    case .addEach(let count): Observable.from(1...count).mutate { state, _ in state += 1 }
    }
  }

  /// Executes `gate`, and then the actions that wait for its end.
  func execute(_ waiting: WaitingWork) {
    switch waiting {
    case .sequence, .sequenceOfStreams: execute(.gate, mode: .sequence)
    case .limited: for _ in 0..<2 { execute(.gate, mode: .parallel(limit: 2)) }
    case .besideEachOther: execute(.gate, mode: .switchLatest("x"))
    case .deferred, .orderedActions, .orderedMappers: execute(.gate, mode: .parallelOrdered)
    }
    switch waiting {
    case .sequence: for _ in 0..<WaitingWork.count { execute(.add, mode: .sequence) }
    case .sequenceOfStreams: for _ in 0..<WaitingWork.count { execute(.addFromStream, mode: .sequence) }
    case .limited: for _ in 0..<WaitingWork.count { execute(.add, mode: .parallel(limit: 2)) }
    case .besideEachOther:
      execute(.add, mode: .sequence("x"))
      for _ in 1..<WaitingWork.count { execute(.addFromStream, mode: .parallel("x", limit: 5_000)) }
    case .deferred: for _ in 0..<WaitingWork.count { execute(.add, mode: .parallelDeferred) }
    case .orderedActions: for _ in 0..<WaitingWork.count { execute(.add, mode: .parallelOrdered) }
    case .orderedMappers: execute(.addEach(WaitingWork.count), mode: .parallelOrdered)
    }
  }

  // contract 1.10: the end of a cancelled action comes before the next in its lane, and brings no other work into that step
  @Test func anActionThatLooksForItsLaneDoesNotFoldWithoutBound() {
    let (scheduler, source) = (StepScheduler(), PublishSubject<Int>())
    let viewModel = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, action in
      action == 0 ? source.mutate { n, _ in n += 1 } : .never()
    } overrides: {
      $0.mode = { viewModel, action in
        if action == 2 {
          viewModel.cancelActions { $0 == 1 }
          source.onNext(0)
        }
        return action == 0 ? .parallel : .dropWhileBusy
      }
    }
    let fates = viewModel.fates()
    viewModel.execute(0)
    viewModel.execute(1)
    scheduler.runAll()
    let subscription = viewModel.stateObservable.subscribe(onNext: { if 0 < $0, $0 < 5_000 { source.onNext(0) } })
    viewModel.execute(2)
    scheduler.runNext()
    #expect(viewModel.currentState < 1_100)
    scheduler.runAll()
    #expect(viewModel.currentState == 5_000)
    #expect(fates.values == ["0 started", "1 started", "1 cancelled", "2 started"])
    subscription.dispose()
  }
}
