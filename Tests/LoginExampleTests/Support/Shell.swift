#if os(Linux)
  import Foundation

  /// An interactive shell with job control, in a terminal of its own.
  final class Shell: Sendable {
    let terminal: Terminal
    let screen = ScreenEmulation()
    private let process: pid_t

    init() throws {
      terminal = try Terminal()
      terminal.resize(columns: 60)
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      // The first terminal that the leader of a session opens becomes the terminal of the session.
      posix_spawn_file_actions_addopen(&actions, 0, ttyname(terminal.device.fileDescriptor), O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // The thread of the test blocks signals, and a new process would inherit that.
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      var all = sigset_t()
      sigfillset(&all)
      posix_spawnattr_setsigdefault(&attributes, &all)
      // `POSIX_SPAWN_SETSID`, which Glibc's header declares for GNU sources only.
      let newSession = Int32(0x80)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))
      let arguments: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-i"].map { (text: String) in strdup(text) } + [nil]
      let environment = ["TERM=xterm", "PS1=ready\n", "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin"]
      let variables: [UnsafeMutablePointer<CChar>?] = environment.map { (text: String) in strdup(text) } + [nil]
      defer { for text in arguments + variables { free(text) } }
      var process = pid_t()
      let error = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
      guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
      self.process = process
    }

    deinit {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    func see(_ text: String) async -> Bool {
      await terminal.watch(screen) { $0.contains(text) }
    }

    func type(_ keys: String) throws {
      try terminal.type(keys)
    }

    /// Runs a command, and waits until it has ended or stopped and the shell runs the next one.
    func run(_ command: String = "") async throws -> Bool {
      let mark = Int.random(in: 100_000..<1_000_000)
      // The shell prints the sum, which differs from the typed text that the terminal shows.
      try type("\(command)\necho $((\(mark) + 1))\n")
      return await see("\(mark + 1)")
    }

    /// Runs a command, and waits until it has ended with `status`.
    func run(_ command: String, status: Int32) async throws -> Bool {
      let mark = Int32.random(in: 100_000..<1_000_000)
      try type("\(command); echo $((\(mark) + 1 + $?))\n")
      return await see("\(mark + 1 + status)")
    }
  }
#endif
