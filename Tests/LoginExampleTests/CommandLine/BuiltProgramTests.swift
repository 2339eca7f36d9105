#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import LoginExample

  /// What only a process shows: its exit code, its pipes.
  @Suite(.hangLimit) struct BuiltProgramTests {
    // Each exit code, through a pipe.
    @Test(
      arguments: [
        ("admin\nadmin\n", [], "Sign in: enabled\nSigned in as admin\n", "", 0),
        ("admin\nwrong\n", [], "Sign in: enabled\nWrong username or password\n", "", 1),
        ("a\nb\n", [], "Sign in: disabled\n", "", 1),
        ("error\nerror\n", [], "Sign in: enabled\nSomething unexpected came up\n", "", 2),
        ("", ["--latency", "-1"], "", "LoginExample: not a number of milliseconds: -1\n\n\(usage)", 64),
        ("", [], "", "LoginExample: the input holds no pair\n", 65),
        (
          "admin\nadmin\nadmin\n", [], "Sign in: enabled\nSigned in as admin\n",
          "LoginExample: the input ends inside a pair\n", 65
        ),
        ("", ["--help"], usage, "", 0),
      ] as [(String, [String], String, String, Int32)])
    func exitCodes(input: String, options: [String], output: String, errors: String, status: Int32) async throws {
      let program = try BuiltProgram(["--latency", "0"] + options)
      if !input.isEmpty { try program.write(input) }
      try program.endInput()
      #expect(try await program.readOutput() == output)
      #expect(try await program.readErrors() == errors)
      #expect(try await program.end() == .init(reason: .exit, status: status))
    }

    // The output is flushed line by line, so that a pipe sees it at once, while the input is still open.
    @Test func outputIsFlushed() async throws {
      let program = try BuiltProgram(["--latency", "0"])
      for (pair, lines) in [
        ("admin\nadmin\n", "Sign in: enabled\nSigned in as admin\n"), ("a\nb\n", "Sign in: disabled\n"),
      ] {
        try program.write(pair)
        #expect(try await program.read(asMuchAs: lines) == lines)
      }
      try program.endInput()
      #expect(try await program.readOutput() == "")
      #expect(try await program.end() == .init(reason: .exit, status: 1))
    }

    // An output that is closed does not hang the program, though its input goes on. It ends by SIGPIPE, or, where
    // that is ignored, with the exit code of a failed output. It prints more than a pipe holds, because a process that
    // another test starts has all pipes for a moment, until it has closed them: one line could go there.
    @Test func closedOutput() async throws {
      let program = try BuiltProgram(["--latency", "0", "--json"])
      try program.output.fileHandleForReading.close()
      try program.write(String(repeating: "admin\nadmin\n", count: 250))
      let end = try await program.end()
      #expect(
        [.init(reason: .uncaughtSignal, status: SIGPIPE), .init(reason: .exit, status: 74)].contains(end),
        "\(end)")
      #expect(try await program.readErrors() == "")
    }

    // With a terminal the same view with prompts; a password is never printed, by the terminal's echo neither.
    @Test func promptsOnATerminal() async throws {
      let terminal = try Terminal()
      let program = try BuiltProgram(["--latency", "0"], on: terminal)
      let end = "\u{4}"
      for (screen, showsKeys, keys) in [
        ("Username: ", true, "admin\n"),
        ("admin\r\nPassword: ", false, "hunter2\n"),
        ("\r\nSign in: enabled\r\nWrong username or password\r\nUsername: ", true, end),
      ] {
        #expect(await terminal.read(asMuchAs: screen) == screen)
        #expect(terminal.showsKeys == showsKeys)
        try terminal.type(keys)
      }
      #expect(await terminal.read(asMuchAs: "\r\n") == "\r\n")
      #expect(try await program.end() == .init(reason: .exit, status: 1))
      #expect(terminal.showsKeys)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func showsKeysAgainAfterASignal(number: Int32) async throws {
      let terminal = try Terminal()
      let before = terminal.settings
      let program = try BuiltProgram([], on: terminal, environment: ["TERM": "dumb", "SWIFT_BACKTRACE": "enable=no"])
      try terminal.type("admin\n")
      let screen = "Username: admin\r\nPassword: "
      #expect(await terminal.read(asMuchAs: screen).count == screen.count)
      #expect(!terminal.showsKeys)
      program.signal(number)
      #expect(try await program.end() == .init(reason: .uncaughtSignal, status: number))
      #expect(terminal.settings == before)
    }

    // --json, with the last event of the last sign-in, before the process ends.
    @Test func jsonIsComplete() async throws {
      let program = try BuiltProgram(["--json", "--latency", "0"])
      try program.write("error\nerror\nadmin\nadmin\n")
      try program.endInput()
      let lines = try await program.readOutput().split(separator: "\n")
      #expect(lines.count == 35)
      #expect(lines.last == #"{"stream":"isLoading","isLoading":false}"#)
      #expect(try await program.end() == .init(reason: .exit, status: 0))
    }
  }
#endif
