#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The built program in a pseudo-terminal. The tests type keys and read the screen.
  @Suite(.serialized) struct FormProgramTests {
    private static let terminal = ["TERM": "xterm-256color"]

    private struct Session {
      let terminal: Terminal
      let screen: ScreenEmulation
      let program: BuiltProgram
      let before: [UInt32]
      /// A latency longer than any test: a sign-in runs until the test cancels it.
      static let endless = ["--latency", "\(Int64.max)"]

      init(
        _ arguments: [String] = ["--latency", "0"], environment: [String: String] = FormProgramTests.terminal,
        columns: Int = 60
      ) throws {
        terminal = try Terminal()
        terminal.resize(columns: columns, rows: 24)
        screen = ScreenEmulation(columns: columns, rows: 24)
        before = terminal.settings
        program = try BuiltProgram(arguments, on: terminal, environment: environment)
      }

      func see(_ text: String) async -> Bool {
        await terminal.watch(screen) { $0.contains(text) }
      }

      /// Waits for the program to end, and reads its output meanwhile: a terminal whose output is not read may block the program.
      func end() async throws -> BuiltProgram.Ended {
        async let ended = program.end()
        _ = await terminal.watch(screen) { !$0.setModes.contains("?1049") && !$0.allFrames.isEmpty }
        return try await ended
      }

      /// Whether the terminal has its original settings and shows the previous screen.
      var isRestored: Bool {
        terminal.settings == before && screen.setModes == ["?25"]
      }
    }

    @Test func signsIn() async throws {
      let session = try Session()
      #expect(await session.see("Username"))
      #expect(session.screen.setModes.isSuperset(of: ["?1049", "?2004"]))
      #expect(!session.terminal.showsKeys)
      #expect(await session.see("( Sign in )"))
      try session.terminal.type("adminx\u{7F}\t\u{1B}[200~admin\u{1B}[201~")
      #expect(await session.see("[ Sign in ]"))
      #expect(await session.see("Password  •••••"))
      #expect(session.screen.contains("Username  admin"))
      try session.terminal.type("\r")
      #expect(await session.see("  Signed in as admin"))
      #expect(!session.screen.allFrames.contains { $0.contains("Password  admin") || $0.contains("Password  a") })
      #expect(session.screen.styles.contains("32"))
      try session.terminal.type("\u{1B}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 0))
      #expect(session.isRestored)
      #expect(await session.see("Signed in as admin"))
    }

    @Test(arguments: [
      ("admin", "wrong", "Wrong username or password", 1), ("error", "error", "Something unexpected", 2),
    ])
    func fails(username: String, password: String, message: String, status: Int32) async throws {
      let session = try Session(environment: ["TERM": "xterm"])
      try session.terminal.type("\(username)\t\(password)\t")
      #expect(await session.see("› [ Sign in ]"))
      try session.terminal.type("\r")
      #expect(await session.see(message))
      try session.terminal.type("\u{3}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: status))
      #expect(session.isRestored)
    }

    @Test func keysTypedAheadAreNotLost() async throws {
      let session = try Session()
      #expect(await session.see("Username"))
      try session.terminal.type("admin\radmin\r")
      #expect(await session.see("Signed in as admin"))
      try session.terminal.type("\u{3}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 0))
    }

    @Test(arguments: ["\r", "\t"])
    func enterInTheLastFieldSignsIn(next: String) async throws {
      let session = try Session()
      #expect(await session.see("Username"))
      try session.terminal.type("admin\(next)admin")
      #expect(await session.see("[ Sign in ]"))
      try session.terminal.type("\r")
      #expect(await session.see("Signed in as admin"))
      #expect(session.screen.contains("› Password  •••••"))
      try session.terminal.type("\u{1B}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 0))
      #expect(session.isRestored)
    }

    @Test func enterInTheLastFieldGoesOnToADisabledButton() async throws {
      let session = try Session()
      #expect(await session.see("Username"))
      try session.terminal.type("admin\rpw\r")
      #expect(await session.see("› ( Sign in )"))
      // On a disabled button Enter does nothing.
      try session.terminal.type("\r\u{1B}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 65))
      #expect(session.isRestored)
    }

    // The second and the third Enter do nothing, because a sign-in is running.
    @Test func theSpinnerTurnsUntilEscapeCancels() async throws {
      let session = try Session(Session.endless)
      #expect(await session.see("Username"))
      try session.terminal.type("admin\tadmin\r\r\r")
      let isTurning = await session.terminal.watch(session.screen) { screen in
        Set(screen.allFrames.joined().filter { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains($0) }).count > 1
      }
      #expect(isTurning)
      try session.terminal.type("\u{1B}")
      #expect(await session.see("Cancelled"))
      #expect(await session.see("Esc leaves"))
      try session.terminal.type("\u{1B}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 65))
      #expect(session.isRestored)
    }

    @Test func escapeCancelsASignInAndTypingGoesOn() async throws {
      let session = try Session(Session.endless)
      try session.terminal.type("admin\tadmin\t")
      #expect(await session.see("› [ Sign in ]"))
      try session.terminal.type("\r")
      #expect(await session.see("Esc cancels"))
      try session.terminal.type("\r\t!")
      #expect(await session.see("Username  admin!"))
      try session.terminal.type("\u{1B}")
      #expect(await session.see("Cancelled"))
      #expect(await session.see("Esc leaves"))
      try session.terminal.type("\u{1B}")
      #expect(try await session.end() == BuiltProgram.Ended(reason: .exit, status: 65))
      #expect(session.isRestored)
    }

    // The keys Ctrl-C are no signal while the form is shown, so these come from other processes.
    @Test(arguments: [SIGTERM, SIGINT])
    func restoresTheTerminalOnASignal(number: Int32) async throws {
      try await ends(Session(), on: number)
    }

    private func ends(_ session: Session, on number: Int32) async throws {
      #expect(await session.see("Username"))
      session.program.signal(number)
      let ended = try await session.end()
      #expect(ended == BuiltProgram.Ended(reason: .uncaughtSignal, status: number))
      #expect(session.isRestored)
    }

    // The signal arrives right after the program has taken the terminal, perhaps before the first frame.
    @Test(.stress, arguments: [SIGTERM, SIGINT])
    func restoresTheTerminalOnASignalRightAfterTakingIt(number: Int32) async throws {
      for _ in 1...5 {
        let session = try Session()
        #expect(await session.terminal.watch(session.screen) { $0.setModes.contains("?1049") })
        session.program.signal(number)
        let ended = BuiltProgram.Ended(reason: .uncaughtSignal, status: number)
        // `Session.end()` would wait for a frame.
        #expect(try await session.program.end() == ended)
        #expect(await session.terminal.watch(session.screen) { !$0.setModes.contains("?1049") })
        #expect(session.isRestored)
      }
    }

    @Test func endsWithAnOutputThatFails() async throws {
      let (keyboard, screen, emulation) = (try Terminal(), try Terminal(), ScreenEmulation())
      let before = keyboard.settings
      let program = try BuiltProgram(
        ["--latency", "0"], on: keyboard, screen: screen, environment: Self.terminal)
      #expect(await screen.watch(emulation) { $0.contains("Username") })
      // The exit code reports the failed write, although the sign-in succeeds.
      try keyboard.type("admin\radmin\r")
      #expect(await screen.watch(emulation) { $0.contains("Signed in as admin") })
      try screen.hangUp()
      try keyboard.type("x")
      #expect(try await program.end() == BuiltProgram.Ended(reason: .exit, status: 74))
      #expect(keyboard.settings == before)
    }

    @Test func survivesAWindowOfTwentyColumns() async throws {
      let session = try Session()
      #expect(await session.see("Tab moves, Enter goes on, Esc leaves"))
      // The next change draws the form in the window as it is then.
      session.terminal.resize(columns: 20)
      try session.terminal.type("a")
      #expect(await session.see("Tab moves, Enter go…"))
      try session.terminal.type("veryveryverylongname")
      #expect(await session.see("…ngname"))
      #expect(session.screen.lines.allSatisfy { $0.count <= 20 })
      try session.terminal.type("\u{3}")
      _ = try await session.end()
      #expect(session.isRestored)
    }
  }
#endif
