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
    let modes: [ExecutionMode] = [.sequence, .switchLatest, .dropWhileBusy, .parallelDeferred, .parallel(limit: 1)]
    for mode in modes { _ = hand.started(mode) }
    // All limits share one.
    _ = hand.waiting(.parallel(limit: 1))
    _ = hand.waiting(.parallel(limit: 9))
  }

  @Test func anActionStartsWhenNoneBeforeItWaitsAndFewerThanItsLimitAreUnfinished() {
    let hand = HandDriven()
    let (single, five) = (ExecutionMode.sequence("x"), ExecutionMode.parallel("x", limit: 5))
    let two = ExecutionMode.parallel("x", limit: 2)
    let first = hand.started(single)
    let second = hand.started(five)
    let third = hand.started(.dropWhileBusy("y"))
    let fourth = hand.waiting(two)
    let fifth = hand.waiting(five)
    // One in the middle that ends lets two start, one after the other, before it stops counting as loading.
    hand.machine.end(second, .failed(TestError(), mapperError: nil))
    #expect(hand.end() === second)
    #expect(hand.begin() === fourth)
    #expect(hand.begin() === fifth)
    #expect(hand.stopLoading() === second)
    #expect(hand.next() == .finishTurn)
    #expect(first.lane?.ahead == 3 && third.lane !== first.lane)
  }

  @Test func theEndOfAWaitingActionLetsTheOneBehindItStart() {
    let hand = HandDriven()
    _ = hand.started(.sequence("x"))
    let waiting = hand.waiting(.sequence("x"))
    let (behind, last) = (hand.waiting(.parallel("x", limit: 2)), hand.waiting(.parallel("x", limit: 2)))
    hand.machine.end(waiting, .cancelled)
    #expect(hand.end() === waiting)
    #expect(hand.begin() === behind)
    #expect(hand.next() == .finishTurn)
    hand.machine.end(last, .cancelled)
    #expect(hand.end() === last)
    #expect(hand.next() == .finishTurn)
  }

  // contract 2.9
  @Test func theEndsThatAreYetToComeDecideWhetherAnActionWaitsForItsTurnOnly() {
    let hand = HandDriven()
    let runs = (0..<3).map { _ in hand.started(.parallel("x", limit: 3)) }
    _ = hand.waiting(.parallel("x", limit: 2))
    hand.machine.end(runs[1], .cancelled)
    #expect({ !hand.machine.keepsAlive }())
    hand.machine.end(runs[2], .cancelled)
    #expect({ hand.machine.keepsAlive }())
  }

  @Test func actionsBehindAQuietTimeStartBesideTheOneThatHasWaited() {
    let hand = HandDriven()
    let quiet = hand.waiting(.switchLatest("x", after: .seconds(1)))
    let (beside, behind) = (hand.waiting(.parallel("x", limit: 2)), hand.waiting(.parallel("x", limit: 2)))
    #expect(hand.next() == .finishTurn)
    hand.machine.quietTimeIsOver(for: quiet)
    #expect(hand.begin() === quiet)
    #expect(hand.begin() === beside)
    #expect(hand.next() == .finishTurn)
    hand.machine.end(beside, .completed)
    #expect(hand.end() === beside)
    #expect(hand.begin() === behind)
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
      lane.remove(runs[place])
      #expect(lane.runs.map(\.id) == runs.map(\.id).filter { $0 != runs[place].id })
      #expect(lane.last === (place == 3 ? runs[2] : runs[3]))
      #expect(runs[place].lane == nil && runs[place].next == nil && runs[place].previous == nil)
      withExtendedLifetime(runs) {}
    }
  }
}
