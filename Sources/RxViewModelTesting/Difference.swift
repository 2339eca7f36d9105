/// The difference between two lists: one list of the shared, removed and added elements.
///
/// O(n), because it compares a limited number of windows of the lists. The elements behind these count as removed and added. So a failing
/// test with a million reordered events does not take long.
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

  /// The number of elements of each list that are compared with each other at a time.
  private static let window = 500

  init(from old: Int, to new: Int, _ areEqual: (Int, Int) -> Bool) {
    var (x, y, end) = (0, 0, 0)
    while end < min(old, new), areEqual(old - 1 - end, new - 1 - end) { end += 1 }
    let (endX, endY) = (old - end, new - end)
    var windowsLeft = 100 + (old + new) / 100
    while x < endX || y < endY {
      if x < endX, y < endY, areEqual(x, y) {
        append(.same(y), &x, &y)
        continue
      }
      let (oldPart, newPart) = (x..<min(x + Self.window, endX), y..<min(y + Self.window, endY))
      var steps = windowsLeft > 0 ? Self.lines(from: oldPart, to: newPart, areEqual) : []
      windowsLeft -= 1
      // What is behind the last shared element may be shared with the next window.
      if oldPart.upperBound < endX || newPart.upperBound < endY {
        steps = Array(steps.prefix((steps.lastIndex(where: \.isShared) ?? -1) + 1))
      }
      if steps.isEmpty { steps = (x..<endX).map { .removed($0) } + (y..<endY).map { .added($0) } }
      for step in steps { append(step, &x, &y) }
    }
    for _ in 0..<end { append(.same(y), &x, &y) }
  }

  /// The shortest difference of two short parts.
  private static func lines(from old: Range<Int>, to new: Range<Int>, _ areEqual: (Int, Int) -> Bool) -> [Line] {
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in Array(new).difference(from: Array(old), by: areEqual) {
      switch change {
      case .remove(_, let index, _): removed.insert(index)
      case .insert(_, let index, _): added.insert(index)
      }
    }
    var lines: [Line] = []
    var (x, y) = (old.lowerBound, new.lowerBound)
    while x < old.upperBound || y < new.upperBound {
      if removed.contains(x) {
        lines.append(.removed(x))
        x += 1
      } else {
        lines.append(added.contains(y) ? .added(y) : .same(y))
        (x, y) = (added.contains(y) ? x : x + 1, y + 1)
      }
    }
    return lines
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

extension Difference.Line {
  var isShared: Bool { if case .same = self { true } else { false } }
}
