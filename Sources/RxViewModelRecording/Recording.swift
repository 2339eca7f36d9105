import Foundation

/// What happened to the view models of a ``Recorder``, as text for a bug report and for a test.
///
/// The text has a line with its version, a JSON array for each entry, and the line `end`. You may delete any line between the first and the
/// last by hand. An array has the kind, the time in milliseconds, the number of the view model, the number of the action, a value, and what
/// else its kind has:
///
/// | kind | what has happened | value | and |
/// |---|---|---|---|
/// | `model`, `end` | a view model has been made; has ended | state | name, type |
/// | `action`, `own` | it has taken an action from elsewhere; one that an effect has executed | action | that effect, mode, batch |
/// | `event` | it has handled an event of an effect | | |
/// | `timer` | a timer of an effect has fired | | |
/// | `cancel` | unfinished actions are cancelled | their numbers | states since the newest input, if it was at work |
/// | `flush` | what is debounced in a lane starts | lane | |
/// | `resume`, `pause` | a screen has been resumed; paused | screen | |
/// | `answer`, `error`, `open` | a service has answered; has thrown; has not answered | answer, error | question, count, type of the error |
/// | `value` | a value has been read, or a stream has sent it at its subscription | value | question, count |
/// | `element`, `error`, `completed` | a stream has sent an element; has failed; has ended | element, error | the same |
/// | `state` | the state, to be compared | state | |
/// | `begin` | older entries have been dropped | their number | |
///
/// In front of `begin` stand the view models with their states at a place where they rested, and the newest elements of their sources. One
/// that has not rested since then has no state there, and its unfinished actions instead. A negative number in place of an action's is that
/// of a source, whose effect belongs to no action. A call that no view model makes has the view model -1. O(n) in the number of entries.
public struct Recording: Sendable, CustomStringConvertible {
  package let lines: [String]

  static let header = "RxViewModel recording 3"
  private static let mostLines = 200_000

  package init(lines: [String]) { self.lines = lines }

  /// Reads the text of a recording. Throws a ``RecordingError`` that names the first line that it doesn't understand.
  public init(_ text: String) throws {
    let all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    if all.count > Self.mostLines { throw RecordingError(line: 1, "the text has more than \(Self.mostLines) lines") }
    var lines = zip(1..., all.map { $0.trimmingCharacters(in: .whitespaces) }).filter { !$0.1.isEmpty }
    let (first, head) = lines.first ?? (all.count, "")
    if head != Self.header {
      let reason = "the text of a recording begins with \"\(Self.header)\", and not with \"\(head.prefix(60))\""
      throw RecordingError(line: first, reason)
    }
    lines.removeFirst()
    let end = lines.firstIndex { $0.1 == "end" } ?? lines.count
    if let (line, text) = lines[..<end].first(where: { Entry($0.1) == nil }) {
      throw RecordingError(line: line, "this is no entry: \(text.prefix(60))")
    }
    if end == lines.count {
      let reason = "the recording is cut off: its last line is not \"end\""
      throw RecordingError(line: (lines.last?.0 ?? first) + 1, reason)
    }
    if end + 1 < lines.count {
      throw RecordingError(line: lines[end + 1].0, "something follows the end of the recording")
    }
    self.lines = lines[..<end].map(\.1)
  }

  package var entries: [Entry] { lines.compactMap { Entry($0) } }

  /// The number of entries.
  public var count: Int { lines.count }

  /// The text.
  public var description: String { ([Self.header] + lines + ["end"]).joined(separator: "\n") }
}

/// Why a text is not a recording.
public struct RecordingError: Error, CustomStringConvertible, Equatable {
  /// The line of the text, from 1.
  public let line: Int
  /// A message that names the line.
  public let description: String

  init(line: Int, _ reason: String) {
    self.line = line
    description = "Line \(line): \(reason)"
  }
}

/// What a replay throws instead of an error that the recorder couldn't encode.
public struct RecordedError: Error, Codable, CustomStringConvertible, Equatable {
  /// The name of the type of the original.
  public let type: String
  /// The description of the original.
  public let description: String
}
