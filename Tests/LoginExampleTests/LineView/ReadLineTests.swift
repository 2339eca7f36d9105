import Foundation
import Testing

@testable import LoginExample

@MainActor
@Suite struct ReadLineTests {
  /// Returns the lines of an input that arrives in the given chunks.
  private func lines(_ chunks: [[UInt8]], limit: Int = .max) throws -> [String] {
    let pipe = Pipe()
    Thread.detachNewThread {
      for chunk in chunks { try? pipe.fileHandleForWriting.write(contentsOf: Data(chunk)) }
      try? pipe.fileHandleForWriting.close()
    }
    let console = Console(input: pipe.fileHandleForReading)
    var lines: [String] = []
    while let line = try console.readLine(limit: limit) { lines.append(line) }
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

  // The console drops the part of a line beyond the limit, so that a very long line does not exhaust memory.
  @Test(arguments: 1...9) func cutsALineAtTheLimit(chunkSize: Int) throws {
    let input = Array("12345\n123456\n\n1234567890\r\n1234".utf8)
    let chunks = stride(from: 0, to: input.count, by: chunkSize).map { Array(input[$0...].prefix(chunkSize)) }
    #expect(try lines(chunks, limit: 5) == ["12345", "12345", "", "12345", "1234"])
  }

  // Another process that shares the file may have made it non-blocking.
  @Test func waitsForInputOfANonBlockingFile() throws {
    let pipe = Pipe()
    _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
    Thread.detachNewThread {
      // In most runs the console reads before the write. The result is the same if it does not.
      for _ in 1...1_000 { sched_yield() }
      try? pipe.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
      try? pipe.fileHandleForWriting.close()
    }
    #expect(try Console(input: pipe.fileHandleForReading).readLine() == "a")
  }
}
