import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
struct ShrinkingTests {
  /// Shrinks numbers. `body` makes its choices with a tape and returns whether it fails.
  private func shrunk(_ numbers: [Int], _ body: (inout Tape) -> Bool) -> [Int] {
    withoutActuallyEscaping(body) { body in
      func choices(_ numbers: [Int]) -> [Choice]? {
        var tape = Tape(.attempt(numbers))
        return body(&tape) ? tape.choices : nil
      }
      var shrinker = Shrinker(choices: choices(numbers)!) { choices($0) }
      shrinker.run()
      return shrinker.best.map(\.value)
    }
  }

  @Test func aNumberIsLowered() {
    #expect(shrunk([77]) { $0.choose(among: 100) >= 13 } == [13])
  }

  @Test func irrelevantChoicesBecomeZero() {
    let body: (inout Tape) -> Bool = { tape in
      let numbers = (0..<20).map { _ in tape.choose(among: 5) }
      return numbers[3] >= 2 && numbers[17] >= 1
    }
    var expected = Array(repeating: 0, count: 20)
    (expected[3], expected[17]) = (2, 1)
    #expect(shrunk(Array(repeating: 4, count: 20), body) == expected)
  }

  @Test func unneededChoicesAreDeleted() {
    // The body makes choices until one of them is zero.
    let body: (inout Tape) -> Bool = { tape in
      var numbers: [Int] = []
      while numbers.count < 1_000 {
        let number = tape.choose(among: 10)
        if number == 0 { break }
        numbers.append(number)
      }
      return numbers.contains(7) && numbers.last == 3
    }
    let long = Array(repeating: 5, count: 300) + [7] + Array(repeating: 4, count: 150) + [3]
    #expect(shrunk(long, body) == [7, 3, 0])
  }

  @Test(arguments: 1...3) func aCountIsLoweredWithTheChoicesThatItCounts(width: Int) {
    let body: (inout Tape) -> Bool = { tape in
      let steps = (0..<tape.choose(among: 501)).map { _ in (0..<width).map { _ in tape.choose(among: 6) } }
      return steps.contains { $0[0] == 3 } && (steps.last.map { $0[0] == 5 } ?? false)
    }
    var random = SplitMix64(seed: 1)
    var numbers = [500] + (0..<500 * width).map { _ in Int.random(in: 0..<6, using: &random) }
    numbers[numbers.count - width] = 5
    let zeros = Array(repeating: 0, count: width - 1)
    #expect(shrunk(numbers, body) == [2, 3] + zeros + [5] + zeros)
  }

  @Test func smallerIsShorterThenFewerDeparturesThenLower() {
    func isSmaller(_ left: [Int], _ right: [Int]) -> Bool {
      left.map { Choice(value: $0, options: 9) }.isSmaller(than: right.map { Choice(value: $0, options: 9) })
    }
    #expect(isSmaller([8, 8], [0, 0, 0]) && isSmaller([8, 0], [1, 1]) && isSmaller([0, 8], [8, 0]))
    #expect(!isSmaller([1, 2], [1, 2]) && !isSmaller([2, 1], [1, 8]))
  }
}
