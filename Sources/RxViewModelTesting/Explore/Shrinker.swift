/// Makes a failing list smaller while it still fails in the same way: the choices of `explore`, the entries of a recording.
///
/// `fails` decides what the same failure is. It runs a candidate, and returns the list that the run has used, or nil if the candidate does
/// not fail in this way. The shrinker knows nothing else about a failure. It runs each candidate once, and as many candidates as `attempts`
/// says.
///
///     var shrinker = Shrinker(entries, key: { $0.map(\.number) }) { isSameFailure($0) ? $0 : nil }
///     shrinker.run([
///       { $0.removeGroups { entry in entry.action } },      // whole actions with their entries
///       { $0.removeGroups { entry in entry.isMark } },      // further groups
///       { $0.removeBlocks() },                              // single entries
///     ])
///     let smallest = shrinker.best
///
/// **Steps.** `run` takes the steps in their order, again and again, until none of them makes the list smaller. A step makes its candidates
/// from ``best``, and passes each to ``attempt(_:)``. A step may also change entries instead of removing them, if `isSmaller` compares more
/// than the lengths.
package struct Shrinker<Entry, Key: Hashable> {
  /// The smallest list that has failed.
  package private(set) var best: [Entry]
  private var attemptsLeft: Int
  private var improvements = 0
  /// The number of attempts that may fail in a row before the current step ends, so that each step gets its turn.
  private var patience: Int
  let fullPatience: Int
  /// The keys of the lists that have been tried.
  private var tried: Set<Key> = []
  private let key: ([Entry]) -> Key
  private let isSmaller: ([Entry], [Entry]) -> Bool
  private let fails: ([Entry]) -> [Entry]?

  /// - Parameters:
  ///   - failing: The list that has failed.
  ///   - attempts: The most candidates that are run.
  ///   - patience: The number of attempts that may fail in a row before a step ends.
  ///   - key: Two lists with the same key have the same run, so only one of them is run.
  ///   - isSmaller: Whether the first list is smaller. By default it is if it is shorter.
  ///   - fails: Runs a candidate. Returns the list that the run has used if it fails in the same way.
  package init(
    _ failing: [Entry], attempts: Int = 2_000, patience: Int = 200, key: @escaping ([Entry]) -> Key,
    isSmaller: @escaping ([Entry], [Entry]) -> Bool = { $0.count < $1.count }, fails: @escaping ([Entry]) -> [Entry]?
  ) {
    (best, attemptsLeft, self.patience, fullPatience) = (failing, attempts, patience, patience)
    (self.key, self.isSmaller, self.fails) = (key, isSmaller, fails)
    tried = [key(failing)]
  }

  /// Takes the steps until none of them makes the list smaller, or until the attempts are used up.
  package mutating func run(_ steps: [(inout Shrinker) -> Void]) {
    var hasProgress: Bool
    repeat {
      hasProgress = false
      for step in steps {
        let before = improvements
        patience = fullPatience
        step(&self)
        // A step whose patience has ended has left candidates untried.
        if improvements != before || patience == 0 { hasProgress = true }
      }
    } while attemptsLeft > 0 && hasProgress
  }

  /// Whether the current step may run another candidate.
  package var mayAttempt: Bool { attemptsLeft > 0 && patience > 0 }

  /// Gives a part of a step its own number of attempts that may fail in a row.
  package mutating func limitPatience(to count: Int) { patience = count }

  /// Runs a candidate. Returns whether it fails in the same way and is smaller than the best list: it is the best list then.
  package mutating func attempt(_ candidate: [Entry]) -> Bool {
    guard mayAttempt, tried.insert(key(candidate)).inserted else { return false }
    attemptsLeft -= 1
    guard let used = fails(candidate), isSmaller(used, best) else {
      patience -= 1
      return false
    }
    (best, patience, improvements) = (used, fullPatience, improvements + 1)
    tried.insert(key(used))
    return true
  }

  // MARK: Steps

  /// Removes whole groups, all entries with the same key together: halves of the groups first, single groups last, and those with the last
  /// entries before the others. Entries with nil belong to no group.
  package mutating func removeGroups<Group: Hashable>(_ group: (Entry) -> Group?) {
    var groups: [Group] = []
    var seen: Set<Group> = []
    for key in best.reversed().compactMap(group) where seen.insert(key).inserted { groups.append(key) }
    groups.reverse()
    let count = { (_: Shrinker) in groups.count }
    eachBlock(of: count) { shrinker, block in
      let removed = Set(groups[block])
      let isKept = { (entry: Entry) in group(entry).map { !removed.contains($0) } ?? true }
      if shrinker.attempt(shrinker.best.filter(isKept)) { groups.removeSubrange(block) }
    }
  }

  /// Removes blocks of entries, from the end to the beginning: halves first, single entries last.
  package mutating func removeBlocks() { eachBlock { $0.removeSubrange($1) } }

  /// Tries a change on blocks from the end to the beginning: on halves first, on single entries last.
  package mutating func eachBlock(_ change: (inout [Entry], Range<Int>) -> Void) {
    eachBlock(of: \.best.count) { shrinker, block in
      var candidate = shrinker.best
      change(&candidate, block)
      _ = shrinker.attempt(candidate)
    }
  }

  private mutating func eachBlock(of count: (Shrinker) -> Int, _ change: (inout Shrinker, Range<Int>) -> Void) {
    var size = max(count(self) / 2, 1)
    while size > 0 {
      var end = count(self)
      while end > 0, mayAttempt {
        let block = max(end - size, 0)..<end
        change(&self, block)
        end = min(block.lowerBound, count(self))
      }
      size /= 2
    }
  }
}
