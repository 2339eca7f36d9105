import Testing

@testable import RxViewModel

/// A machine that is driven by hand: no lock, no thread, no view model.
final class HandDriven {
  typealias Subject = Machine<Int, Int>
  typealias Run = ActionRun<Int, Int>

  var machine = Subject()
  private var lastID: UInt64 = 0
  /// All runs, as in the engine's table: a lane does not keep its runs alive.
  private var runs: [Run] = []

  /// How the runs have ended, by their numbers.
  private(set) var outcomes: [UInt64: String] = [:]

  init(allowance: Int = 100) {
    machine.waiting = .max
    machine.allowance = allowance
    machine.cancellationAllowance = allowance
  }

  func next(isInside: Bool = false) -> Subject.Step { machine.next(isInside: isInside) }

  /// Accepts an action.
  func accept(_ mode: ExecutionMode, batch: ActionBatch? = nil) -> Run {
    lastID += 1
    let run = Run(Int(lastID), id: lastID, mode: mode, batch: batch)
    runs.append(run)
    machine.inputs.append(.run(run))
    return run
  }

  /// Takes the next input, an action, in hand and finds its place, which ends what is in its way. False if it is not to begin now.
  func admitNext() -> Bool {
    guard next() == .input, case .run(let run)? = machine.inputs.popFirst() else {
      Issue.record("no action is next")
      return false
    }
    let begins = machine.admit(run)
    if begins { machine.beginning = (run, .announce) }
    return begins
  }

  /// Begins the run in hand, as far as its subscription.
  func begin() -> Run? {
    guard next() == .begin, let (run, step) = machine.beginning.take(), case .announce = step else {
      Issue.record("no action is to begin")
      return nil
    }
    run.stage = .started
    run.isLoading = true
    return run
  }

  /// Carries out the end that is next.
  func end() -> Run? {
    guard next() == .end, let (run, outcome) = machine.ends.popFirst() else {
      Issue.record("no end is next")
      return nil
    }
    outcomes[run.id] = "\(outcome)"
    machine.hasEnded(run)
    return run
  }

  /// Settles the run that is next.
  func stopLoading() -> Run? {
    guard next() == .stopLoading, case .stopLoading(let run)? = machine.jobs.popFirst() else {
      Issue.record("nothing is to be settled")
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

  @Test func aMachineWithoutAnythingRests() {
    let hand = HandDriven()
    #expect(hand.next() == .rest)
  }

  // Each queue is filled before the one above it in the table; then they are emptied from the top
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
    hand.machine.events.append((running, .next(add), isFromElsewhere: false))
    #expect(hand.next() == .receive)
    hand.machine.folding = (running, .commit(.more))
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

  // What comes between the steps of a beginning is done first
  @Test(arguments: 0..<4)
  func whatIsAskedForComesBeforeTheNextStepOfABeginning(number: Int) {
    let step = [Subject.Beginning.admit, .announce, .create, .subscribe(.just(add))][number]
    let hand = HandDriven()
    let other = hand.started(.parallel)
    let run = ActionRun<Int, Int>(9, id: 9, mode: .parallel)
    hand.machine.beginning = (run, step)
    hand.machine.events.append((other, .next(add), isFromElsewhere: false))
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

  // Inside the subscription to an effect no action begins, no lane advances and no input is taken
  @Test func insideASubscriptionOnlyTheViewModelsOwnWorkIsDone() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    _ = hand.accept(.parallel)
    hand.machine.end(first, .completed)
    #expect(hand.next(isInside: true) == .end)
    _ = hand.end()
    #expect(hand.next(isInside: true) == .rest)
    #expect(hand.begin() === second)
    #expect(hand.stopLoading() === first)
    #expect(hand.next(isInside: true) == .rest)
    #expect(hand.next() == .input)
  }

  @Test func aTurnTakesNoMoreInputsThanItsAllowance() {
    let hand = HandDriven(allowance: 0)
    _ = hand.accept(.parallel)
    #expect(hand.next() == .rest)
    hand.machine.allowance = 1
    #expect(hand.next() == .input)
  }

  // contract 1.10: what came after the turn had begun has its place in the next one
  @Test func aTurnTakesTheInputsThatWereThere() {
    let hand = HandDriven()
    hand.machine.waiting = 0
    _ = hand.accept(.parallel)
    #expect(hand.next() == .rest)
  }

  // contract 1.10: lanes that advance, and the mappers that a lane has held, have their place in a turn too
  @Test func aTurnMayEndBetweenTwoStepsOfALane() {
    let hand = HandDriven()
    let (first, second) = (hand.started(.sequence), hand.waiting(.sequence))
    let ordered = hand.started(.parallelOrdered)
    hand.machine.end(first, .completed)
    #expect(hand.end() === first)
    hand.machine.allowance = 0
    #expect(hand.next() == .rest)
    #expect({ !hand.machine.isAtRest }())
    ordered.held.append(.next(add))
    hand.machine.releasing = ordered
    #expect(hand.next() == .rest)
    hand.machine.allowance = 2
    #expect(hand.next() == .release)
    _ = ordered.held.popFirst()
    #expect(hand.begin() === second)
  }

  // contract 2.11: after as many requests as a turn handles, the others no longer come before a fold or a begin
  @Test func aTurnHandlesABoundedNumberOfCancellations() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.cancellations.append(.one(run))
    #expect({ !hand.machine.mayFold }())
    hand.machine.cancellationAllowance = 0
    #expect(hand.next() == .rest)
    #expect({ hand.machine.mayFold }())
    hand.machine.folding = (run, .commit(.more))
    #expect(hand.next() == .fold)
    hand.machine.cancellationAllowance = 1
    #expect(hand.next() == .cancel)
  }

  // The requests that came before the inputs come first, however many turns they take
  @Test func noInputIsTakenBeforeTheRequestsThatCameBeforeIt() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    _ = hand.accept(.parallel)
    hand.machine.cancellations.append(.one(run))
    hand.machine.cancellationAllowance = 0
    hand.machine.backlog = 1
    #expect(hand.next() == .rest)
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
    #expect(hand.next() == .rest)
    #expect(hand.outcomes[run.id] == "cancelled")
  }

  // contract 2.7: what waited starts, then loading turns false
  @Test func whatWaitsInTheLaneBeginsBeforeTheEndedRunIsSettled() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    hand.machine.end(first, .cancelled)
    #expect(hand.end() === first)
    #expect(hand.begin() === second)
    #expect(hand.stopLoading() === first)
    #expect(hand.next() == .rest)
  }

  // An action that has not started has nothing to settle
  @Test func anActionThatEndsWhileItWaitsIsNotSettled() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let (second, third) = (hand.waiting(.sequence), hand.waiting(.sequence))
    hand.machine.end(second, .cancelled)
    #expect(hand.end() === second)
    #expect(hand.next() == .rest)
    hand.machine.end(first, .completed)
    #expect(hand.end() === first)
    #expect(hand.begin() === third)
  }

  // A completion that has been sent does not win over a cancellation that waits
  @Test func aCancellationComesBeforeACompletionThatWaits() {
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

  // The state that a mapper has returned is not committed if its action has been cancelled
  @Test func anEndDropsTheFoldInHand() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.folding = (run, .commit(.more))
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.folding == nil }())
    #expect(hand.stopLoading() === run)
    #expect(hand.next() == .rest)
  }
}
