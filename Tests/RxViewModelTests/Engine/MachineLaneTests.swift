import Testing

@testable import RxViewModel

extension ActionLane {
  /// The runs, in order.
  fileprivate var runs: [Run] { first.map { Array(sequence(first: $0, next: { $0.next })) } ?? [] }
}

// contract 2, execution modes: which action begins, waits, ends or is dropped
@Suite struct MachineLaneTests {
  private let add: StateMapper<Int> = { $0 + 1 }

  @Test func parallelActionsHaveNoLane() {
    let hand = HandDriven()
    for _ in 0..<3 { #expect(hand.started(.parallel).lane == nil) }
  }

  @Test(arguments: [ExecutionMode.sequence, .sequence("x"), .parallelDeferred])
  func actionsOfOneLaneBeginOneAfterTheOther(mode: ExecutionMode) {
    let hand = HandDriven()
    var runs = [hand.started(mode)]
    for _ in 0..<3 { runs.append(hand.waiting(mode)) }
    for (run, next) in zip(runs, runs.dropFirst()) {
      hand.machine.end(run, .completed)
      #expect(hand.end() === run)
      #expect(hand.begin() === next)
      #expect(hand.stopLoading() === run)
    }
    #expect(hand.next() == .finishTurn)
  }

  @Test func aNamedLaneIsSharedByAllModes() {
    let hand = HandDriven()
    let first = hand.started(.dropWhileBusy("x"))
    let second = hand.waiting(.sequence("x"))
    #expect(first.lane === second.lane)
    let dropped = hand.accept(.dropWhileBusy("x"))
    #expect(!hand.admitNext())
    #expect(hand.end() === dropped)
    #expect(hand.outcomes[dropped.id] == "dropped")
    // The superseding run enters the lane before the others end, and begins while they still count as loading.
    let latest = hand.accept(.switchLatest("x"))
    #expect(hand.admitNext())
    #expect(hand.end() === first)
    #expect(hand.end() === second)
    #expect(hand.begin() === latest)
    #expect(hand.stopLoading() === first)
    #expect(hand.next() == .finishTurn)
    #expect(latest.lane?.first === latest)
  }

  @Test func defaultLanesBelongToOneMode() {
    let hand = HandDriven()
    for mode: ExecutionMode in [.sequence, .switchLatest, .dropWhileBusy, .parallelDeferred] { _ = hand.started(mode) }
  }

  @Test func aSwitchLatestWithAQuietTimeWaitsInTheLaneUntilItIsOver() {
    let hand = HandDriven()
    let (running, quiet) = (hand.started(.dropWhileBusy("x")), ExecutionMode.switchLatest("x", after: .seconds(1)))
    let first = hand.waiting(quiet)
    #expect(hand.end() === running)
    #expect(hand.stopLoading() === running)
    #expect(hand.next() == .finishTurn)
    let behind = hand.waiting(.sequence("x"))
    let second = hand.waiting(quiet)
    #expect(hand.end() === first)
    #expect(hand.end() === behind)
    #expect(hand.next() == .finishTurn)
    hand.machine.quietTimeIsOver(for: first)
    #expect(hand.next() == .finishTurn)
    hand.machine.quietTimeIsOver(for: second)
    #expect(hand.begin() === second)
    hand.machine.quietTimeIsOver(for: second)
    #expect(hand.next() == .finishTurn)
  }

  @Test func theMappersOfALaterOrderedActionAreHeldAndReleasedInOrder() {
    let hand = HandDriven()
    let (first, second) = (hand.started(.parallelOrdered), hand.started(.parallelOrdered))
    let third = hand.waiting(.parallelDeferred)
    #expect({ !hand.machine.isHeld(first) }())
    #expect({ hand.machine.isHeld(second) }())
    second.held.append(.next(add))
    second.held.append(.next(add))
    hand.machine.end(first, .completed)
    #expect(hand.end() === first)
    // A later event of the same run waits until the held events have been released.
    #expect(hand.next() == .release)
    #expect({ hand.machine.isHeld(second) }())
    _ = second.held.popFirst()
    #expect(hand.next() == .release)
    _ = second.held.popFirst()
    #expect({ !hand.machine.isHeld(second) }())
    #expect(hand.stopLoading() === first)
    hand.machine.end(second, .cancelled)
    #expect(hand.end() === second)
    #expect(hand.begin() === third)
  }

  @Test func anEndInTheMiddleOfALaneAdvancesNothing() {
    let hand = HandDriven()
    let (first, second) = (hand.started(.parallelOrdered), hand.started(.parallelOrdered))
    let third = hand.started(.parallelOrdered)
    third.held.append(.next(add))
    hand.machine.end(second, .cancelled)
    #expect(hand.end() === second)
    #expect(hand.stopLoading() === second)
    #expect(hand.next() == .finishTurn)
    #expect(first.lane?.runs.map(\.id) == [first.id, third.id])
    hand.machine.end(first, .completed)
    _ = hand.end()
    #expect(hand.next() == .release)
  }

  @Test func theRestOfABrokenBatchIsDroppedInItsTurn() {
    let hand = HandDriven()
    let batch = ActionBatch()
    let runs = (0..<3).map { _ in hand.accept(.sequence, batch: batch) }
    let other = hand.accept(.sequence)
    #expect(hand.admitNext())
    _ = hand.begin()
    for _ in 0..<3 { #expect(!hand.admitNext()) }
    batch.stop(at: runs[0].id)
    hand.machine.end(runs[0], .cancelled)
    #expect(hand.end() === runs[0])
    #expect(hand.end() === runs[1])
    #expect(hand.end() === runs[2])
    #expect(hand.outcomes[runs[1].id] == "dropped" && hand.outcomes[runs[2].id] == "dropped")
    #expect(hand.begin() === other)
    #expect(hand.stopLoading() === runs[0])
    #expect(hand.next() == .finishTurn)
  }

  @Test func anActionWhoseBatchHasBrokenIsDroppedWhenItIsAdmitted() {
    let hand = HandDriven()
    let batch = ActionBatch()
    _ = hand.accept(.sequence, batch: batch)
    let second = hand.accept(.sequence, batch: batch)
    #expect(hand.admitNext())
    let first = hand.begin()!
    batch.stop(at: first.id)
    hand.machine.end(first, .cancelled)
    _ = hand.end()
    _ = hand.stopLoading()
    #expect(!hand.admitNext())
    #expect(hand.end() === second)
    #expect(hand.outcomes[second.id] == "dropped")
  }

  @Test func anEmptyLaneIsRemoved() {
    let hand = HandDriven()
    for number in 0..<10 {
      let run = hand.started(.sequence(.init("\(number)")))
      #expect(run.lane?.key == .named(.init("\(number)"), of: nil))
      hand.machine.end(run, .completed)
      _ = hand.end()
      _ = hand.stopLoading()
    }
    #expect({ hand.machine.lanes.isEmpty }())
  }

  @Test func aLaneWithUnfinishedActionsIsFoundAgain() {
    let hand = HandDriven()
    let first = hand.started(.sequence("a"))
    for name in ["b", "c", "d"] { _ = hand.started(.sequence(.init(name))) }
    let second = hand.waiting(.sequence("a"))
    #expect(second.lane === first.lane)
    #expect({ hand.machine.lanes.count == 4 }())
  }

  @Test func aRunLeavesItsLaneFromAnyPosition() {
    for place in 0..<4 {
      let hand = HandDriven()
      let runs = (0..<4).map { $0 == 0 ? hand.started(.sequence) : hand.waiting(.sequence) }
      let lane = runs[0].lane!
      let isFirst = lane.remove(runs[place])
      #expect(isFirst == (place == 0))
      #expect(lane.runs.map(\.id) == runs.map(\.id).filter { $0 != runs[place].id })
      #expect(lane.last === (place == 3 ? runs[2] : runs[3]))
      #expect(runs[place].lane == nil && runs[place].next == nil && runs[place].previous == nil)
      withExtendedLifetime(runs) {}
    }
  }
}
