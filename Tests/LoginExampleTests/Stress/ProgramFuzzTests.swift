import RxViewModelTesting
import Testing

@testable import LoginExample

/// The program with random input, compared with a simple model of its output and exit code.
@Suite(.stress, .hangLimit) struct ProgramFuzzTests {
  // For any input the program prints the lines and returns the exit code of the model. `ReadLineTests` splits input into chunks.
  @MainActor @Test func randomBytes() async throws {
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let input = Self.randomInput(&random)
      let console = try ScriptedConsole(input)
      let exitCode = await run(["--latency", "0"], on: console.console)
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
