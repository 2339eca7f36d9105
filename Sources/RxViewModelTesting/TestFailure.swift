/// A failed assertion, with the file and the line of the call that failed.
///
/// The failed call throws it, so the test ends at the first difference, and both Swift Testing and XCTest show it.
public struct TestFailure: Error, CustomStringConvertible {
  /// The failure as text: the actual and the expected values.
  public let description: String
  let place: Place

  /// Makes the text: `headline, File.swift:12:`, then the lines.
  init(_ headline: String, _ place: Place, _ lines: [String] = []) {
    self.place = place
    description = ([headline + ", " + place.description + (lines.isEmpty ? "" : ":")] + lines).joined(separator: "\n")
  }

  /// The failure of an expectation with this comment. It says now whose effects have left virtual time, because the body may release the
  /// view models.
  init(expectation comment: String, _ file: StaticString, _ line: UInt, _ time: VirtualTime) {
    let headline = comment.isEmpty ? "The condition is false" : comment
    self.init(headline, Place(file: file, line: line), time.linesAboutTasksOutside)
  }

  /// The place of a call in a test.
  struct Place: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\("\(file)".split(separator: "/").last ?? ""):\(line)" }
  }
}
