import RxViewModel

/// A state as text, of a view model or of a recording.
struct StateText: Sendable {
  /// In the form of `dump`, or as Swift would write it.
  let lines: [String]
  /// The properties; a value without any has itself under an empty name.
  let properties: [(name: String, text: String)]

  /// The lines of a recorded state, one for each property.
  init(recorded lines: [String]) {
    self.lines = lines
    properties = lines.map { line in
      let name = line.prefix { $0 != ":" && $0 != "\"" }
      return line.dropFirst(name.count).hasPrefix(": ")
        ? ("\(name)", "\(line.dropFirst(name.count + 2))") : ("", line)
    }
  }

  /// - Parameter most: The most elements of a collection that count.
  init(of value: Any, most: Int = .max) {
    lines = dumpLines(of: value, most: most)
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.compactMap { child in child.label.map { ($0, Self.text(of: child.value)) } }
    properties = mirror.displayStyle == .struct ? children : [("", Self.text(of: value))]
  }

  /// The text of a value. Of a collection, the first hundred elements.
  private static func text(of value: Any) -> String {
    let (mirror, most) = (Mirror(reflecting: value), 100)
    guard mirror.displayStyle == .collection, mirror.children.count > most else { return logText(of: value) }
    return "[\(mirror.children.prefix(most).map { "\(logText(of: $0.value)), " }.joined())… \(mirror.children.count)]"
  }
}

/// A property that a step has changed.
struct PropertyChange: Sendable {
  let name: String
  let old: String
  let new: String

  /// `name: old → new`. If that is too long, leaves out what both begin with, and cuts off both at their ends.
  func text(within width: Int) -> String {
    let name = name.isEmpty ? "" : "\(name): "
    let whole = "\(name)\(old) → \(new)"
    if whole.count <= width { return whole }
    let shared = zip(old, new).prefix { $0 == $1 }.count
    let parts = [old, new].map { text in
      (shared > 8 ? "…\(text.dropFirst(shared - 1))" : text).clipped(to: (width - name.count - 3) / 2)
    }
    return "\(name)\(parts[0]) → \(parts[1])".clipped(to: width)
  }
}

extension Picture {
  /// The steps as text, at most 100 characters wide: a row for each of them, a column for each action and one for the server, and the
  /// changes of the states. From the fifth action on, the actions share a column, with their numbers.
  var table: [String] {
    let visible = steps.filter(\.isInTable)
    let used = Set(visible.flatMap(\.lanes)).sorted()
    let actions = used.filter { lanes[$0].isAction }
    let hasColumns = actions.count <= 4
    let counts = Dictionary(lanes.map { ($0.label, 1) }, uniquingKeysWith: +)
    let names = lanes.map { hasColumns && counts[$0.label] == 1 ? $0.label : "#\($0.number ?? 0) \($0.label)" }
    let heads = [""] + (hasColumns ? actions.map { names[$0] } : ["", ""]) + ["server"]
    var rows: [(cells: [String], changes: [PropertyChange])] = []
    for step in visible {
      for own in hasColumns ? [step.lanes] : step.lanes.map({ [$0] }) {
        rows.append(
          (Array(repeating: "", count: heads.count), own == step.lanes ? step.states.flatMap(\.properties) : []))
        for lane in own {
          let isServer = lanes[lane].label == Self.server
          let column = actions.firstIndex(of: lane).map { hasColumns ? $0 + 1 : 2 } ?? (isServer ? heads.count - 1 : 0)
          rows[rows.count - 1].cells[column] = step.text + (step.other.map { names[$0] } ?? "")
          if column > 0, !hasColumns, !isServer { rows[rows.count - 1].cells[1] = names[lane] }
        }
      }
    }
    return Self.lines(heads, rows)
  }

  private static func lines(_ heads: [String], _ rows: [(cells: [String], changes: [PropertyChange])]) -> [String] {
    let columns = heads.indices.filter { column in rows.contains { !$0.cells[column].isEmpty } }
    let headed = columns.contains { !heads[$0].isEmpty } ? [(cells: heads, changes: [])] + rows : rows
    var widths = columns.map { column in headed.map(\.cells[column].count).max() ?? 0 }
    widths.append(rows.flatMap(\.changes).map { $0.text(within: .max).count }.max() ?? 0)
    let mostWidth = 100
    while widths.reduce(0, { $0 + $1 + 2 }) > mostWidth { widths[widths.firstIndex(of: widths.max()!)!] -= 1 }
    let lines = headed.flatMap { row in
      (0..<max(row.changes.count, 1)).map { index in
        let cells = columns.map { index == 0 ? row.cells[$0] : "" }
        let change = row.changes.dropFirst(index).first?.text(within: widths.last!) ?? ""
        var line = zip(cells + [change], widths).map { "  \($0.clipped(to: $1).padded(to: $1))" }.joined()
        while line.last == " " { line.removeLast() }
        return line
      }
    }
    let (first, last) = (10, 40)
    if lines.count <= first + last { return lines }
    return lines.prefix(first) + ["  … \(lines.count - first - last) more"] + lines.suffix(last)
  }
}

extension String {
  fileprivate func clipped(to width: Int) -> String { count <= width ? self : "\(prefix(max(width - 1, 0)))…" }

  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
