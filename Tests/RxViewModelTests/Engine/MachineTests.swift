import Testing

@testable import RxViewModel

/// A machine that a test drives by hand, without a lock, a thread or a view model.
final class HandDriven {
  typealias Subject = Machine<Int, Int>
  typealias Run = EngineRun<Int, Int>

  var machine = Subject()
  private var lastID: UInt64 = 0
  /// All runs. As the engine's table does, it keeps them alive, because a lane does not.
  private var runs: [Run] = []

  /// The outcome of each ended run, by its id.
  private(set) var outcomes: [UInt64: String] = [:]

  init(allowance: Int = 100) {
    machine.waiting = .max
    machine.allowance.pieces = allowance
    machine.allowance.cancellations = allowance
  }

  func next(isInside: Bool = false) -> Subject.Step { machine.next(isInside: isInside) }

  /// Accepts an action.
  func accept(_ mode: ExecutionMode, batch: ActionBatch? = nil) -> Run {
    lastID += 1
    let run = ActionRun<Int, Int>(Int(lastID), id: lastID, mode: mode, batch: batch)
    runs.append(run)
    machine.inputs.append(.run(run))
    return run
  }

  /// Takes the next input, which must be an action, and admits it. False if the action does not begin now.
  func admitNext() -> Bool {
    guard next() == .input, case .run(let run)? = machine.inputs.popFirst() else {
      Issue.record("the next step is not to take an action")
      return false
    }
    let begins = machine.admit(run)
    if begins { machine.beginning = (run, .announce) }
    return begins
  }

  /// Begins the run whose turn has come, up to its subscription.
  func begin() -> Run? {
    guard next() == .begin, let (run, step) = machine.beginning.take(), case .announce = step else {
      Issue.record("the next step is not to begin an action")
      return nil
    }
    run.place = .loading(at: 0)
    return run
  }

  /// Carries out the next end.
  func end() -> Run? {
    guard next() == .end, let (run, outcome) = machine.ends.popFirst() else {
      Issue.record("the next step is not an end")
      return nil
    }
    outcomes[run.id] = "\(outcome)"
    _ = machine.hasEnded(run, isDisturbed: true)
    return run
  }

  /// Carries out the next job, by which an ended run stops counting as loading.
  func stopLoading() -> Run? {
    guard next() == .stopLoading, case .stopLoading(let run)? = machine.jobs.popFirst() else {
      Issue.record("the next step is not that a run stops loading")
      return nil
    }
    return run
  }

  /// Accepts an action and begins it.
  func started(_ mode: ExecutionMode) -> Run {
    let run = accept(mode)
    #expect(admitNext())
    #expect(begin() === run)
    return run
  }

  /// Accepts an action that has to wait in its lane.
  func waiting(_ mode: ExecutionMode) -> Run {
    let run = accept(mode)
    #expect(!admitNext())
    #expect(run.stage == .waiting)
    return run
  }
}

// contract 2.3, 2.7, 2.11: the order of the machine's queues
@Suite struct MachineTests {
  private typealias Subject = Machine<Int, Int>
  private let add: StateMapper<Int> = { $0 + 1 }

  @Test func anEmptyMachineFinishesTheTurn() {
    let hand = HandDriven()
    #expect(hand.next() == .finishTurn)
  }

  // The test fills the queues from the bottom of the table in `Machine` to its top, and then empties them from the top
  @Test func theQueuesComeInTheOrderOfTheTable() {
    let hand = HandDriven()
    let (ordered, running) = (hand.started(.parallelOrdered), hand.started(.parallel))
    let ending = hand.started(.parallel)
    _ = hand.accept(.parallel)
    #expect(hand.next() == .input)
    hand.machine.jobs.append(.stopLoading(running))
    #expect(hand.next() == .stopLoading)
    let begun = ActionRun<Int, Int>(7, id: 7, mode: .parallel)
    hand.machine.beginning = (begun, .admit)
    #expect(hand.next() == .begin)
    ordered.held.append(.next(add))
    hand.machine.releasing = ordered
    #expect(hand.next() == .release)
    hand.machine.events.append((running, .next(add), isFromOutside: false))
    #expect(hand.next() == .receive)
    hand.machine.folding = (running, .commit(Box(0), .more))
    #expect(hand.next() == .fold)
    hand.machine.cancellations.append(.one(running))
    #expect(hand.next() == .cancel)
    hand.machine.end(ending, .completed)
    #expect(hand.next() == .end)

    _ = hand.machine.ends.popFirst()
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    #expect(hand.next() == .fold)
    hand.machine.folding = nil
    #expect(hand.next() == .receive)
    _ = hand.machine.events.popFirst()
    #expect(hand.next() == .release)
    _ = ordered.held.popFirst()
    #expect(hand.next() == .begin)
    #expect({ hand.machine.releasing == nil }())
    hand.machine.beginning = nil
    #expect(hand.next() == .stopLoading)
    _ = hand.machine.jobs.popFirst()
    #expect(hand.next() == .input)
  }

