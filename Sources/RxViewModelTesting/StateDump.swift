import RxViewModel

/// The lines of `dump` of two values. A `-` marks the lines that only `first` has, and a `+` those that only `second`
/// has.
func differences<Value>(_ first: Value, _ second: Value) -> [String] {
  let (old, new) = (dumpLines(of: first), dumpLines(of: second))
  if old == new { return ["  (they differ in something that dump does not show)"] + old.map { "  \($0)" } }
  let difference = Difference(from: old.count, to: new.count) { old[$0] == new[$1] }
  return difference.text { line in
    switch line {
    case .same(let index), .added(let index): new[index]
    case .removed(let index): old[index]
    }
  }
}

/// The lines of `dump` that differ between two errors, if these are not equal although they print the same text. Otherwise empty.
func hiddenDifferences(_ first: (any Error)?, _ second: (any Error)?) -> [String] {
  guard let first, let second, "\(first)" == "\(second)", !areEqual(first, second) else { return [] }
  return differences(first, second)
}

/// The lines of `dump`, without the module name before the value's type, and without the addresses that represent private contexts.
private func dumpLines<Value>(of value: Value) -> [String] {
  var text = ""
  dump(value, to: &text)
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if lines.last == "" { lines.removeLast() }
  let (long, short) = (String(reflecting: type(of: value)), String(describing: type(of: value)))
  if let first = lines.first, first.hasSuffix(long) { lines[0] = first.dropLast(long.count) + short }
  return lines.map(withoutPrivateContexts)
}

private func withoutPrivateContexts(_ line: String) -> String {
  let mark = "(unknown context at $"
  var (line, clean) = (line[...], "")
  while let start = line.indices.first(where: { line[$0...].hasPrefix(mark) }),
    let end = line[start...].firstIndex(of: ")")
  {
    clean += line[..<start]
    line = line[end...].dropFirst()
    if line.first == "." { line = line.dropFirst() }
  }
  return clean + line
}
