import RxViewModel
import RxViewModelTesting

/// A row of a marble diagram in a doc comment: a label, two or more spaces, a drawing.
///
///     a                    --1-----2---3--|
///     b                    ----x-y----------|
///     zip(a, b, +)         ----1x--2y-------|
///
/// A drawing is a marble diagram of the test kit: `marbles(_:_:error:frame:)` documents the language. One character is one unit of
/// time, counted from where the leftmost drawing of the diagram begins. Spaces in front of a drawing: its subscription begins behind them.
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
    do {
      let reader = try MarbleReader(drawing, frame: .milliseconds(1))
      (self.label, self.start, length) = (label, start, Int(reader.time / .milliseconds(1)))
      events = try reader.events(error: MarbleError()) { $0 }
    } catch {
      throw Unreadable(reason: error.description)
    }
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
