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

  init(allowance: Int32 = 100) {
    machine.allowance = allowance
    machine.cancellationAllowance = allowance
  }

  func next() -> Subject.Step { machine.next() }

  func nextInside() -> Subject.Step? { machine.nextInside() }

  func removeCancelledInputs() -> Int { machine.removeCancelledInputs() }

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
    machine.begin(run, .asked)
    #expect(next() == .admit)
    return machine.admit(run)
  }

  /// Begins the run in hand, as far as its subscription.
  func begin() -> Run? {
    guard next() == .begin, let run = machine.beginning else {
      Issue.record("no action is to begin")
      return nil
    }
    run.stage = .started
    run.hasStarted = true
    machine.beginningStage = .announced
    #expect(next() == .create)
    machine.beginningStage = .created
    #expect(next() == .subscribe)
    machine.beginning = nil
    return run
  }

  /// Carries out the end that is next.
  func end() -> Run? {
    guard next() == .end, let run = machine.ends.popFirst() else {
      Issue.record("no end is next")
      return nil
    }
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
    let (ending, finishing) = (hand.started(.parallel), hand.started(.parallel))
    _ = hand.accept(.parallel)
    #expect(hand.next() == .input)
    hand.machine.jobs.append(.stopLoading(running))
    #expect(hand.next() == .stopLoading)
    let begun = ActionRun<Int, Int>(7, id: 7, mode: .parallel)
    hand.machine.begin(begun, .asked)
    #expect(hand.next() == .admit)
    ordered.held.append(.next(add))
    hand.machine.releasing = ordered
    #expect(hand.next() == .release)
    hand.machine.events.append((running, .next(add)))
    #expect(hand.next() == .receive)
    hand.machine.finish(finishing, .completed)
    #expect(hand.next() == .finish)
    hand.machine.folding = running
    #expect(hand.next() == .commit)
    hand.machine.cancellations.append(.one(running))
    #expect(hand.next() == .cancel)
    hand.machine.end(ending, .failed)
    #expect(hand.next() == .end)

    _ = hand.machine.ends.popFirst()
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    #expect(hand.next() == .commit)
    hand.machine.folding = nil
    #expect(hand.next() == .finish)
    hand.machine.finishing = nil
    #expect(hand.next() == .receive)
    _ = hand.machine.events.popFirst()
    #expect(hand.next() == .release)
    _ = ordered.held.popFirst()
    #expect(hand.next() == .admit)
    #expect({ hand.machine.releasing == nil }())
    hand.machine.beginning = nil
    #expect(hand.next() == .stopLoading)
    _ = hand.machine.jobs.popFirst()
    #expect(hand.next() == .input)
  }

  @Test func anActionBeginsInFourSteps() {
    let hand = HandDriven()
    let run = hand.accept(.parallel)
    #expect(hand.admitNext())
    #expect(hand.begin() === run)
    #expect(hand.next() == .rest)
  }

  // What comes between the steps of a beginning is done first
  @Test(arguments: 0..<4)
  func whatIsAskedForComesBeforeTheNextStepOfABeginning(number: Int) {
    let stage = [Subject.Beginning.asked, .admitted, .announced, .created][number]
    let hand = HandDriven()
    let other = hand.started(.parallel)
    let run = ActionRun<Int, Int>(9, id: 9, mode: .parallel)
    hand.machine.begin(run, stage)
    hand.machine.events.append((other, .next(add)))
    #expect(hand.next() == .receive)
    #expect({ !hand.machine.isUndisturbed }())
    hand.machine.cancellations.append(.one(run))
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.beginning == nil }())
    #expect(hand.next() == .receive)
    _ = hand.machine.events.popFirst()
    #expect({ hand.machine.isUndisturbed }())
  }

  // Inside the subscription to an effect no action begins, no lane advances and no input is taken
  @Test func insideASubscriptionOnlyTheViewModelsOwnWorkIsDone() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    _ = hand.accept(.parallel)
    hand.machine.end(first, .completed)
    #expect(hand.nextInside() == .end)
    _ = hand.end()
    #expect(hand.nextInside() == nil)
    #expect(hand.begin() === second)
    #expect(hand.stopLoading() === first)
    #expect(hand.nextInside() == nil)
    #expect(hand.next() == .input)
  }

  @Test func aTurnTakesNoMoreInputsThanItsAllowance() {
    let hand = HandDriven(allowance: 0)
    _ = hand.accept(.parallel)
    #expect(hand.next() == .rest)
    hand.machine.allowance = 1
    #expect(hand.next() == .input)
  }

  // contract 1.10
  @Test func aTurnLeavesCancellationsToTheNextOnlyIfNothingIsInHand() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.cancellations.append(.one(run))
    hand.machine.cancellationAllowance = 0
    #expect(hand.next() == .rest)
    hand.machine.events.append((run, .next(add)))
    #expect(hand.next() == .cancel)
    _ = hand.machine.events.popFirst()
    hand.machine.folding = run
    #expect(hand.next() == .cancel)
    hand.machine.folding = nil
    hand.machine.cancellationAllowance = 1
    #expect(hand.next() == .cancel)
  }

  @Test func aRunEndsOnce() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.end(run, .cancelled)
    hand.machine.end(run, .failed)
    #expect(run.outcome == .cancelled)
    #expect(hand.end() === run)
    hand.machine.end(run, .completed)
    #expect(hand.stopLoading() === run)
    #expect(hand.next() == .rest)
    #expect(run.outcome == .cancelled)
  }

  // contract 2.7: what waited starts, then loading turns false
  @Test func whatWaitsInTheLaneBeginsBeforeTheEndedRunIsSettled() {
    let hand = HandDriven()
    let first = hand.started(.sequence)
    let second = hand.waiting(.sequence)
    hand.machine.end(first, .failed)
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
    hand.machine.finish(run, .completed)
    hand.machine.cancellations.append(.one(run))
    #expect(hand.next() == .cancel)
    _ = hand.machine.cancellations.popFirst()
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.finishing == nil }())
    #expect(run.outcome == .cancelled)
  }

  // The state that a mapper has returned is not committed if its action has been cancelled
  @Test func anEndDropsTheFoldInHand() {
    let hand = HandDriven()
    let run = hand.started(.parallel)
    hand.machine.folding = run
    hand.machine.end(run, .cancelled)
    #expect(hand.end() === run)
    #expect({ hand.machine.folding == nil }())
    #expect(hand.stopLoading() === run)
    #expect(hand.next() == .rest)
  }

  // contract 2.11: cancelled actions leave the front of the queue, what is behind them stays
  @Test func cancelledActionsLeaveTheFrontOfTheQueue() {
    let hand = HandDriven()
    let runs = (0..<4).map { _ in hand.accept(.parallel) }
    hand.machine.end(runs[1], .cancelled)
    #expect(hand.removeCancelledInputs() == 0)
    hand.machine.end(runs[0], .cancelled)
    #expect(hand.removeCancelledInputs() == 2)
    #expect({ hand.machine.inputs.count == 2 }())
    #expect({ hand.machine.queuedActions(upTo: 3).map(\.action) == [3] }())
  }
}
