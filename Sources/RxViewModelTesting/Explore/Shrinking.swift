/// Makes a failing sequence of choices smaller while it still fails.
///
/// A sequence is smaller than another one if it is shorter, or has fewer departures, or comes first in the order of its numbers. This
/// changes the numbers, and not what the run makes of them, as MacIver's Hypothesis does.
struct Shrinking {
  /// The smallest sequence that has failed.
  private(set) var best: [Choice]
  private var attemptsLeft: Int
  /// The number of attempts that may fail in a row before the current step ends, so that each step gets its turn.
  private var patience = Self.fullPatience
  private static let fullPatience = 200
  /// The sequences that have been tried, without the zeros at their end.
  private var tried: Set<[Int]> = []
  /// Runs the numbers. Returns the choices of the run if it fails in the same way.
  private let fails: ([Int]) -> [Choice]?

  init(_ failing: [Choice], attempts: Int = 2_000, fails: @escaping ([Int]) -> [Choice]?) {
    (best, attemptsLeft, self.fails) = (failing, attempts, fails)
    tried = [Self.key(failing.map(\.value))]
  }

  /// Shrinks until no step makes the sequence smaller, or until the attempts are used up.
  mutating func run() {
    var before: [Choice]
    var hasLeftSomething = false
    repeat {
      (before, hasLeftSomething) = (best, false)
      for step in Step.allCases {
        patience = Self.fullPatience
        take(step)
        if patience == 0 { hasLeftSomething = true }
      }
    } while attemptsLeft > 0 && (best != before || hasLeftSomething)
  }

  private enum Step: CaseIterable {
    case cutTail, deleteBlocks, lowerCounts, zeroBlocks, lowerValues
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .cutTail: cutTail()
    case .deleteBlocks: eachBlock { numbers, block in numbers.removeSubrange(block) }
    case .lowerCounts: lowerCounts()
    case .zeroBlocks:
      eachBlock { numbers, block in numbers.replaceSubrange(block, with: repeatElement(0, count: block.count)) }
    case .lowerValues: lowerValues()
    }
  }

  private var isWorthAnAttempt: Bool { attemptsLeft > 0 && patience > 0 }

  private var numbers: [Int] { best.map(\.value) }

  /// Whether the numbers fail in the same way, and are smaller than the best ones: they are the best ones then.
  private mutating func attempt(_ candidate: [Int]) -> Bool {
    guard isWorthAnAttempt, tried.insert(Self.key(candidate)).inserted else { return false }
    attemptsLeft -= 1
    guard let choices = fails(candidate), Self.isSmaller(choices, best) else {
      patience -= 1
      return false
    }
    patience = Self.fullPatience
    best = choices
    tried.insert(Self.key(numbers))
    return true
  }

  /// The numbers without the zeros at their end, which make no difference.
  private static func key(_ numbers: [Int]) -> [Int] {
    Array(numbers.prefix((numbers.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  static func isSmaller(_ left: [Choice], _ right: [Choice]) -> Bool {
    if left.count != right.count { return left.count < right.count }
    let (departures, others) = (left.count(where: \.isDeparture), right.count(where: \.isDeparture))
    if departures != others { return departures < others }
    return left.lazy.map(\.value).lexicographicallyPrecedes(right.lazy.map(\.value))
  }

  // MARK: Steps

  /// Finds the shortest beginning that fails with zeros behind it.
  private mutating func cutTail() {
    var (low, high) = (0, best.count)
    while low < high, isWorthAnAttempt {
      let middle = (low + high) / 2
      if attempt(Array(numbers.prefix(middle))) {
        high = min(middle, best.count)
      } else {
        low = middle + 1
      }
    }
  }

  /// Tries a change on blocks from the end to the beginning: on halves first, on single numbers last.
  private mutating func eachBlock(_ change: (inout [Int], Range<Int>) -> Void) {
    var size = max(best.count / 2, 1)
    while size > 0 {
      var end = best.count
      while end > 0, isWorthAnAttempt {
        let block = max(end - size, 0)..<end
        var candidate = numbers
        change(&candidate, block)
        _ = attempt(candidate)
        end = min(block.lowerBound, best.count)
      }
      size /= 2
    }
  }

  /// Takes each of the largest numbers for a count of repetitions: lowers it, and deletes as many choices behind it, or a multiple of that.
  private mutating func lowerCounts() {
    let mostCounts = 10
    for index in best.indices.sorted(by: { best[$0].value > best[$1].value }).prefix(mostCounts) {
      patience = Self.fullPatience / 2
      guard index < best.count else { return }
      var amount = best[index].value
      while amount > 0, isWorthAnAttempt {
        lowerCount(at: index, by: amount)
        amount /= 2
      }
    }
  }

  private mutating func lowerCount(at index: Int, by amount: Int) {
    let widest = 3
    var start = index + 1
    while isWorthAnAttempt, canLower(index, by: amount, deletingFrom: start) {
      let hasShrunk = (1...widest).contains { width in
        guard canLower(index, by: amount, deletingFrom: start, width) else { return false }
        var candidate = numbers
        candidate[index] -= amount
        candidate.removeSubrange(start..<start + amount * width)
        return attempt(candidate)
      }
      if !hasShrunk { start += amount }
    }
  }

  private func canLower(_ index: Int, by amount: Int, deletingFrom start: Int, _ width: Int = 1) -> Bool {
    start < best.count && best[index].value >= amount && amount <= (best.count - start) / width
  }

  /// Finds for each number the lowest one that fails.
  private mutating func lowerValues() {
    var index = 0
    while index < best.count, isWorthAnAttempt {
      var (low, high) = (0, best[index].value)
      while low < high, isWorthAnAttempt {
        let middle = (low + high) / 2
        var candidate = numbers
        candidate[index] = middle
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
