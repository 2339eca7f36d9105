import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The text of a failure shows the difference between the recorded and the expected events.
struct MismatchTests {
  private func mismatch(_ actual: [Recorded<Int>], _ expected: [Recorded<Int>]) -> String? {
    let scheduler = TestScheduler()
    let observer = scheduler.coldObservable(actual).test(scheduler)
    scheduler.run()
    return observer.mismatch(with: expected)
  }

  @Test(
    arguments: [
      (
        events([10: 1]), events([10: 1], completed: 20),
        """
        1 event missing:
          0.01 seconds: 1
        - 0.02 seconds: completed
        """
      ),
      (
        events([10: 1, 15: 2, 17: 3], completed: 20), events([10: 1], completed: 20),
        """
        2 events too many:
          0.01 seconds: 1
        + 0.015 seconds: 2
        + 0.017 seconds: 3
          0.02 seconds: completed
        """
      ),
      (
        events([10: 2, 10: 1]), events([10: 1, 10: 2]),
        """
        The right events, in the wrong order:
        - 0.01 seconds: 1
          0.01 seconds: 2
        + 0.01 seconds: 1
        """
      ),
      (
        events([10: 1, 25: 2]), events([10: 1, 20: 2]),
        """
        The right events, at the wrong times:
          0.01 seconds: 1
        - 0.02 seconds: 2
        + 0.025 seconds: 2
        """
      ),
      (
        events([10: 1], error: 20), events([10: 1], completed: 20),
        """
        Not the expected events:
          0.01 seconds: 1
        - 0.02 seconds: completed
        + 0.02 seconds: error test error
        """
      ),
    ] as [([Recorded<Int>], [Recorded<Int>], String)])
  func theFirstLineNamesTheKindOfDifference(actual: [Recorded<Int>], expected: [Recorded<Int>], text: String) {
    #expect(mismatch(actual, expected) == text)
  }

  // The time is proportional to the number of events, however they differ.
  @Test(.stress) func manyReversedEventsAreComparedInLinearTime() throws {
    expectGrowth(from: 4_000, below: 8) { count in
      let observer = TestObserver<Int>()
      for number in (0..<count).reversed() { observer.onNext(number) }
      let expected = (0..<count).map { Recorded(.zero, Event.next($0)) }
      let text = observer.mismatch(with: expected)
      if text?.hasPrefix("The right events, in the wrong order:") != true { Issue.record("\(text ?? "no text")") }
    }
  }

  @Test func aLongListIsReducedToItsDifferences() {
    let expected = (0..<1_000).map { Recorded(.milliseconds($0), Event.next($0)) }
    var actual = expected
    actual.remove(at: 700)
    actual[300] = Recorded(.milliseconds(300), .next(-1))
    #expect(
      mismatch(actual, expected) == """
        Not the expected events:
          … 297 more in both …
          0.297 seconds: 297
          0.298 seconds: 298
          0.299 seconds: 299
        - 0.3 seconds: 300
        + 0.3 seconds: -1
          0.301 seconds: 301
          0.302 seconds: 302
          0.303 seconds: 303
          … 393 more in both …
          0.697 seconds: 697
          0.698 seconds: 698
          0.699 seconds: 699
        - 0.7 seconds: 700
          0.701 seconds: 701
          0.702 seconds: 702
          0.703 seconds: 703
          … 296 more in both …
        """)
    let text = mismatch([], expected)?.split(separator: "\n") ?? []
    #expect(text.count == 102)
    #expect(text.first == "1000 events missing:")
    #expect(text.last == "… and 900 more lines")
  }

  // The difference in the text turns one list into the other, whatever the lists are.
  @Test func theDifferenceLeadsFromOneListToTheOther() {
    var random = SplitMix64(seed: 3)
    for round in 0..<400 {
      let size = round % 20
      let lists = (0..<2).map { _ in (0..<size).map { _ in Int.random(in: 0..<4, using: &random) } }
      let expected = lists[0].map { Recorded(.zero, Event.next($0)) }
      let actual = lists[1].prefix(Int.random(in: 0...size, using: &random)).map { Recorded(.zero, Event.next($0)) }
      guard let text = mismatch(actual, expected) else {
        #expect(actual == expected)
        continue
      }
      let lines = text.split(separator: "\n").dropFirst()
      let left = lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst(2)) }
      let right = lines.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst(2)) }
      #expect(left == expected.map(\.description))
      #expect(right == actual.map(\.description))
      // The text has no more changes than the difference of the standard library.
      let changes = lines.count { !$0.hasPrefix(" ") }
      #expect(changes == actual.difference(from: expected).count)
    }
  }
}
