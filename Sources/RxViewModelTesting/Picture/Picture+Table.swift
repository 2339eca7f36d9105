import RxViewModel

/// A state as text, of a view model or of a recording.
struct StateText: Sendable {
  /// The properties; a value without any has itself under an empty name.
  let properties: [(name: String, text: String)]

  /// A recorded state, as the lines of its properties.
  init(recorded lines: [String]) {
    properties = lines.map { line in
      let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return line.dropFirst(name.count).hasPrefix(": ")
        ? ("\(name)", "\(line.dropFirst(name.count + 2))") : ("", line)
    }
  }

  init(of value: Any) {
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.compactMap { child in child.label.map { ($0, logText(of: child.value)) } }
    properties = mirror.displayStyle == .struct ? children : [("", logText(of: value))]
  }
}

/// A property that a step has changed.
struct PropertyChange: Sendable {
  let name: String
  /// Nil for a property of the first state.
  let old: String?
  let new: String

  /// `name: old → new`, cut off if it is too long.
  func text(within width: Int) -> String {
    let name = name.isEmpty ? "" : "\(name): "
    let whole = name + [old, new].compactMap(\.self).joined(separator: " → ")
    if whole.count <= width { return whole }
    return "\(name)\(parts(within: (width - name.count - 3) / 2).joined(separator: " → "))".clipped(to: width)
  }

  /// A line for each text, as the inspector's page shows them.
  var lines: [String] {
    let name = name.isEmpty ? "state" : name
    return zip(old == nil ? ["+"] : ["-", "+"], parts(within: 160)).map { "\($0) \(name): \($1)" }
  }

  /// The texts, cut off at their ends, and without what both begin with.
  private func parts(within width: Int) -> [String] {
    let shared = zip(old ?? "", new).prefix { $0 == $1 }.count
    return [old, new].compactMap { text in
      text.map { (shared > 8 ? "…\($0.dropFirst(shared - 1))" : $0).clipped(to: width) }
    }
  }
}

extension Picture.Step {
  /// What it has changed.
  fileprivate var changes: [PropertyChange] { states.flatMap(\.changes).filter { $0.old != nil } }

  /// Whether it is more than a mark of a recording.
  fileprivate var isInTable: Bool {
    let isMark = ["model", "begin", "end", "open", "value", "state"].contains(kind) || phase == .completed
    return kind == "event" ? !changes.isEmpty : !isMark
  }

  /// - Parameter name: The name of another action of the same view model.
  fileprivate func text(_ name: (UInt64) -> String) -> String {
    let cause = cause?.text(name)
    let words: [String?] =
      switch phase {
      case .waits: ["waits", cause]
      case .starts: ["starts", cause]
      case .joined: ["ends", cause]
      case .dropped: ["dropped", cause]
      case .failed(let error): ["fails: \(error)"]
      case .cancelled: if case .superseded = self.cause { [cause] } else { ["cancelled \(cause ?? "")"] }
      case .completed: ["completed"]
      case nil:
        [
          ["action": "executed", "own": "executed", "event": "emits", "cancel": "cancelled"][kind]
            ?? (label.isEmpty ? kind : label)
        ]
      }
    return words.compactMap { $0 }.joined(separator: ", ").split(separator: "\n").joined(separator: " ")
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
          (Array(repeating: "", count: heads.count), own == step.lanes ? step.changes : []))
        for lane in own {
          let isServer = lanes[lane].label == Self.server
          let column = actions.firstIndex(of: lane).map { hasColumns ? $0 + 1 : 2 } ?? (isServer ? heads.count - 1 : 0)
          rows[rows.count - 1].cells[column] = step.text { number in
            laneIndices[[lanes[lane].model, Int(truncatingIfNeeded: number)]].map { names[$0] } ?? "#\(number)"
          }
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
