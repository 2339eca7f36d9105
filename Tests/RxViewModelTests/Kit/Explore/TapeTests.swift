import Testing

@testable import RxViewModelTesting

// contract 4.6
struct TapeTests {
  // An order of the user's may be longer than a run that has failed. Other scripts may not.
  @Test(arguments: [false, true]) func fewerChoicesAreAFault(hasFailed: Bool) {
    for (script, isFault) in [
      (.choices([Choice(value: 1, options: 2)]), true), (.numbers([1]), !hasFailed), (.attempt([1]), false),
    ] as [(Tape.Script, Bool)] {
      var tape = Tape(script)
      tape.end(hasFailed: hasFailed)
      #expect((tape.fault != nil) == isFault)
    }
  }

  @Test func anAttemptIsMadeToFit() {
    var tape = Tape(.attempt([5, 1]))
    #expect([3, 2, 2].map { tape.choose(among: $0) } == [2, 1, 0])
  }

  @Test func anOrderIsWrittenAndReadAsText() {
    for (numbers, text) in [
      ([], ""), ([0], "0"), ([0, 1, 0], "0-1-0"), ([12, 0, 0, 0, 0, 3], "12-0-0-0-0-3"),
      ([1] + Array(repeating: 0, count: 47), "1-0x47"),
    ] as [([Int], String)] {
      #expect(OrderText.text(of: numbers) == text)
      #expect(OrderText.numbers(of: text) == numbers)
    }
    #expect(OrderText.numbers(of: "0x2-1") == [0, 0, 1])
    for text in ["a", "-", "1-", "1--2", "-1", "+1", "1.2", "0x", "0xa", "1 2", "0x2000000", "99999999999999999999"] {
      #expect(OrderText.numbers(of: text) == nil, "\(text)")
    }
  }
}
