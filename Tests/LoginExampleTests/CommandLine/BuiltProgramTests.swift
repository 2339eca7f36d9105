#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import LoginExample

  /// The built program in a process, with its exit codes, pipes and signals.
  @Suite(.hangLimit) struct BuiltProgramTests {
    @Test(
      arguments: [
        ("admin\nadmin\n", [], "Sign in: enabled\nSigned in as admin\n", "", 0),
        ("admin\nwrong\n", [], "Sign in: enabled\nWrong username or password\n", "", 1),
        ("a\nb\n", [], "Sign in: disabled\n", "", 1),
        ("error\nerror\n", [], "Sign in: enabled\nSomething unexpected came up\n", "", 2),
        ("", ["--latency", "-1"], "", "LoginExample: --latency needs a number of milliseconds\n\n\(usage)\n", 64),
        ("", [], "", "LoginExample: the input holds no pair\n", 65),
        (
          "admin\nadmin\nadmin\n", [], "Sign in: enabled\nSigned in as admin\n",
          "LoginExample: the input ends inside a pair\n", 65
        ),
        ("", ["--help"], usage + "\n", "", 0),
      ] as [(String, [String], String, String, Int32)])
    func exitCodes(input: String, options: [String], output: String, errors: String, status: Int32) async throws {
      let program = try BuiltProgram(["--latency", "0"] + options)
      if !input.isEmpty { try program.write(input) }
      try program.endInput()
      #expect(try await program.readOutput() == output)
      #expect(try await program.readErrors() == errors)
      #expect(try await program.end() == .init(reason: .exit, status: status))
    }

    // The program does not buffer its output: each line arrives in the pipe while the input is still open.
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

    // If its output is closed, the program ends with an exit code and not by SIGPIPE, even if input remains. The program has to print more
    // than a pipe holds: a process that another test starts inherits all pipes and closes them a moment later. Until then the pipe of this
    // test still has a reader, and its buffer accepts a few lines.
    @Test func closedOutput() async throws {
      let program = try BuiltProgram(["--latency", "0"])
      try program.output.fileHandleForReading.close()
      // The write fails if the program ends before it has read all of the input.
      try? program.write(String(repeating: "admin\nadmin\n", count: 5_000))
      #expect(try await program.end() == .init(reason: .exit, status: 74))
      #expect(try await program.readErrors() == "")
    }

    // The output is closed after the program has printed some lines, while the program waits for input.
    @Test func outputThatIsClosedWhileTheProgramWaits() async throws {
      let program = try BuiltProgram(["--latency", "0"])
      try program.write("admin\nadmin\n")
      let lines = "Sign in: enabled\nSigned in as admin\n"
      #expect(try await program.read(asMuchAs: lines) == lines)
      try program.output.fileHandleForReading.close()
      try? program.write(String(repeating: "admin\nadmin\n", count: 5_000))
      #expect(try await program.end() == .init(reason: .exit, status: 74))
    }

    #if os(Linux)
      // Each write to /dev/full fails.
      @Test(arguments: [[], ["--help"]])
      func outputThatFails(options: [String]) async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let program = try BuiltProgram(["--latency", "0"] + options, output: full)
        if options.isEmpty { try program.write("a\nb\n") }
        #expect(try await program.end() == .init(reason: .exit, status: 74))
        #expect(try await program.readErrors() == "")
      }
    #endif

    // A failed read is an error and not the end of the input. Here the input is a directory, which cannot be read.
    @Test func inputThatCannotBeRead() async throws {
      let directory = FileHandle(fileDescriptor: open("/", O_RDONLY), closeOnDealloc: true)
      let program = try BuiltProgram([], input: directory)
      #expect(try await program.readErrors() == "LoginExample: can't read the input: Is a directory\n")
      #expect(try await program.end() == .init(reason: .exit, status: 74))
    }

    // On a terminal the program prompts for each line, asks again after a failure, and ends after a success. Neither the program nor the
    // terminal shows the password. A blank replaces the spinner when a sign-in has ended.
    @Test func promptsOnATerminal() async throws {
      let terminal = try Terminal()
      let program = try BuiltProgram(["--latency", "0"], on: terminal)
      for (screen, showsKeys, keys) in [
        ("Username: ", true, "a\n"),
        ("a\r\nPassword: ", false, "bb\n"),
        ("\r\nSign in: disabled\r\nUsername: ", true, "admin\n"),
        ("admin\r\nPassword: ", false, "hunter2\n"),
        ("\r\nSign in: enabled\r\n\r \rWrong username or password\r\nUsername: ", true, "admin\n"),
        ("admin\r\nPassword: ", false, "admin\n"),
      ] {
        #expect(await terminal.read(asMuchAs: screen) == screen)
        #expect(terminal.showsKeys == showsKeys)
        try terminal.type(keys)
      }
      let end = "\r\n\r \rSigned in as admin\r\n"
      #expect(await terminal.read(asMuchAs: end) == end)
      #expect(try await program.end() == .init(reason: .exit, status: 0))
      #expect(terminal.showsKeys)
    }

    // After the end of the input the program prints a line end, so that the shell's prompt begins a new line.
    @Test func theInputEndsOnATerminal() async throws {
      let terminal = try Terminal()
      let program = try BuiltProgram(["--latency", "0"], on: terminal)
      for (screen, keys) in [
        ("Username: ", "a\n"), ("a\r\nPassword: ", "bb\n"), ("\r\nSign in: disabled\r\nUsername: ", "\u{4}"),
      ] {
        #expect(await terminal.read(asMuchAs: screen) == screen)
        try terminal.type(keys)
      }
      #expect(await terminal.read(asMuchAs: "\r\n") == "\r\n")
      #expect(try await program.end() == .init(reason: .exit, status: 1))
    }

    // The sign-in takes longer than the test, which interrupts the program.
    @Test func theSpinnerTurnsWhileASignInRuns() async throws {
      let terminal = try Terminal()
      let before = terminal.settings
      let program = try BuiltProgram(["--latency", "\(Int64.max)"], on: terminal)
      #expect(await terminal.read(asMuchAs: "Username: ") == "Username: ")
      try terminal.type("admin\n")
      #expect(await terminal.read(asMuchAs: "admin\r\nPassword: ") == "admin\r\nPassword: ")
      try terminal.type("admin\n")
      let screen = "\r\nSign in: enabled\r\n" + ["|", "/", "-", "\\", "|"].map { "\r\($0)\r" }.joined()
      #expect(await terminal.read(asMuchAs: screen) == screen)
      program.signal(SIGINT)
      #expect(try await program.end() == .init(reason: .uncaughtSignal, status: SIGINT))
      #expect(terminal.settings == before)
    }

    // Here the prompts are the whole output.
    @Test func aTerminalThatHangsUpEndsTheProgram() async throws {
      let (keyboard, screen) = (try Terminal(), try Terminal())
      let program = try BuiltProgram([], on: keyboard, screen: screen)
      let before = keyboard.settings
      #expect(await screen.read(asMuchAs: "Username: ") == "Username: ")
      try screen.hangUp()
      try keyboard.type("a\n")
      #expect(try await program.end() == .init(reason: .exit, status: 74))
      #expect(keyboard.settings == before)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func showsKeysAgainAfterASignal(number: Int32) async throws {
      let terminal = try Terminal()
      let before = terminal.settings
      let program = try BuiltProgram([], on: terminal, environment: ["TERM": "dumb"])
      try terminal.type("admin\n")
      let screen = "Username: admin\r\nPassword: "
      #expect(await terminal.read(asMuchAs: screen).count == screen.count)
      #expect(!terminal.showsKeys)
      program.signal(number)
      #expect(try await program.end() == .init(reason: .uncaughtSignal, status: number))
      #expect(terminal.settings == before)
    }
  }
#endif
