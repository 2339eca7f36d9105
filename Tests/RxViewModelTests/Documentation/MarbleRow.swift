import RxViewModel
import RxViewModelTesting

/// A row of a marble diagram in a doc comment: a label, two or more spaces, a drawing.
///
///     a                    --1-----2---3--|
///     b                    ----x-y----------|
///     zip(a, b, +)         ----1x--2y-------|
///
/// One character is one unit of time, counted from where the leftmost drawing of the diagram begins:
///
///     -          time passes
///     1, x, 1x   an element: characters without a gap. It happens in the column of its first character
///     next(1)    an element too: brackets directly behind an element belong to it, as does what is in `[1,x]`
///     |          the completion
///     #          an error
///     (1,2|)     all in the column of the opening bracket; commas separate elements
///     spaces     in front of a drawing: its subscription begins behind them
///
/// A row whose label begins with the name of the documented function shows what a subscriber to the function's stream sees;
/// two such rows with one label are two subscribers to one stream. Every other row is an input, and is one subscription to it:
/// an input that is subscribed twice has two rows. A row without an end shows its columns and nothing behind them. `4–` in a
/// label is four units of time.
struct MarbleRow {
  struct Unreadable: Error {
    let reason: String
  }

  let label: String
  /// The column in which the subscription begins.
  let start: Int
  /// How many columns are drawn.
  let length: Int
  /// By time since the subscription, in milliseconds.
  let events: [Recorded<String>]

  init(label: String, start: Int, drawing: String) throws {
    (self.label, self.start, length) = (label, start, drawing.count)
    var reader = Reader(characters: Array(drawing))
    events = try reader.read()
  }

  var hasEnd: Bool {
    guard let last = events.last?.event else { return false }
    if case .next = last { return false }
    return true
  }

  /// What a subscriber sees, as text that can be compared: `8: 2y`, `15: |`.
  var seen: [String] {
    events.map { Self.text(Recorded($0.time + .milliseconds(start), $0.event)) }
  }

  static func text(_ recorded: Recorded<String>) -> String {
    let column = Int(recorded.time / .milliseconds(1))
    switch recorded.event {
    case .next(let element): return "\(column): \(element)"
    case .error: return "\(column): #"
    case .completed: return "\(column): |"
    }
  }
}

/// Reads a drawing, character by character.
private struct Reader {
  let characters: [Character]
  var column = 0
  var group: Int?
  var events: [Recorded<String>] = []
  var isOver = false

  init(characters: [Character]) {
    self.characters = characters
  }

  mutating func read() throws -> [Recorded<String>] {
    while column < characters.count {
      let character = characters[column]
      switch character {
      case ")" where group != nil: group = nil
      case _ where isOver: throw unreadable("something follows the end")
      case "-" where group == nil: break
      case "(" where group == nil: group = column
      case "," where group != nil: break
      case "|": add(.completed)
      case "#": add(.error(MarbleError()))
      case _ where "-(), ".contains(character): throw unreadable("“\(character)” does not belong here")
      default:
        try readElement()
        continue
      }
      column += 1
    }
    if group != nil { throw unreadable("a bracket is left open") }
    if events.isEmpty, !characters.contains("-") { throw unreadable("it shows nothing") }
    return events
  }

  private mutating func readElement() throws {
    let first = column
    var depth = 0
    while column < characters.count {
      let character = characters[column]
      if depth == 0, "-|#), ".contains(character) { break }
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      column += 1
    }
    if depth != 0 { throw unreadable("a bracket is left open") }
    add(.next(String(characters[first..<column])), at: first)
  }

  private mutating func add(_ event: Event<String>, at first: Int? = nil) {
    events.append(Recorded(.milliseconds(group ?? first ?? column), event))
    if case .next = event { return }
    isOver = true
  }

  private func unreadable(_ reason: String) -> MarbleRow.Unreadable {
    MarbleRow.Unreadable(reason: "column \(column) of “\(String(characters))”: \(reason)")
  }
}
