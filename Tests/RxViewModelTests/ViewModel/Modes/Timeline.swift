import RxViewModel
import Testing

@testable import TestSupport

/// The history of three actions in one mode. All are executed at time zero. A1 takes 100 ms, A2 20 ms and A3 60 ms.
///
/// This is the only table of the example: the tests run it, and the drawings in `ExecutionModes.md` are generated from it.
struct Timeline: CustomTestStringConvertible {
  enum Outcome: Equatable {
    /// Its mapper was folded, and it completed, at this time.
    case folded(at: Int)
    case cancelled(at: Int)
    case dropped(at: Int)
    /// It has ended as the one that it joined, at this time.
    case joined(at: Int)
  }

  /// All times in milliseconds.
  struct Row {
    let action: String
    /// The state that its mapper sets.
    let username: String
    /// The duration of its effect.
    let duration: Int
    /// Nil if the action does not start.
    let start: Int?
    let outcome: Outcome

    /// Whether it has to wait in its lane.
    var waits: Bool { start.map { $0 > 0 } ?? (outcome != .dropped(at: 0)) }
  }

  let name: String
  let mode: ExecutionMode
  let rows: [Row]

  private init(
    _ name: String, _ mode: ExecutionMode, _ a1: (Int?, Outcome), _ a2: (Int?, Outcome), _ a3: (Int?, Outcome)
  ) {
    self.name = name
    self.mode = mode
    rows = [
      Row(action: "A1", username: "a", duration: 100, start: a1.0, outcome: a1.1),
      Row(action: "A2", username: "ab", duration: 20, start: a2.0, outcome: a2.1),
      Row(action: "A3", username: "abc", duration: 60, start: a3.0, outcome: a3.1),
    ]
  }

  static let all = [
    Timeline("parallel", .parallel, (0, .folded(at: 100)), (0, .folded(at: 20)), (0, .folded(at: 60))),
    Timeline("parallelOrdered", .parallelOrdered, (0, .folded(at: 100)), (0, .folded(at: 100)), (0, .folded(at: 100))),
    Timeline(
      "parallelDeferred", .parallelDeferred, (0, .folded(at: 100)), (100, .folded(at: 120)), (120, .folded(at: 180))),
    Timeline("sequence", .sequence, (0, .folded(at: 100)), (100, .folded(at: 120)), (120, .folded(at: 180))),
    Timeline(
      "parallel(limit: 2)", .parallel(limit: 2), (0, .folded(at: 100)), (0, .folded(at: 20)), (20, .folded(at: 80))),
    Timeline("switchLatest", .switchLatest, (0, .cancelled(at: 0)), (0, .cancelled(at: 0)), (0, .folded(at: 60))),
    Timeline("keepLatest", .keepLatest, (0, .folded(at: 100)), (nil, .cancelled(at: 0)), (100, .folded(at: 160))),
    Timeline("join", .join, (0, .folded(at: 100)), (nil, .joined(at: 100)), (nil, .joined(at: 100))),
    Timeline("dropWhileBusy", .dropWhileBusy, (0, .folded(at: 100)), (nil, .dropped(at: 0)), (nil, .dropped(at: 0))),
  ]

  var testDescription: String { name }

  /// The states that are folded, in their order, each with its time.
  var history: [(time: Int, username: String)] {
    let folded = rows.compactMap { row in
      if case .folded(let time) = row.outcome { (time: time, username: row.username) } else { nil }
    }
    // Mappers of one time are folded in the order of their actions.
    return folded.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}

// MARK: Drawing

extension Timeline {
  private static let millisecondsPerColumn = 4
  private static let end = 180

  /// The timeline as text, the name first.
  var drawing: String {
    let scale = stride(from: 0, through: Self.end, by: 20).map { time in
      let mark = "\(time)"
      return mark + String(repeating: " ", count: max(20 / Self.millisecondsPerColumn - mark.count, 1))
    }
    let states = history.map { "\($0.time) ms \($0.username)" }.joined(separator: ", ")
    let lines =
      [name, "", "    " + scale.joined()] + rows.map { "\($0.action)  \(Self.bar($0))" } + ["", "states: \(states)"]
    return lines.map { $0.trimmingSuffix(" ") }.joined(separator: "\n")
  }

  private static func bar(_ row: Row) -> String {
    func columns(_ from: Int, _ to: Int, _ mark: String) -> String {
      String(repeating: mark, count: (to - from) / millisecondsPerColumn)
    }
    let start = row.start ?? 0
    switch row.outcome {
    case .folded(let time):
      let sent = start + row.duration
      return columns(0, start, "·") + columns(start, sent, "━") + columns(sent, time, "─") + "● \(row.username)"
    case .cancelled(let time):
      return columns(0, start, "·") + columns(start, time, "━") + "✕ cancelled"
    case .dropped:
      return "✕ dropped"
    case .joined(let time):
      return columns(0, time, "·") + "◆ ends with A1"
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    String(reversed().drop { $0 == character }.reversed())
  }
}
