import Testing

@testable import LoginExample

/// Random bytes, compared with a plain description of what the program does with them.
@Suite(.stress, .hangLimit) struct ProgramFuzzTests {
  // Whatever the input and however it is cut into chunks: no crash, no hang, the lines and the exit code promised.
  @Test func randomBytes() async {
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let input = Self.randomInput(&random)
      let console = ScriptedConsole(Self.chunks(input, &random))
      let exitCode = await Program.run(["--latency", "0"], on: console)
      let expected = Self.expectation(input)
      #expect(console.lines == expected.lines, "seed \(seed)")
      #expect(exitCode.rawValue == expected.exitCode, "seed \(seed)")
    }
  }

  private static let pieces: [[UInt8]] =
    ["admin\n", "admin\r\n", "error\n", "admin", "error", "a", "\n", "\r", "\r\n", "é", "e\u{301}", "😀", "🇳🇱", "\0"]
    .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xF0, 0x9F], [0x80]]

  private static func randomInput(_ random: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in pieces.randomElement(using: &random)! }
  }

  private static func chunks(_ input: [UInt8], _ random: inout SplitMix64) -> [[UInt8]] {
    var (chunks, rest) = ([[UInt8]](), input[...])
    while !rest.isEmpty {
      let count = Int.random(in: 1...10, using: &random)
      chunks.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return chunks
  }

  private static func expectation(_ input: [UInt8]) -> (lines: [String], exitCode: Int32) {
    var inputLines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
    let unended = inputLines.removeLast()
    inputLines = inputLines.map { $0.last == 0x0D ? $0.dropLast() : $0 } + (unended.isEmpty ? [] : [unended])
    let texts = inputLines.map { String(decoding: $0, as: UTF8.self) }
    var (lines, exitCode, wasEnabled) = ([String](), Int32(65), Bool?.none)
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      let (username, password) = (texts[index], texts[index + 1])
      let isEnabled = username.count >= 5 && password.count >= 3
      if isEnabled != wasEnabled { lines.append("Sign in: " + (isEnabled ? "enabled" : "disabled")) }
      wasEnabled = isEnabled
      exitCode = 1
      guard isEnabled else { continue }
      if username == "admin" && password == "admin" {
        lines.append("Signed in as admin")
        exitCode = 0
      } else if username == "error" && password == "error" {
        lines.append("Something unexpected came up")
        exitCode = 2
      } else {
        lines.append("Wrong username or password")
      }
    }
    return (lines, texts.count % 2 == 0 ? exitCode : 65)
  }
}
