import Testing

@testable import RxViewModelTesting

// contract 4.6
@Suite struct TapeTests {
  private func choices(_ pairs: (Int, Int)...) -> [Choice] { pairs.map { Choice(value: $0.0, options: $0.1) } }

  @Test func aTapeFollowsADepartureAndThenTakesTheFirstOptions() {
    var tape = Tape(.choices(choices((1, 2), (2, 3))))
    #expect([2, 3, 4].map { tape.choose(among: $0) } == [1, 2, 0])
    tape.end(hasFailed: false)
    #expect(tape.choices == choices((1, 2), (2, 3), (0, 4)))
    #expect(tape.fault == nil)
  }

  @Test func anotherNumberOfOptionsIsAFault() {
    var tape = Tape(.choices(choices((0, 2), (1, 3))))
    #expect([2, 2, 9].map { tape.choose(among: $0) } == [0, 0, 0])
    tape.end(hasFailed: false)
    #expect(tape.fault == .otherOptions(at: 1, before: 3, now: 2))
  }

  @Test func fewerChoicesAreAFault() {
    for hasFailed in [false, true] {
      var tape = Tape(.choices(choices((0, 2), (1, 3))))
      _ = tape.choose(among: 2)
      tape.end(hasFailed: hasFailed)
      #expect(tape.fault == .fewerChoices(expected: 2, made: 1))
    }
  }

  @Test func aReplayedOrderHasToFit() {
    var short = Tape(.numbers([1]))
    #expect([2, 2].map { short.choose(among: $0) } == [1, 0])
    short.end(hasFailed: false)
    #expect(short.fault == nil)
    var wrong = Tape(.numbers([0, 2]))
    #expect([2, 2].map { wrong.choose(among: $0) } == [0, 0])
    #expect(wrong.fault == .notAnOption(at: 1, value: 2, options: 2))
    for (hasFailed, fault) in [(false, Tape.Fault.fewerChoices(expected: 2, made: 0)), (true, nil)] {
      var long = Tape(.numbers([0, 2]))
      long.end(hasFailed: hasFailed)
      #expect(long.fault == fault)
    }
  }

  @Test func anAttemptIsMadeToFit() {
    var tape = Tape(.attempt([5, 1]))
    #expect([3, 2, 2].map { tape.choose(among: $0) } == [2, 1, 0])
    tape.end(hasFailed: false)
    #expect(tape.fault == nil)
  }

  @Test func aSampleIsTheSameForItsSeed() {
    func sample(_ seed: UInt64, oneIn rate: UInt64) -> [Int] {
      var tape = Tape(.sample(RxViewModelTesting.SplitMix64(seed: seed), oneIn: rate))
      return (0..<1_000).map { _ in tape.choose(among: 10) }
    }
    #expect(sample(1, oneIn: 2) == sample(1, oneIn: 2))
    #expect(sample(1, oneIn: 2) != sample(2, oneIn: 2))
    #expect(Set(sample(1, oneIn: 1)) == Set(0..<10))
    // One choice in twenty is random, and nine of ten of these are not the first option.
    #expect((20..<80).contains(sample(3, oneIn: 20).count { $0 > 0 }))
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
