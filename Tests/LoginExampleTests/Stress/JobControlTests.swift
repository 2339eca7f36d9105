#if os(Linux)
  import Foundation
  import Testing

  /// The built program as a job of a shell that stops it, continues it, and runs it in the background.
  @Suite(.stress, .serialized) struct JobControlTests {
    private let shell: Shell
    private let program = BuiltProgram.directory.appendingPathComponent("LoginExample").path
    private let before: [UInt32]

    init() async throws {
      shell = try Shell()
      let isThere = try await shell.run()
      try #require(isThere)
      before = shell.terminal.settings
    }

    /// Whether the terminal has the settings and modes that it had before the program.
    private var isRestored: Bool {
      shell.terminal.settings == before && shell.screen.setModes.isDisjoint(with: ["?1049", "?2004"])
    }

    private func startAndStop() async throws {
      try shell.type("\(program)\n")
      #expect(await shell.see("Username"))
      try shell.type("ab\u{1A}")
      #expect(await shell.see("Stopped"))
      #expect(try await shell.run())
      #expect(isRestored)
    }

    /// Brings the program to the foreground, checks that it kept the text of the field, and leaves it.
    private func continueAndLeave(_ name: String = "ab") async throws {
      try shell.type("fg\n")
      #expect(await shell.see("Username"))
      try shell.type("cd")
      #expect(await shell.see("Username  \(name)cd"))
      try shell.type("\u{3}")
      // Waits for the shell's prompt before the next command, because the program reads the keys until it ends.
      #expect(await shell.terminal.watch(shell.screen) { !$0.setModes.contains("?1049") && $0.contains("ready") })
      #expect(isRestored)
    }

    // Repeats the stop, because any thread of the program may get the signal first.
    @Test func stopsAndGoesOn() async throws {
      for _ in 1...8 {
        try await startAndStop()
        try await continueAndLeave()
      }
    }

    @Test func doesNotTouchTheTerminalInTheBackground() async throws {
      try await startAndStop()
      #expect(try await shell.run("bg"))
      #expect(try await stops())
      #expect(isRestored)
      #expect(!shell.screen.setModes.contains("?1049"))
      try await continueAndLeave()
    }

    @Test func startsInTheBackground() async throws {
      #expect(try await shell.run("\(program) &"))
      #expect(try await stops())
      #expect(isRestored)
      #expect(shell.screen.allFrames.isEmpty)
      try await continueAndLeave("")
    }

    // The signal arrives while the program is stopped, and ends it when it continues.
    @Test func endsWhileItIsStopped() async throws {
      try await startAndStop()
      #expect(try await shell.run("kill -TERM %1; bg; wait %1", status: 128 + SIGTERM))
      #expect(isRestored)
    }

    @Test func theShellShowsKeysWhileThePasswordPromptIsStopped() async throws {
      try shell.type("TERM=dumb \(program)\nadmin\n")
      #expect(await hidesKeys())
      try shell.type("\u{1A}")
      #expect(await shell.see("Stopped"))
      #expect(try await shell.run())
      #expect(isRestored)
      try shell.type("fg\n")
      #expect(await hidesKeys())
      try shell.type("admin\n")
      #expect(await shell.see("Signed in as admin"))
      try shell.type("\u{4}")
      #expect(try await shell.run())
      #expect(isRestored)
    }

    private func hidesKeys() async -> Bool {
      await shell.terminal.watch(shell.screen) { [terminal = shell.terminal] _ in !terminal.showsKeys }
    }

    /// Waits until the kernel has stopped the background job, which may not change the terminal.
    private func stops() async throws -> Bool {
      try await shell.run("wait %1", status: 128 + SIGTTOU)
    }
  }
#endif
