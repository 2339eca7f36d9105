/// The terminal's settings, before and after the program has changed them.
///
/// Signal handlers call this too, so it uses no locks and allocates no memory. The order of its statements matters.
enum TerminalState {
  nonisolated(unsafe) private static var isTaken = false
  nonisolated(unsafe) private static var mode = TerminalMode()
  nonisolated(unsafe) private static var saved = termios()

  /// The previous signal actions, by the numbers of their signals.
  nonisolated(unsafe) private static let previousActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    actions.initialize(repeating: sigaction(), count: 32)
    return actions
  }()

  /// Takes the terminal, and installs signal handlers that restore it. Returns false if the input is not a terminal, or is not available.
  static func take(_ newMode: TerminalMode) -> Bool {
    mode = newMode
    return takeAgain()
  }

  /// Takes the terminal with the current mode. A job in the background stops here until it is in the foreground,
  /// because the terminal and its settings belong to another job.
  private static func takeAgain() -> Bool {
    guard !isTaken, hearingSignals(waitForForeground), tcgetattr(STDIN_FILENO, &saved) == 0 else { return false }
    isTaken = true
    // The handlers come first, so that no signal finds a changed terminal without a handler that restores it.
    for (signal, handler) in mode.handlers { install(handler, for: signal) }
    begin()
    return true
  }

  /// Changes the terminal's settings as the mode requests, and writes the beginning of the mode.
  private static func begin() {
    var settings = saved
    settings.c_lflag = settings.c_lflag & ~mode.cleared | mode.set
    settings.c_iflag &= ~mode.clearedInput
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    writeOut(mode.begin)
  }

  private static func writeOut(_ text: StaticString) {
    _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Restores the terminal and the signal actions. If the terminal belongs to another job now, its settings stay.
  /// Idempotent.
  static func restore(isDying: Bool = false) {
    if !isTaken { return }
    if isInForeground {
      tcsetattr(STDIN_FILENO, TCSANOW, &saved)
      if isDying {
        writeEndWithoutBlocking()
      } else {
        writeOut(mode.end)
      }
    }
    isTaken = false
    for (signal, _) in mode.handlers { sigaction(signal, previousActions + Int(signal), nil) }
  }

  /// Restores the terminal, stops the whole job as the terminal would, and takes the terminal again when the job continues. Returns false
  /// if the terminal is not available then.
  static func suspend() -> Bool {
    let wasTaken = isTaken
    restore()
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &stop, &before)
    // Also sent to this thread, so that it stops here whichever thread handles the job's signal. Continuing removes both signals.
    raise(SIGTSTP)
    kill(0, SIGTSTP)
    let hasTerminal = hearingSignals { !wasTaken || takeAgain() }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return hasTerminal
  }

  /// Takes the terminal again after a stop that left no time to restore it. Returns false if it is not available.
  ///
  /// The settings go from those that the stop has left straight to the mode's. With the previous ones in between, a key
  /// typed at that moment would be shown, and Ctrl-C would be a signal instead of a key.
  static func resume() -> Bool {
    if !isTaken { return true }
    guard hearingSignals(waitForForeground) else { return false }
    writeOut(mode.end)
    begin()
    return true
  }

  /// Whether this job is in the foreground of its terminal. Also true if the input is not the session's terminal, which
  /// has no foreground job.
  static var isInForeground: Bool {
    let job = tcgetpgrp(STDIN_FILENO)
    return job < 0 || job == getpgrp()
  }

  /// A signal handler, which restores the terminal and then lets the signal have its previous effect.
  static let die: TerminalMode.Handler = { signal in
    restore(isDying: true)
    sigaction(signal, previousActions + Int(signal), nil)
    raise(signal)
  }

  /// Writes the end of the mode. If the terminal accepts no output, this gives up after a moment, because the main thread may be blocked in
  /// a write.
  private static func writeEndWithoutBlocking() {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
    var written = 0
    while written < mode.end.utf8CodeUnitCount {
      var poller = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&poller, 1, 1_000) > 0 else { break }
      let count = write(STDOUT_FILENO, mode.end.utf8Start + written, mode.end.utf8CodeUnitCount - written)
      if count < 0 && errno != EAGAIN { break }
      written += max(0, count)
    }
    _ = fcntl(STDOUT_FILENO, F_SETFL, flags)
  }

  /// Waits until this job is in the foreground. The kernel stops a background job that calls `tcdrain`.
  private static func waitForForeground() -> Bool {
    while tcdrain(STDIN_FILENO) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// Unblocks the job's signals for this thread while `body` runs, so that they can stop or end it. The thread may belong to Dispatch,
  /// whose threads block all signals.
  private static func hearingSignals(_ body: () -> Bool) -> Bool {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    sigaddset(&signals, SIGTTOU)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Installs a handler for a signal, unless the signal is ignored. The parent process may have requested that, as `nohup` does.
  private static func install(_ handler: @escaping TerminalMode.Handler, for signal: Int32) {
    let previous = previousActions + Int(signal)
    sigaction(signal, nil, previous)
    var action = sigaction()
    action.sa_flags = SA_RESTART
    #if canImport(Darwin)
      let isIgnored = unsafeBitCast(previous.pointee.__sigaction_u.__sa_handler, to: Int.self) == ignored
      action.__sigaction_u.__sa_handler = handler
    #else
      let isIgnored = unsafeBitCast(previous.pointee.__sigaction_handler.sa_handler, to: Int.self) == ignored
      action.__sigaction_handler.sa_handler = handler
    #endif
    if !isIgnored { sigaction(signal, &action, nil) }
  }

  /// The value of `SIG_IGN`, which is not a function.
  private static let ignored = 1
}
