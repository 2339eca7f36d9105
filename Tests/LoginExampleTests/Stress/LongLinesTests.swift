import Foundation
import Testing

@testable import LoginExample

@Suite(.stress, .hangLimit) struct LongLinesTests {
  // A letter with half a million accents is one character.
  @MainActor @Test func aCharacterOfAMegabyte() async throws {
    let console = try ScriptedConsole("e" + String(repeating: "\u{301}", count: 1 << 19) + "\nadmin\n")
    #expect(await run(["--latency", "0"], on: console.console).rawValue == 1)
    #expect(console.lines == ["Sign in: disabled"])
  }

  #if os(macOS) || os(Linux)
    // Each line is a megabyte of invalid UTF-8.
    @Test func longLinesThatAreNotUTF8() async throws {
      let program = try BuiltProgram(["--latency", "0"])
      let line = Data(repeating: 0xFF, count: 1 << 20) + [0x0A]
      try program.write(line + line)
      try program.endInput()
      #expect(try await program.readOutput() == "Sign in: enabled\nWrong username or password\n")
      #expect(try await program.end() == .init(reason: .exit, status: 1))
    }
  #endif
}
