import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4
struct MarblesTests {
  @Test func readsEvents() {
    #expect(
      [Recorded<String>].marbles("-a-b-|")
        == [
          Recorded(.milliseconds(10), .next("a")), Recorded(.milliseconds(30), .next("b")),
          Recorded(.milliseconds(50), .completed),
        ])
    #expect(
      [Recorded<Int>].marbles("  a-b#  ", ["a": 1, "b": 2], error: TestError()) == events([0: 1, 20: 2], error: 30))
    #expect(
      [Recorded<Int>].marbles("-(a,b)-c|", ["a": 1, "b": 2, "c": 3], frame: .milliseconds(1))
        == events([1: 1, 1: 2, 7: 3], completed: 8))
    #expect([Recorded<String>].marbles("--(x|)") == events([20: "x"], completed: 20))
    #expect([Recorded<String>].marbles("---").isEmpty)
  }

  @Test func aDurationBetweenSpacesPasses() {
    #expect([Recorded<String>].marbles("a 25ms b|") == events([0: "a", 35: "b"], completed: 45))
    #expect([Recorded<String>].marbles("10ms a 1.5s (b|)") == events([10: "a", 1_520: "b"], completed: 1_520))
    #expect([Recorded<String>].marbles("  10ms  5ms -a 2m ") == events([25: "a"]))
    #expect([Recorded<String>].marbles("2m a", frame: .milliseconds(1)) == events([120_000: "a"]))
    // This is an element, because there are no spaces around it.
    #expect([Recorded<String>].marbles("-1ms") == events([10: "1ms"]))
    #expect([Recorded<Int>].marbles("1-2", ["1": 1, "2": 2]) == events([0: 1, 20: 2]))
  }

  // A test may copy a row of a diagram from the documentation.
  @Test func anElementHasAsManyCharactersAsItNeeds() {
    func read(_ drawing: String) -> [Recorded<String>] { .marbles(drawing, frame: .milliseconds(1)) }
    #expect(
      read("--10-a1-next(2)--[3,4]-|")
        == events([2: "10", 5: "a1", 8: "next(2)", 17: "[3,4]"], completed: 23))
    #expect(read("-----[1,2]-([3]|)") == events([5: "[1,2]", 11: "[3]"], completed: 11))
    #expect(read("(9,8)---1|") == events([0: "9", 0: "8", 8: "1"], completed: 9))
    #expect([Recorded<Int>].marbles("-10-|", ["10": 10]) == events([10: 10], completed: 40))
  }

  @Test func theSubscriptionIsTimeZero() {
    let drawn = [Recorded<String>].marbles("a-^-b-(c|)")
    #expect(drawn == events([-20: "a", 20: "b", 40: "c"], completed: 40))
    let scheduler = TestScheduler()
    let hot = scheduler.hotObservable(drawn)
    let recorded = hot.test(scheduler)
    scheduler.run()
    #expect(recorded.mismatch(with: .marbles("--b-(c|)")) == nil)
  }

  // The reader throws an error, which only `marbles` turns into a trap. So these tests need no process of their own.
  @Test(arguments: [
    ("(a-b)", 2, "time passes inside a bracket"),
    ("(a,(b))", 3, "a bracket opens inside a bracket"),
    ("-a)", 2, "no bracket is open"),
    ("-(a,b", 1, "the bracket is not closed"),
    ("-()", 1, "the bracket is empty"),
    ("-a,b", 2, "a comma stands outside a bracket"),
    ("-(a, b)", 4, "a space stands inside a bracket"),
    ("( 5ms a)", 1, "a space stands inside a bracket"),
    ("-a(b|)", 4, "the stream ends inside the brackets of an element"),
    ("(a(b|))", 4, "the stream ends inside the brackets of an element"),
    ("-next(1-", 1, "the element has an unmatched bracket"),
    ("-a]-", 1, "the element has an unmatched bracket"),
    ("-a|b", 3, "something follows the end"),
    ("-a|--", 3, "something follows the end"),
    ("-a| 5ms", 4, "something follows the end"),
    ("-a 10 ms b|", 3, "“10” is not a time, and only times such as 25ms have spaces around them"),
    ("a 25ms|", 2, "“25ms|” is not a time, and only times such as 25ms have spaces around them"),
    ("a b", 2, "“b” is not a time, and only times such as 25ms have spaces around them"),
    ("a^b^", 3, "a second subscription"),
    ("a--!", 3, "a ! belongs to the diagram of a subscription"),
  ])
  func aMistakeNamesItsColumn(diagram: String, column: Int, sentence: String) {
    let mistake = #expect(throws: MarbleReader.Mistake.self) {
      try MarbleReader(diagram, frame: .milliseconds(10)).events(error: MarbleError()) { $0 }
    }
    #expect(mistake?.description == "column \(column) of “\(diagram)”: \(sentence)")
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func aMistakeIsTrappedWithItsSentence() async {
      let events = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = [Recorded<String>].marbles("-a)")
      }
      #expect(standardError(of: events).contains("marbles: column 2 of “-a)”: no bracket is open"))
      let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = [Recorded<Int>].marbles("-a-b", ["a": 1])
      }
      #expect(standardError(of: values).contains("marbles: column 3 of “-a-b”: there is no value for “b”"))
      let subscription = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Observable.just(1).test(TestScheduler(), subscription: "^a!")
      }
      #expect(standardError(of: subscription).contains("marbles: column 1 of “^a!”: the diagram of a subscription has"))
    }
  #endif
}
