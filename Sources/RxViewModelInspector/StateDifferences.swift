import RxViewModel

/// Says what differs between two states, line by line: `- path: old`, `+ path: new`, or only `~ path`, if the rest would cost too much.
///
/// Values that are equal are never reflected, so what hasn't changed costs a comparison.
struct StateDifferences {
  /// What may be done between two calls of `begin`: one unit is about two microseconds in release.
  private static let budget = 2_500
  /// The most lines of a difference, and the most characters of a value in it.
  private static let (mostLines, mostCharacters) = (40, 160)

  private var left = Self.budget
  private var lines: [String] = []

  mutating func begin() { left = Self.budget }

  mutating func lines(from old: any Sendable, to new: any Sendable) -> [String] {
    lines = []
    compare(old, new, "")
    return lines
  }

  private mutating func compare(_ old: Any, _ new: Any, _ path: String) {
    if areEqual(old, new) == true || lines.count > Self.mostLines { return }
    left -= 1
    // Of a whole state, the names of what has changed are always shown.
    if left < 0, !path.isEmpty { return skip(path) }
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    switch (before.displayStyle, after.displayStyle) {
    case (.optional, .optional):
      if let old = before.children.first?.value, let new = after.children.first?.value {
        return compare(old, new, path)
      }
    case (.struct, .struct), (.tuple, .tuple):
      if old is any CustomStringConvertible || before.children.count != after.children.count || before.children.isEmpty
      {
        break
      }
      for (old, new) in zip(before.children, after.children) { compare(old.value, new.value, join(path, new.label)) }
      return
    case (.enum, .enum):
      if old is any CustomStringConvertible { break }
      guard let old = before.children.first, let new = after.children.first, old.label == new.label else { break }
      return compare(old.value, new.value, join(path, new.label))
    case (.collection, .collection): return compare(elements: before.children, after.children, path)
    case (.set, .set):
      if let old = old as? Set<AnyHashable>, let new = new as? Set<AnyHashable> {
        return compare(sets: old.subtracting(new), new.subtracting(old), path, old.count + new.count)
      }
    case (.dictionary, .dictionary):
      if let old = old as? [AnyHashable: Any], let new = new as? [AnyHashable: Any] {
        return compare(entries: old, new, path)
      }
    default: break
    }
    let (oldText, newText) = (logText(of: old), logText(of: new))
    left -= (oldText.utf8.count + newText.utf8.count) / 32
    if oldText != newText { addChange(oldText, newText, path) }
  }

  private mutating func compare(elements old: Mirror.Children, _ new: Mirror.Children, _ path: String) {
    let count = old.count + new.count
    left -= old.first?.value is any Equatable ? count / 4 : count * 2
    if left < 0 { return skip(path) }
    let (old, new) = (old.map(\.value), new.map(\.value))
    var (start, end) = (0, 0)
    while start < min(old.count, new.count), areSame(old[start], new[start]) { start += 1 }
    while end < min(old.count, new.count) - start, areSame(old[old.count - 1 - end], new[new.count - 1 - end]) {
      end += 1
    }
    if old.count == new.count {
      for index in start..<(new.count - end) { compare(old[index], new[index], "\(path)[\(index)]") }
    } else {
      for index in start..<(old.count - end) { add("-", logText(of: old[index]), "\(path)[\(index)]") }
      for index in start..<(new.count - end) { add("+", logText(of: new[index]), "\(path)[\(index)]") }
    }
  }

  private mutating func compare(sets removed: Set<AnyHashable>, _ added: Set<AnyHashable>, _ path: String, _ count: Int)
  {
    left -= count / 8
    for text in removed.map({ logText(of: $0.base) }).sorted() { add("-", text, path) }
    for text in added.map({ logText(of: $0.base) }).sorted() { add("+", text, path) }
  }

  private mutating func compare(entries old: [AnyHashable: Any], _ new: [AnyHashable: Any], _ path: String) {
    left -= (old.count + new.count) / 2
    let keys = Set(old.keys).union(new.keys).filter { key in
      if let old = old[key], let new = new[key] { !areSame(old, new) } else { true }
    }
    for (name, key) in keys.map({ (logText(of: $0.base), $0) }).sorted(by: { $0.0 < $1.0 }) {
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, "\(path)[\(name)]")
      case (let old?, nil): add("-", logText(of: old), "\(path)[\(name)]")
      case (nil, let new?): add("+", logText(of: new), "\(path)[\(name)]")
      case (nil, nil): break
      }
    }
  }

  // MARK: Lines

  /// Adds the two texts. Of long ones, what stands around their first difference.
  private mutating func addChange(_ old: String, _ new: String, _ path: String) {
    let shared = zip(old, new).prefix { $0 == $1 }.count
    let start = max(old.utf8.count, new.utf8.count) > Self.mostCharacters ? max(shared - 20, 0) : 0
    add("-", start > 0 ? "…\(old.dropFirst(start))" : old, path)
    add("+", start > 0 ? "…\(new.dropFirst(start))" : new, path)
  }

  private mutating func add(_ sign: String, _ text: @autoclosure () -> String, _ path: String) {
    if lines.count >= Self.mostLines { return skip(path) }
    let text = text()
    let cut = text.prefix(Self.mostCharacters)
    lines.append("\(sign) \(path.isEmpty ? "state" : path): \(cut)\(cut.endIndex < text.endIndex ? "…" : "")")
  }

  private mutating func skip(_ path: String) {
    if lines.count <= Self.mostLines { lines.append("~ \(path.isEmpty ? "state" : path)") }
  }

  private func join(_ path: String, _ label: String?) -> String {
    guard let label else { return path }
    return path.isEmpty || label.hasPrefix(".") ? path + label : "\(path).\(label)"
  }

  private func areSame(_ old: Any, _ new: Any) -> Bool { areEqual(old, new) ?? (logText(of: old) == logText(of: new)) }
}

/// Nil if `==` can't tell.
private func areEqual(_ old: Any, _ new: Any) -> Bool? {
  func compare<Value: Equatable>(_ old: Value) -> Bool? { (new as? Value).map { old == $0 } }
  return (old as? any Equatable).flatMap { compare($0) }
}
