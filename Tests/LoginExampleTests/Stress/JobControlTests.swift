#if os(Linux)
  import Foundation
  import Testing

  /// The built program as a job of a shell: stopped, continued, in the background.
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

    /// The shell has the terminal, as it was before.
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

    /// To the foreground, with what was typed before, and out.
    private func continueAndLeave(_ name: String = "ab") async throws {
      try shell.type("fg\n")
      #expect(await shell.see("Username"))
      try shell.type("cd")
      #expect(await shell.see("Username  \(name)cd"))
      try shell.type("\u{3}")
      // Not at once: as long as the program is there, it reads what is typed.
      #expect(await shell.terminal.watch(shell.screen) { !$0.setModes.contains("?1049") && $0.contains("ready") })
      #expect(isRestored)
    }

    // Many times: it stops, whichever of its threads is the first.
    @Test func stopsAndGoesOn() async throws {
      for _ in 1...8 {
        try await startAndStop()
        try await continueAndLeave()
      }
    }

    @Test func staysOutOfTheWayInTheBackground() async throws {
      try await startAndStop()
      for _ in 1...3 {
        #expect(try await shell.run("bg"))
        #expect(try await stops())
        #expect(isRestored)
        #expect(!shell.screen.setModes.contains("?1049"))
      }
      try await continueAndLeave()
    }

    @Test func startsInTheBackground() async throws {
      #expect(try await shell.run("\(program) &"))
      #expect(try await stops())
      #expect(isRestored)
      #expect(shell.screen.allFrames.isEmpty)
      try await continueAndLeave("")
    }

    // By the signal that was sent before it is continued.
    @Test(arguments: [("TERM", SIGTERM), ("HUP", SIGHUP)])
    func endsWhileItIsStopped(signal: String, number: Int32) async throws {
      try await startAndStop()
      #expect(try await shell.run("kill -\(signal) %1; bg; wait %1", status: 128 + number))
      #expect(isRestored)
    }

    @Test func showsKeysWhileAPasswordWaits() async throws {
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

    /// Waits until the job in the background has stopped, because only the foreground may change the terminal.
    private func stops() async throws -> Bool {
      try await shell.run("wait %1", status: 128 + SIGTTOU)
    }
  }
#endif
