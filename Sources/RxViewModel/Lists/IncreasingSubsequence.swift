/// Finds a longest increasing subsequence by patience sorting (M. L. Fredman, *On computing the length of longest
/// increasing subsequences*, 1975).
///
/// Its elements stay in place, and all others move, so the number of moves is minimal. O(n) plus O(m log n) for the m elements that are out
/// of order. The storage is reused from call to call.
struct IncreasingSubsequence {
  /// At index k, the least element that ends an increasing subsequence of k + 1 elements.
  private var tails: [Int] = []
  /// For each element, its predecessor in the longest subsequence that ends with it, or -1.
  private var predecessors: [Int] = []

  /// Marks as few as possible of the kept origins in `range` as moved, so that the positions of the remaining ones increase. Returns the
  /// number of marked origins.
  mutating func markMoves(in range: Range<Int>, of origins: inout [Origin]) -> Int {
    if isIncreasing(range, origins) { return 0 }
    if predecessors.isEmpty {
      predecessors = [Int](repeating: -1, count: origins.count)
      tails.reserveCapacity(origins.count)
    }
    tails.removeAll(keepingCapacity: true)
    // Compares positions together with the bit for updated contents below them. The positions are distinct, so the bit does not change the
    // order.
    for element in range where origins[element].isKept {
      let bits = origins[element].bits
      if let last = tails.last, bits < origins[last].bits {
        var (low, high) = (0, tails.count - 1)
        while low < high {
          let middle = (low + high) / 2
          if origins[tails[middle]].bits < bits { low = middle + 1 } else { high = middle }
        }
        predecessors[element] = low == 0 ? -1 : tails[low - 1]
        tails[low] = element
      } else {
        predecessors[element] = tails.last ?? -1
        tails.append(element)
      }
    }
    var (moved, kept) = (0, tails.last ?? -1)
    for element in range.reversed() where origins[element].isKept {
      if element == kept {
        kept = predecessors[element]
      } else {
        origins[element].markMoved()
        moved += 1
      }
    }
    return moved
  }

  private func isIncreasing(_ range: Range<Int>, _ origins: [Origin]) -> Bool {
    var last = -1
    for element in range where origins[element].isKept {
      if origins[element].bits < last { return false }
      last = origins[element].bits
    }
    return true
  }
}
