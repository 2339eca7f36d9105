import RxViewModel

@testable import RxViewModelTesting
@testable import TestSupport

/// A row of a marble diagram in a documentation comment: a label, two or more spaces, a drawing.
///
///     a                    --1-----2---3--|
///     b                    ----x-y----------|
///     zip(a, b, +)         ----1x--2y-------|
///
/// A drawing is a marble diagram of the test kit; `marbles(_:_:error:frame:)` documents the language. One character is one unit of time,
/// counted from the first column of the leftmost drawing. A drawing that begins later stands for a later subscription.
///
/// A row whose label begins with the name of the documented function shows the events that a subscriber to the function's stream sees.
/// Two such rows with the same label are two subscribers to one stream. Every other row is one subscription to an input: an input to which
/// the operator subscribes twice has two rows. A row without an end makes no statement about the time after its last column. `4–` in a
/// label means four units of time.
struct MarbleRow {
  struct Unreadable: Error {
    let reason: String
  }

  let label: String
  /// The column in which the subscription begins.
  let start: Int
  /// The number of drawn columns.
  let length: Int
  /// The events, with their times in milliseconds since the subscription.
  let events: [Recorded<String>]

  init(label: String, start: Int, drawing: String) throws {
    do {
      (self.label, self.start, length) = (label, start, drawing.count)
      events = try MarbleReader(drawing, frame: .milliseconds(1)).events(error: MarbleError()) { $0 }
    } catch {
      throw Unreadable(reason: "\(error)")
    }
  }

  var hasEnd: Bool {
    guard let last = events.last?.event else { return false }
    if case .next = last { return false }
    return true
  }

  /// The events that a subscriber sees, as text that tests compare: `8: 2y`, `15: |`.
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
