/// Makes a failing sequence of choices smaller while it still fails.
///
/// This changes the numbers, and not what the run makes of them, as MacIver's Hypothesis does.
extension Shrinker<Choice, [Int]> {
  /// - Parameter fails: Runs the numbers. Returns the choices of the run if it fails in the same way.
  init(choices failing: [Choice], attempts: Int = 2_000, fails: @escaping ([Int]) -> [Choice]?) {
    self.init(
      failing, attempts: attempts, key: { Self.key($0.map(\.value)) }, isSmaller: { $0.isSmaller(than: $1) },
      fails: { fails($0.map(\.value)) })
  }

  /// Shrinks until no step makes the sequence smaller, or until the attempts are used up.
  mutating func run() { run([{ $0.removeBlocks() }, { $0.lowerCounts() }, { $0.zeroBlocks() }, { $0.lowerValues() }]) }

  /// The numbers without the zeros at their end, which make no difference.
  private static func key(_ numbers: [Int]) -> [Int] {
    Array(numbers.prefix((numbers.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  // MARK: Steps, in their order

  /// Treats each of the largest numbers as a count of repetitions: lowers it, and deletes as many choices behind it, or a multiple of that.
  private mutating func lowerCounts() {
    for index in best.indices.sorted(by: { best[$0].value > best[$1].value }).prefix(10) {
      limitPatience(to: fullPatience / 2)
      guard index < best.count else { return }
      var amount = min(best[index].value, best.count)
      while amount > 0, mayAttempt {
        var start = index + 1
        while mayAttempt, start + amount <= best.count, best[index].value >= amount {
          let hasShrunk = (1...3).contains { width in
            guard start + amount * width <= best.count, best[index].value >= amount else { return false }
            var candidate = best
            candidate[index].value -= amount
            candidate.removeSubrange(start..<start + amount * width)
            return attempt(candidate)
          }
          if !hasShrunk { start += amount }
        }
        amount /= 2
      }
    }
  }

  /// Replaces blocks by the first options.
  private mutating func zeroBlocks() { eachBlock { choices, block in for index in block { choices[index].value = 0 } } }

  /// Finds for each number the lowest one that fails.
  private mutating func lowerValues() {
    var index = 0
    while index < best.count, mayAttempt {
      var (low, high) = (0, best[index].value)
      while low < high, mayAttempt {
        let middle = (low + high) / 2
        var candidate = best
        candidate[index].value = middle
        if !attempt(candidate) { low = middle + 1 }
        if index >= best.count { return }
        high = min(high, best[index].value)
      }
      index += 1
    }
  }
}
