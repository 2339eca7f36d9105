import Foundation

/// The history of the view models of a ``Recorder``, as text for a bug report and for a test.
///
/// The text has a line with its version, a JSON array for each entry, and the line `end`. Lines between may be deleted by hand. O(n) in the
/// number of entries.
public struct Recording: Sendable, CustomStringConvertible {
  package let entries: [Entry]

  static let header = "RxViewModel recording 1"
  /// The most lines that a text may have.
  static let mostEntries = 200_000

  package init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// Reads the text of a recording. Throws a ``RecordingError`` with the first line that it does not understand.
  public init(_ text: String) throws {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }[...]
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    var number = 0
    func next() -> String? {
      number += 1
      return lines.popFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
    var first = next() ?? ""
    while first.isEmpty, !lines.isEmpty { first = next() ?? "" }
    guard first == Self.header else {
      let isOther = first.hasPrefix("RxViewModel recording ")
      let other = isOther ? "has another version than 1: \"\(first.prefix(60))\"" : "is not \"\(Self.header)\""
      throw RecordingError(line: number, "the text of a recording \(other)")
    }
    if number + lines.count > Self.mostEntries {
      throw RecordingError(line: 1, "the text has more than \(Self.mostEntries) lines")
    }
    var entries: [Entry] = []
    while let line = next() {
      if line == "end" {
        if !lines.isEmpty { throw RecordingError(line: number + 1, "something follows the end of the recording") }
        self.entries = entries
        return
      }
      if line.isEmpty { continue }
      guard let entry = Entry(line) else { throw RecordingError(line: number, "this is no entry: \(line.prefix(60))") }
      entries.append(entry)
    }
    throw RecordingError(line: number, "the recording is cut off: its last line is not \"end\"")
  }

  /// The number of entries.
  public var count: Int { entries.count }

  /// The text.
  public var description: String {
    ([Self.header] + entries.map(\.text) + ["end"]).joined(separator: "\n")
  }
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

/// The error of a service that a replay throws in the place of one that the recorder could not encode.
public struct RecordedError: Error, Codable, CustomStringConvertible, Equatable {
  /// The name of the type of the original.
  public let type: String
  /// The description of the original.
  public let description: String

  package init(type: String, description: String) {
    (self.type, self.description) = (type, description)
  }
}
