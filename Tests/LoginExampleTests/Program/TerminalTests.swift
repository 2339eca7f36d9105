#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The program on a terminal.
  @Suite(.hangLimit) struct TerminalTests {
    private let terminal: Terminal
    private let before: [tcflag_t]

    init() throws {
      terminal = try Terminal()
      before = terminal.settings
    }

    private func start(_ arguments: [String] = []) throws -> BuiltProgram {
      try BuiltProgram(arguments, input: terminal.device, output: terminal.device)
    }

    private func expect(_ screen: String, showsKeys: Bool? = nil) async {
      #expect(await terminal.screen.next(screen.utf8.count) == screen)
      if let showsKeys { #expect(terminal.showsKeys == showsKeys) }
    }

    // The program prompts for each line, asks again after a failure, and ends after a success. Neither the program nor the terminal shows
    // the password. A blank replaces the spinner when a sign-in has ended.
    @Test func promptsUntilASignInSucceeds() async throws {
      let program = try start()
      for (screen, showsKeys, keys) in [
        ("Username: ", true, "a\n"),
        ("a\r\nPassword: ", false, "bb\n"),
        ("\r\nSign in: disabled\r\nUsername: ", true, "admin\n"),
        ("admin\r\nPassword: ", false, "hunter2\n"),
        ("\r\nSign in: enabled\r\n\r \rWrong username or password\r\nUsername: ", true, "admin\n"),
        ("admin\r\nPassword: ", false, "admin\n"),
      ] {
        await expect(screen, showsKeys: showsKeys)
        try terminal.type(keys)
      }
      await expect("\r\n\r \rSigned in as admin\r\n")
      #expect(await program.end() == .exit(0))
      #expect(terminal.settings == before)
    }

    // After the end of the input the program prints a line end, so that the shell's prompt begins a new line.
    @Test func theInputEnds() async throws {
      let program = try start()
      for (screen, keys) in [
        ("Username: ", "a\n"), ("a\r\nPassword: ", "bb\n"), ("\r\nSign in: disabled\r\nUsername: ", "\u{4}"),
      ] {
        await expect(screen)
        try terminal.type(keys)
      }
      await expect("\r\n")
      #expect(await program.end() == .exit(1))
    }

    // The sign-in takes longer than the test, which interrupts the program.
    @Test func theSpinnerTurnsWhileASignInRuns() async throws {
      let program = try start(["--latency", "\(Int64.max)"])
      for (screen, keys) in [("Username: ", "admin\n"), ("admin\r\nPassword: ", "admin\n")] {
        await expect(screen)
        try terminal.type(keys)
      }
      await expect("\r\nSign in: enabled\r\n" + ["|", "/", "-", "\\", "|"].map { "\r\($0)\r" }.joined())
      program.signal(SIGINT)
      #expect(await program.end() == .signal(SIGINT))
      #expect(terminal.settings == before)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aSignalShowsTheKeysAgain(number: Int32) async throws {
      let program = try start()
      await expect("Username: ")
      try terminal.type("admin\n")
      await expect("admin\r\nPassword: ", showsKeys: false)
      program.signal(number)
      #expect(await program.end() == .signal(number))
      #expect(terminal.settings == before)
    }

    // Here the prompts are the whole output.
    @Test func aScreenThatHangsUpEndsTheProgram() async throws {
      let other = try Terminal()
      let program = try BuiltProgram(input: terminal.device, output: other.device)
      #expect(await other.screen.next("Username: ".utf8.count) == "Username: ")
      try other.screen.close()
      try terminal.type("a\n")
      #expect(await program.end() == .exit(74))
      #expect(terminal.settings == before)
    }
  }
#endif
