import Testing

@testable import LoginExample

/// The program inside the process of the tests: its output, errors and exit code for given arguments and input.
@MainActor
@Suite(.hangLimit) struct ProgramTests {
  private func run(_ arguments: [String], _ console: ScriptedConsole) async -> Int32 {
    await LoginExample.run(["--latency", "0"] + arguments, on: console.console).rawValue
  }

  // The last pair determines the exit code: 0 if it signs in, 1 if it is wrong or the button is disabled, 2 after an unexpected error.
  @Test(
    arguments: [
      ("admin\nadmin\n", ["Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nwrong\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("adm\nadmin\n", ["Sign in: disabled"], 1),
      ("error\nerror\n", ["Sign in: enabled", "Something unexpected came up"], 2),
      // The program prints the state of the button for the first pair, and for each later pair that changes it.
      ("admin\nadmin\nadmin\nadmin\n", ["Sign in: enabled", "Signed in as admin", "Signed in as admin"], 0),
      ("a\nb\nc\nd\n", ["Sign in: disabled"], 1),
      ("a\nb\nadmin\nadmin\n", ["Sign in: disabled", "Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nadmin\na\nb\n", ["Sign in: enabled", "Signed in as admin", "Sign in: disabled"], 1),
      ("admin\nadmin\n\n\n", ["Sign in: enabled", "Signed in as admin", "Sign in: disabled"], 1),
      // The program prints nothing between the two lines of a pair. Here the pair admin and secret exists for a moment, and is enabled.
      ("bo\nsecret\nadmin\nad\n", ["Sign in: disabled"], 1),
      (
        "error\nerror\nadmin\nwrong\nadmin\nadmin\n",
        ["Sign in: enabled", "Something unexpected came up", "Wrong username or password", "Signed in as admin"], 0
      ),
      ("admin\nadmin\nerror\nerror\n", ["Sign in: enabled", "Signed in as admin", "Something unexpected came up"], 2),
      // Line ends.
      ("admin\r\nadmin\r\n", ["Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nadmin", ["Sign in: enabled", "Signed in as admin"], 0),
      ("admin\r\nadmin", ["Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nadmin\r", ["Sign in: enabled", "Wrong username or password"], 1),
      // NUL bytes are ordinary characters, and the limits count characters, not bytes.
      ("admin\0\nadmin\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("\0\0\0\0\0\n\0\0\0\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("éééé\n🇳🇱🇳🇱🇳🇱\n", ["Sign in: disabled"], 1),
      ("ééééé\n🇳🇱🇳🇱🇳🇱\n", ["Sign in: enabled", "Wrong username or password"], 1),
    ] as [(String, [String], Int32)])
  func pairs(input: String, lines: [String], exitCode: Int32) async throws {
    let console = try ScriptedConsole(input)
    #expect(await run([], console) == exitCode)
    #expect(console.lines == lines)
    #expect(console.errors == "")
  }

  // The exit code is 65 if the input ends inside a pair or holds no pair. The program still prints the results of the pairs before the end.
  @Test(
    arguments: [
      ("", [], "LoginExample: the input holds no pair\n"),
      ("admin", [], "LoginExample: the input ends inside a pair\n"),
      ("admin\n", [], "LoginExample: the input ends inside a pair\n"),
      ("\n", [], "LoginExample: the input ends inside a pair\n"),
      (
        "admin\nadmin\nadmin\n", ["Sign in: enabled", "Signed in as admin"],
        "LoginExample: the input ends inside a pair\n"
      ),
    ] as [(String, [String], String)])
  func incompleteInput(input: String, lines: [String], errors: String) async throws {
    let console = try ScriptedConsole(input)
    #expect(await run([], console) == 65)
    #expect(console.lines == lines)
    #expect(console.errors == errors)
  }

  // A pair that is not UTF-8 is an ordinary wrong pair. Each invalid byte counts as one character.
  @Test func notUTF8() async throws {
    let console = try ScriptedConsole([0xFF, 0xFF, 0xC3, 0x28, 0xFE, 0x0A, 0x80, 0x80, 0x80, 0x0A])
    #expect(await run([], console) == 1)
    #expect(console.lines == ["Sign in: enabled", "Wrong username or password"])
  }

  // Lines that take several reads, of letters or of NUL bytes, are an ordinary wrong pair. `LongLinesTests` tests lines that are not UTF-8
  // in a process of their own: Swift Testing records every error that is thrown, and decoding throws one for each byte.
  @Test(arguments: [0x61, 0] as [UInt8]) func longLines(byte: UInt8) async throws {
    let line = [UInt8](repeating: byte, count: 1 << 17)
    let console = try ScriptedConsole(line + [0x0A] + line + [0x0A])
    #expect(await run([], console) == 1)
    #expect(console.lines == ["Sign in: enabled", "Wrong username or password"])
  }

  // For an invalid option the exit code is 64. The program prints the usage on standard error, and reads nothing.
  @Test(arguments: [["--bogus"], ["--latency"], ["--latency", "soon"], ["--latency", "-1"], ["--help", "x"]])
  func badUsage(arguments: [String]) async throws {
    let console = try ScriptedConsole("admin\nadmin\n")
    #expect(await run(arguments, console) == 64)
    #expect(console.output == "")
    #expect(console.errors.hasPrefix("LoginExample: "))
    #expect(console.errors.hasSuffix("\n\n" + usage + "\n"))
    #expect(try console.console.readLine() == "admin")
  }

  @Test func help() async throws {
    let console = try ScriptedConsole("admin\nadmin\n")
    #expect(await run(["--help"], console) == 0)
    #expect(console.output == usage + "\n")
    #expect(console.errors == "")
    for word in ["--latency MILLISECONDS", "--help", " 0 ", " 1 ", " 2 ", " 64 ", " 65 ", " 74 "] {
      #expect(usage.contains(word))
    }
  }
}
