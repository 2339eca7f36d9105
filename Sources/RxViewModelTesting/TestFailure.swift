/// What a test has found, as a text with the file and the line of the call that found it.
///
/// It is thrown, so that the test ends at the first difference and Swift Testing and XCTest alike show it.
public struct TestFailure: Error, CustomStringConvertible {
  /// What has happened and what was expected.
  public let description: String

  /// `headline, File.swift:12:`, then the lines.
  init(_ headline: String, _ place: Place, _ lines: [String] = []) {
    description = ([headline + ", " + place.description + (lines.isEmpty ? "" : ":")] + lines).joined(separator: "\n")
  }

  /// Where a test calls.
  struct Place: CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String {
      "\("\(file)".split(separator: "/").last ?? ""):\(line)"
    }
  }
}
