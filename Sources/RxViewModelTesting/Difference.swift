/// The difference between two lists: one list of the shared, removed and added elements.
///
/// O(n), because the search has a budget. When the budget is used up, the remaining elements count as removed and added. So a failing test
/// with a million reordered events does not take long.
struct Difference {
  enum Line: Equatable {
    /// An element of both lists, by its place in the new list.
    case same(Int)
    /// An element of the old list.
    case removed(Int)
    /// An element of the new list.
    case added(Int)
  }

  private(set) var lines: [Line] = []
  private(set) var removals = 0
  private(set) var insertions = 0

  /// The number of removals and insertions that the search for a short path looks ahead.
  private static let reach = 500

  init(from old: Int, to new: Int, _ areEqual: (Int, Int) -> Bool) {
    var (x, y, end) = (0, 0, 0)
    while end < min(old, new), areEqual(old - 1 - end, new - 1 - end) { end += 1 }
    // A step over equal elements costs 1, and any other step costs 20. So the search finds all differences of a long
    // list that are far apart.
    var budget = 2_000_000 + old + new
    while x < old - end || y < new - end {
      if x < old - end, y < new - end, areEqual(x, y) {
        lines.append(.same(y))
        (x, y) = (x + 1, y + 1)
      } else if budget > 0, x < old - end, y < new - end {
        let area = Area(x: x, y: y, endX: old - end, endY: new - end)
        let steps = area.steps(reach: Self.reach, &budget, areEqual)
        if steps.isEmpty { budget = 0 }
        for step in steps { append(step, &x, &y) }
      } else {
        while x < old - end { append(.removed(x), &x, &y) }
        while y < new - end { append(.added(y), &x, &y) }
      }
    }
    for _ in 0..<end { append(.same(y), &x, &y) }
  }

  private mutating func append(_ line: Line, _ x: inout Int, _ y: inout Int) {
    switch line {
    case .same: (x, y) = (x + 1, y + 1)
    case .removed: (x, removals) = (x + 1, removals + 1)
    case .added: (y, insertions) = (y + 1, insertions + 1)
    }
    lines.append(line)
  }
}

/// The remaining part of the two lists, and Myers' search for a short path through it.
private struct Area {
  let x: Int
  let y: Int
  let endX: Int
  let endY: Int

  /// Finds a short path to the end of the area. If that takes more than `reach` removals and insertions, returns the path to the farthest
  /// point that the search has reached. O(reach²), and O(1) for each equal element.
  func steps(reach: Int, _ budget: inout Int, _ areEqual: (Int, Int) -> Bool) -> [Difference.Line] {
    // `farthest` contains the farthest x of each diagonal. A diagonal is the x beyond the start minus the y beyond it. `history` contains
    // the values of `farthest` before each round.
    var farthest = [Int](repeating: x, count: 2 * reach + 3)
    var history: [[Int]] = []
    let origin = reach + 1
    for edits in 0...reach {
      history.append(Array(farthest[origin - edits - 1...origin + edits + 1]))
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let place = origin + diagonal
        let isDown = diagonal == -edits || diagonal != edits && farthest[place - 1] < farthest[place + 1]
        var column = edits == 0 ? x : isDown ? farthest[place + 1] : farthest[place - 1] + 1
        var row = y + (column - x) - diagonal
        while column < endX, row < endY, areEqual(column, row) {
          (column, row) = (column + 1, row + 1)
          budget -= 1
        }
        budget -= 20
        farthest[place] = column
        if column >= endX, row >= endY { return way(to: column, diagonal, after: edits, history) }
      }
      if edits == reach || budget <= 0 {
        let best = stride(from: -edits, through: edits, by: 2)
          .filter { farthest[origin + $0] <= endX && y + farthest[origin + $0] - x - $0 <= endY }
          .max { 2 * farthest[origin + $0] - $0 < 2 * farthest[origin + $1] - $1 }
        guard let best else { return [] }
        return way(to: farthest[origin + best], best, after: edits, history)
      }
    }
    return []
  }

  private func way(
    to column: Int, _ diagonal: Int, after edits: Int, _ history: [[Int]]
  ) -> [Difference.Line] {
    var (column, diagonal) = (column, diagonal)
    var lines: [Difference.Line] = []
    for edits in stride(from: edits, through: 0, by: -1) {
      let (before, origin) = (history[edits], edits + 1)
      let isDown =
        diagonal == -edits || diagonal != edits && before[origin + diagonal - 1] < before[origin + diagonal + 1]
      let start = edits == 0 ? x : isDown ? before[origin + diagonal + 1] : before[origin + diagonal - 1] + 1
      while column > start {
        column -= 1
        lines.append(.same(y + column - x - diagonal))
      }
      if edits == 0 { break }
      let row = y + column - x - diagonal
      if isDown {
        lines.append(.added(row - 1))
        diagonal += 1
      } else {
        column -= 1
        lines.append(.removed(column))
        diagonal -= 1
      }
    }
    return lines.reversed()
  }
}
