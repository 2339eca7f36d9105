import RxViewModel

/// The newest actions, a line each.
struct ActionLines: Sendable {
  /// What is known of an action. Nothing of it is the user's.
  struct Line: Sendable {
    let model: String
    let id: UInt64
    let value: String
    let time: Duration
    var start: Duration?
    var end: Duration?
    /// Where it stands, and why.
    var phase = "started"
  }

  private var lines: [Line] = []
  /// The number of lines that have been dropped.
  private var dropped = 0

  /// Adds a line, and returns its number.
  mutating func add(_ line: Line) -> Int {
    lines.append(line)
    // Not one at a time, because that costs O(n).
    if lines.count > 2 * SessionWriter.newest {
      lines.removeFirst(SessionWriter.newest)
      dropped += SessionWriter.newest
    }
    return dropped + lines.count - 1
  }

  mutating func change(_ number: Int, _ body: (inout Line) -> Void) {
    if number >= dropped { body(&lines[number - dropped]) }
  }

  var text: String { lines.suffix(SessionWriter.newest).map { "\($0)\n" }.joined() }
}

extension ActionLines.Line: CustomStringConvertible {
  var description: String {
    let (waited, ran) = ((start ?? end).map { $0 - time }, start.flatMap { start in end.map { $0 - start } })
    let times = [(waited, "waited"), (ran, "ran")].compactMap { duration, name in
      duration.flatMap { $0.milliseconds > 0 ? ", \(name) \($0.milliseconds) ms" : nil }
    }
    return "\(time.milliseconds) ms: \(model) #\(id) \(value): \(phase)\(times.joined())"
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
