import Foundation
import Testing

@testable import LoginExample

@MainActor
@Suite struct ReadLineTests {
  /// Returns the lines of an input that arrives in the given chunks.
  private func lines(_ chunks: [[UInt8]]) throws -> [String] {
    let pipe = Pipe()
    Thread.detachNewThread {
      for chunk in chunks { try? pipe.fileHandleForWriting.write(contentsOf: Data(chunk)) }
      try? pipe.fileHandleForWriting.close()
    }
    let console = Console(input: pipe.fileHandleForReading)
    var lines: [String] = []
    while let line = try console.readLine() { lines.append(line) }
    return lines
  }

  @Test(
    arguments: [
      ("", []),
      ("a", ["a"]),
      ("a\n", ["a"]),
      ("a\nb", ["a", "b"]),
      ("a\r\nb\r\n", ["a", "b"]),
      ("a\r", ["a\r"]),
      ("a\n\r", ["a", "\r"]),
      ("\n", [""]),
      ("\n\n", ["", ""]),
      ("\r\n\r\n", ["", ""]),
      ("a\rb\n", ["a\rb"]),
      ("a\r\r\n", ["a\r"]),
      (" a \t\n", [" a \t"]),
      ("a\0b\n\0\n", ["a\0b", "\0"]),
    ] as [(String, [String])])
  func lineEnds(input: String, expected: [String]) throws {
    #expect(try lines([Array(input.utf8)]) == expected)
    #expect(try lines(input.utf8.map { [$0] }) == expected, "byte by byte")
  }

  // A replacement character takes the place of each invalid sequence of bytes. A character may be split between two chunks.
  @Test func replacesBytesThatAreNotUTF8() throws {
    #expect(
      try lines([[0xFF, 0xFE, 0x61], [0x0A, 0xC3], [0xA9, 0x0A, 0xC3]]) == ["\u{FFFD}\u{FFFD}a", "é", "\u{FFFD}"])
  }
}
