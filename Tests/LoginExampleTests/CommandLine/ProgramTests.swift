import Testing

@testable import LoginExample

/// The program in process: arguments and input bytes in, output, errors and exit code out.
@Suite(.hangLimit) struct ProgramTests {
  private func run(_ arguments: [String], _ console: ScriptedConsole) async -> Int32 {
    await Program.run(["--latency", "0"] + arguments, on: console).rawValue
  }

  // Exit code 0 signed in, 1 wrong or disabled, 2 unexpected error, of the last pair.
  @Test(
    arguments: [
      ("admin\nadmin\n", ["Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nwrong\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("adm\nadmin\n", ["Sign in: disabled"], 1),
      ("error\nerror\n", ["Sign in: enabled", "Something unexpected came up"], 2),
      // The button is printed when it changes from one pair to the next, and for the first pair always.
      ("admin\nadmin\nadmin\nadmin\n", ["Sign in: enabled", "Signed in as admin", "Signed in as admin"], 0),
      ("a\nb\nc\nd\n", ["Sign in: disabled"], 1),
      ("a\nb\nadmin\nadmin\n", ["Sign in: disabled", "Sign in: enabled", "Signed in as admin"], 0),
      ("admin\nadmin\na\nb\n", ["Sign in: enabled", "Signed in as admin", "Sign in: disabled"], 1),
      ("admin\nadmin\n\n\n", ["Sign in: enabled", "Signed in as admin", "Sign in: disabled"], 1),
      // Between the two lines of a pair nothing is printed: here admin/secret would have been enabled for a moment.
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
      // NUL bytes; characters, not bytes.
      ("admin\0\nadmin\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("\0\0\0\0\0\n\0\0\0\n", ["Sign in: enabled", "Wrong username or password"], 1),
      ("éééé\n🇳🇱🇳🇱🇳🇱\n", ["Sign in: disabled"], 1),
      ("ééééé\n🇳🇱🇳🇱🇳🇱\n", ["Sign in: enabled", "Wrong username or password"], 1),
    ] as [(String, [String], Int32)])
  func pairs(input: String, lines: [String], exitCode: Int32) async {
    let console = ScriptedConsole(input)
    #expect(await run([], console) == exitCode)
    #expect(console.lines == lines)
    #expect(console.errors == "")
  }

  // Exit code 65 if input ends inside a pair or holds none; what was tried before stays printed.
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
  func incompleteInput(input: String, lines: [String], errors: String) async {
    let console = ScriptedConsole(input)
    #expect(await run([], console) == 65)
    #expect(console.lines == lines)
    #expect(console.errors == errors)
  }

  // Input that is not UTF-8 is ordinary wrong input. Each broken byte counts as a character.
  @Test func notUTF8() async {
    let console = ScriptedConsole([[0xFF, 0xFF, 0xC3, 0x28, 0xFE, 0x0A, 0x80, 0x80], [0x80, 0x0A]])
    #expect(await run([], console) == 1)
    #expect(console.lines == ["Sign in: enabled", "Wrong username or password"])
  }

  // So are lines of a megabyte, be they letters or NUL bytes. Those that are no UTF-8 are
  // tested in a process: Swift Testing looks at every error thrown, and decoding throws one a byte.
  @Test(arguments: [0x61, 0] as [UInt8]) func longLines(byte: UInt8) async {
    let line = [UInt8](repeating: byte, count: 1 << 20)
    let console = ScriptedConsole([line, [0x0A], line, [0x0A]])
    #expect(await run([], console) == 1)
    #expect(console.lines == ["Sign in: enabled", "Wrong username or password"])
  }

  // 64 for a bad option, with usage on standard error and nothing read or printed.
  @Test(arguments: [["--bogus"], ["--latency"], ["--latency", "soon"], ["--latency", "-1"], ["--json", "x"]])
  func badUsage(arguments: [String]) async {
    let console = ScriptedConsole("admin\nadmin\n")
    #expect(await run(arguments, console) == 64)
    #expect(console.output == "")
    #expect(console.errors.hasPrefix("LoginExample: "))
    #expect(console.errors.hasSuffix("\n\n" + usage))
    #expect(console.readInput() == Array("admin\nadmin\n".utf8))
  }

  // --help; it says what the first pair prints.
  @Test func help() async {
    let console = ScriptedConsole("admin\nadmin\n")
    #expect(await run(["--help"], console) == 0)
    #expect(console.output == usage)
    #expect(console.errors == "")
    #expect(usage.contains("the first pair always says it"))
    for word in ["--latency MILLISECONDS", "--json", "--help", " 0 ", " 1 ", " 2 ", " 64 ", " 65 ", " 74 "] {
      #expect(usage.contains(word))
    }
  }

  // ExitCode.outputFailed: an output that is closed ends the program, at whichever line it happens.
  @Test(arguments: 0...2) func closedOutput(printLimit: Int) async {
    let console = ScriptedConsole("admin\nadmin\nadmin\nadmin\n", printLimit: printLimit)
    #expect(await run([], console) == 74)
    #expect(console.lines == ["Sign in: enabled", "Signed in as admin"].prefix(printLimit).map(\.self))
  }

  @Test(arguments: [0, 1, 5, 11]) func closedJSONOutput(printLimit: Int) async {
    let console = ScriptedConsole("a\nb\n", printLimit: printLimit)
    #expect(await run(["--json"], console) == 74)
    #expect(console.lines.count == printLimit)
  }

  // Also where nothing is read after the failure: the streams' first values are printed before the first pair.
  @Test func closedJSONOutputWithoutInput() async {
    #expect(await run(["--json"], ScriptedConsole("", printLimit: 0)) == 74)
  }

  // And where the prompts are all that there is to print.
  @Test(arguments: 0...1) func closedTerminal(printLimit: Int) async {
    #expect(await run([], ScriptedConsole("a\nb\n", isInteractive: true, printLimit: printLimit)) == 74)
  }

  @Test func closedHelpOutput() async {
    #expect(await run(["--help"], ScriptedConsole("", printLimit: 0)) == 74)
  }
}
