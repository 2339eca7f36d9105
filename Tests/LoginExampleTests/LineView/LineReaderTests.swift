import Testing

@testable import LoginExample

@Suite struct LineReaderTests {
  private func lines(_ chunks: [[UInt8]], limit: Int = .max) -> [String] {
    var chunks = chunks.filter { !$0.isEmpty }
    var reader = LineReader(limit: limit) { chunks.isEmpty ? [] : chunks.removeFirst() }
    var lines: [String] = []
    while let line = reader.next() { lines.append(line) }
    return lines
  }

  private func lines(_ text: String) -> [String] {
    lines([Array(text.utf8)])
  }

  // LF, CR LF, the last line without an end.
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
  func lineEnds(input: String, expected: [String]) {
    #expect(lines(input) == expected)
    #expect(lines(input.utf8.map { [$0] }) == expected, "byte by byte")
  }

  // Input that is not UTF-8 is ordinary input; each broken piece becomes a replacement character.
  @Test func replacesWhatIsNotUTF8() {
    #expect(
      lines([[0xFF, 0xFE, 0x61], [0x0A, 0xC3], [0xA9, 0x0A, 0xC3]]) == ["\u{FFFD}\u{FFFD}a", "é", "\u{FFFD}"])
  }

  // Very long lines are ordinary input, and what lies behind the limit does not fill the memory.
  @Test(arguments: 1...9) func cutsALineAtTheLimit(chunkSize: Int) {
    let input = Array("12345\n123456\n\n1234567890\r\n1234".utf8)
    let chunks = stride(from: 0, to: input.count, by: chunkSize).map { Array(input[$0...].prefix(chunkSize)) }
    #expect(lines(chunks, limit: 5) == ["12345", "12345", "", "12345", "1234"])
  }
}