  // The machine handles cancellations and events before the next step of a beginning
  @Test(arguments: 0..<4)
  func requestsComeBeforeTheNextStepOfABeginning(number: Int) {
    let step = [Subject.Beginning.admit, .announce, .create, .subscribe(.just(add))][number]
    let hand = HandDriven()
    let other = hand.started(.parallel)
    let run = ActionRun<Int, Int>(9, id: 9, mode: .parallel)
    hand.machine.beginning = (run, step)
    hand.machine.events.append((other, .next(add), isFromOutside: false))
    #expect(hand.next() == .receive)
    #expect({ !hand.machine.mayBegin }())
    hand.machine.cancellations.append(.one(run))
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.beginning == nil }())
    #expect(hand.next() == .receive)
    _ = hand.machine.events.popFirst()
    #expect({ hand.machine.mayBegin }())
  }

  // While the engine subscribes to an effect, the machine begins no action, advances no lane and takes no input
  @Test func insideASubscriptionOnlyTheViewModelsOwnWorkContinues() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    _ = hand.accept(.parallel)
    hand.machine.end(first, .completed)
    #expect(hand.next(isInside: true) == .end)
    _ = hand.end()
    #expect(hand.next(isInside: true) == .finishTurn)
    #expect(hand.begin() === second)
    #expect(hand.stopLoading() === first)
    #expect(hand.next(isInside: true) == .finishTurn)
    #expect(hand.next() == .input)
  }

  @Test func aTurnTakesNoMoreInputsThanItsAllowance() {
    let hand = HandDriven(allowance: 0)
    _ = hand.accept(.parallel)
    #expect(hand.next() == .finishTurn)
    hand.machine.allowance.pieces = 1
    #expect(hand.next() == .input)
  }

  // contract 1.10: an input that comes after the turn has begun waits for the next turn
  @Test func aTurnTakesTheInputsThatWereThereWhenItBegan() {
    let hand = HandDriven()
    hand.machine.waiting = 0
    _ = hand.accept(.parallel)
    #expect(hand.next() == .finishTurn)
  }

  // contract 1.10: lanes that advance, and mappers that a lane has held, count in the allowance of a turn too
  @Test func aTurnMayEndBetweenTwoStepsOfALane() {
    let hand = HandDriven()
    let (first, second) = (hand.started(.sequence), hand.waiting(.sequence))
    let ordered = hand.started(.parallelOrdered)
    hand.machine.end(first, .completed)
    #expect(hand.end() === first)
    hand.machine.allowance.pieces = 0
    #expect(hand.next() == .finishTurn)
    #expect({ !hand.machine.isIdle }())
    ordered.held.append(.next(add))
    hand.machine.releasing = ordered
    #expect(hand.next() == .finishTurn)
    hand.machine.allowance.pieces = 2
    #expect(hand.next() == .release)
    _ = ordered.held.popFirst()
    #expect(hand.begin() === second)
  }

  // contract 2.11: when a turn has handled its maximum of requests, the others no longer come before a fold or a begin
  @Test func aTurnHandlesABoundedNumberOfCancellations() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.cancellations.append(.one(run))
    #expect({ !hand.machine.mayFold }())
    hand.machine.allowance.cancellations = 0
    #expect(hand.next() == .finishTurn)
    #expect({ hand.machine.mayFold }())
    hand.machine.folding = (run, .commit(Box(0), .more))
    #expect(hand.next() == .fold)
    hand.machine.allowance.cancellations = 1
    #expect(hand.next() == .cancel)
  }

  // contract 1.10: a turn ends a bounded number of actions, and nothing comes before the rest of the ends
  @Test func aTurnEndsABoundedNumberOfActions() {
    let hand = HandDriven()
    let (first, second) = (hand.started(.parallel), hand.started(.parallel))
    _ = hand.accept(.parallel)
    hand.machine.end(first, .cancelled)
    hand.machine.end(second, .cancelled)
    hand.machine.cancellations.append(.one(first))
    hand.machine.allowance.ends = 0
    #expect(hand.next() == .finishTurn)
    #expect({ !hand.machine.mayFold && !hand.machine.mayBegin && !hand.machine.isIdle }())
    // The turn cannot end inside a subscription.
    #expect(hand.next(isInside: true) == .end)
    hand.machine.allowance.ends = 1
    #expect(hand.end() === first)
    #expect(hand.end() === second)
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    hand.machine.allowance.releases = 0
    #expect(hand.next() == .finishTurn)
    hand.machine.allowance.releases = 1
    #expect(hand.stopLoading() === first)
  }

  // contract 2.9: an action that waits for nothing but such ends keeps the view model alive
  @Test(arguments: [true, false])
  func anActionBehindTheEndsKeepsTheViewModelAlive(isFirstEnding: Bool) {
    let hand = HandDriven()
    let runs = [hand.started(.sequence)] + (0..<3).map { _ in hand.waiting(.sequence) }
    #expect({ !hand.machine.keepsAlive }())
    for run in runs[(isFirstEnding ? 0 : 1)..<3] { hand.machine.end(run, .cancelled) }
    #expect({ hand.machine.keepsAlive }() == isFirstEnding)
    hand.machine.end(runs[3], .cancelled)
    #expect({ !hand.machine.keepsAlive }())
  }

  // Earlier requests come before the inputs, however many turns they take
  @Test func noInputIsTakenBeforeEarlierRequests() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    _ = hand.accept(.parallel)
    hand.machine.cancellations.append(.one(run))
    hand.machine.allowance.cancellations = 0
    hand.machine.backlog = 1
    #expect(hand.next() == .finishTurn)
    hand.machine.backlog = 0
    #expect(hand.next() == .input)
  }

  @Test func aRunEndsOnce() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.end(run, .cancelled)
    hand.machine.end(run, .completed)
    #expect(hand.end() === run)
    hand.machine.end(run, .completed)
    #expect(hand.stopLoading() === run)
    #expect(hand.next() == .finishTurn)
    #expect(hand.outcomes[run.id] == "cancelled")
  }

  // contract 2.7: the waiting action starts, then loading becomes false
  @Test func theNextRunOfTheLaneBeginsBeforeTheEndedOneStopsLoading() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    hand.machine.end(first, .cancelled)
    #expect(hand.end() === first)
    #expect(hand.begin() === second)
    #expect(hand.stopLoading() === first)
    #expect(hand.next() == .finishTurn)
  }

  // An action that has not started does not count as loading
  @Test func anActionThatEndsWhileItWaitsDoesNotStopLoading() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let (second, third) = (hand.waiting(.sequence), hand.waiting(.sequence))
    hand.machine.end(second, .cancelled)
    #expect(hand.end() === second)
    #expect(hand.next() == .finishTurn)
    hand.machine.end(first, .completed)
    #expect(hand.end() === first)
    #expect(hand.begin() === third)
  }

  // A waiting cancellation wins over a completion that the effect has sent before
  @Test func aCancellationComesBeforeAWaitingCompletion() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.folding = (run, .finish(.completed))
    hand.machine.cancellations.append(.one(run))
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.folding == nil }())
    #expect(hand.outcomes[run.id] == "cancelled")
  }

  // The engine does not commit the state that a mapper has returned if the action is cancelled
  @Test func anEndDropsTheCurrentFold() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.folding = (run, .commit(Box(0), .more))
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.folding == nil }())
    #expect(hand.stopLoading() === run)
    #expect(hand.next() == .finishTurn)
  }
}
