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
  mutating func run() {
    run([{ $0.cutTail() }, { $0.removeBlocks() }, { $0.lowerCounts() }, { $0.zeroBlocks() }, { $0.lowerValues() }])
  }

  /// The numbers without the zeros at their end, which make no difference.
  private static func key(_ numbers: [Int]) -> [Int] {
    Array(numbers.prefix((numbers.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  // MARK: Steps, in their order

  /// Finds the shortest beginning that fails with zeros behind it.
  private mutating func cutTail() {
    var (low, high) = (0, best.count)
    while low < high, mayAttempt {
      let middle = (low + high) / 2
      if attempt(Array(best.prefix(middle))) {
        high = min(middle, best.count)
      } else {
        low = middle + 1
      }
    }
  }

  /// Treats each of the largest numbers as a count of repetitions: lowers it, and deletes as many choices behind it, or a multiple of that.
  private mutating func lowerCounts() {
    let mostCounts = 10
    for index in best.indices.sorted(by: { best[$0].value > best[$1].value }).prefix(mostCounts) {
      limitPatience(to: fullPatience / 2)
      guard index < best.count else { return }
      var amount = min(best[index].value, best.count)
      while amount > 0, mayAttempt {
        lowerCount(at: index, by: amount)
        amount /= 2
      }
    }
  }

  private mutating func lowerCount(at index: Int, by amount: Int) {
    let widest = 3
    var start = index + 1
    while mayAttempt, start + amount <= best.count, best[index].value >= amount {
      let hasShrunk = (1...widest).contains { width in
        let end = start + amount * width
        guard end <= best.count, best[index].value >= amount else { return false }
        var candidate = best
        candidate[index].value -= amount
        candidate.removeSubrange(start..<end)
        return attempt(candidate)
      }
      if !hasShrunk { start += amount }
    }
  }

  /// Replaces blocks by the first options.
  private mutating func zeroBlocks() {
    eachBlock { choices, block in
      for index in block { choices[index].value = 0 }
    }
  }

  /// Finds for each number the lowest one that fails.
  private mutating func lowerValues() {
    var index = 0
    while index < best.count, mayAttempt {
      var (low, high) = (0, best[index].value)
      while low < high, mayAttempt {
        let middle = (low + high) / 2
        var candidate = best
        candidate[index].value = middle
        if attempt(candidate), index < best.count {
          high = min(middle, best[index].value)
        } else {
          low = middle + 1
        }
        if index >= best.count { break }
      }
      index += 1
    }
  }
}
