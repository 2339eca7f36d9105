import RxViewModel
import RxViewModelTesting
import Testing

/// The testing library fails well.
@Suite struct MismatchTests {
  private func mismatch(_ actual: [Recorded<Int>], _ expected: [Recorded<Int>]) -> String? {
    let scheduler = TestScheduler()
    let observer = scheduler.coldObservable(actual).test(scheduler)
    scheduler.run()
    return observer.mismatch(with: expected)
  }

  @Test func equalEventsHaveNone() {
    #expect(mismatch(events([10: 1], completed: 20), events([10: 1], completed: 20)) == nil)
    #expect(mismatch([], []) == nil)
  }

  @Test func aMissingCompletion() {
    #expect(
      mismatch(events([10: 1]), events([10: 1], completed: 20)) == """
        1 event missing:
          0.01 seconds: 1
        - 0.02 seconds: completed
        """)
  }

  @Test func eventsTooMany() {
    #expect(
      mismatch(events([10: 1, 15: 2, 17: 3], completed: 20), events([10: 1], completed: 20)) == """
        2 events too many:
          0.01 seconds: 1
        + 0.015 seconds: 2
        + 0.017 seconds: 3
          0.02 seconds: completed
        """)
  }

  @Test func anotherOrder() {
    #expect(
      mismatch(events([10: 2, 10: 1]), events([10: 1, 10: 2])) == """
        The right events in another order:
        - 0.01 seconds: 1
          0.01 seconds: 2
        + 0.01 seconds: 1
        """)
  }

  @Test func otherTimes() {
    #expect(
      mismatch(events([10: 1, 25: 2]), events([10: 1, 20: 2])) == """
        The right events at other times:
          0.01 seconds: 1
        - 0.02 seconds: 2
        + 0.025 seconds: 2
        """)
  }

  @Test func otherEvents() {
    #expect(
      mismatch(events([10: 1], error: 20), events([10: 1], completed: 20)) == """
        Other events than expected:
          0.01 seconds: 1
        - 0.02 seconds: completed
        + 0.02 seconds: error test error
        """)
  }

  // However many events there are and however they differ, the work grows no faster than their number.
  @Test func manyReversedEventsAreComparedInLinearTime() throws {
    let ratio = growth(from: 4_000, rounds: 1) { count in
      let observer = TestObserver<Int>()
      for number in (0..<count).reversed() { observer.onNext(number) }
      let expected = (0..<count).map { Recorded(.zero, Event.next($0)) }
      let text = observer.mismatch(with: expected)
      if text?.hasPrefix("The right events in another order:") != true { Issue.record("\(text ?? "no text")") }
    }
    #expect(ratio < 8)
  }
}
