/// The terminal's settings while the program has changed them, and before.
///
/// Signal handlers come here too: no locks, no memory, and the order of the statements counts.
enum TerminalState {
  nonisolated(unsafe) private static var isTaken = false
  nonisolated(unsafe) private static var mode = TerminalMode()
  nonisolated(unsafe) private static var saved = termios()

  /// By their signals' numbers.
  nonisolated(unsafe) private static let previousActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    actions.initialize(repeating: sigaction(), count: 32)
    return actions
  }()

  /// Takes the terminal, and has signals give it back. False if the input is none, or can't be had.
  static func take(_ newMode: TerminalMode) -> Bool {
    mode = newMode
    return takeAgain()
  }

  /// In the background it stops the job until it is in the foreground: the terminal is another's, and so are its settings.
  private static func takeAgain() -> Bool {
    guard !isTaken, hearingSignals(waitForForeground), tcgetattr(STDIN_FILENO, &saved) == 0 else { return false }
    var settings = saved
    settings.c_lflag = settings.c_lflag & ~mode.cleared | mode.set
    settings.c_iflag &= ~mode.clearedInput
    isTaken = true
    // First, so that no signal finds the terminal changed and nobody to give it back.
    for (signal, handler) in mode.handlers { install(handler, for: signal) }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    _ = write(STDOUT_FILENO, mode.begin.utf8Start, mode.begin.utf8CodeUnitCount)
    return true
  }

  /// Everything as it was, unless the terminal is another's meanwhile. Idempotent.
  static func restore(isDying: Bool = false) {
    if !isTaken { return }
    if isInForeground {
      tcsetattr(STDIN_FILENO, TCSANOW, &saved)
      if isDying {
        writeEndWithoutBlocking()
      } else {
        _ = write(STDOUT_FILENO, mode.end.utf8Start, mode.end.utf8CodeUnitCount)
      }
    }
    isTaken = false
    for (signal, _) in mode.handlers { sigaction(signal, previousActions + Int(signal), nil) }
  }

  /// Gives the terminal back, stops the whole job as the terminal would, and takes the terminal again once continued.
  /// False if it can't be had.
  static func suspend() -> Bool {
    let wasTaken = isTaken
    restore()
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &stop, &before)
    // For this thread as well, so that it goes no further, whichever thread the job's signal stops: continuing takes
    // both away.
    raise(SIGTSTP)
    kill(0, SIGTSTP)
    let hasTerminal = hearingSignals { !wasTaken || takeAgain() }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return hasTerminal
  }

  /// After a stop without a chance to give the terminal back. False if it can't be had.
  static func resume() -> Bool {
    if !isTaken { return true }
    restore()
    return takeAgain()
  }

  /// Whether it is this job that the terminal listens to. There is none if it is not the session's.
  static var isInForeground: Bool {
    let job = tcgetpgrp(STDIN_FILENO)
    return job < 0 || job == getpgrp()
  }

  /// A handler: the signal takes the course that it had before, with the terminal restored.
  static let die: TerminalMode.Handler = { signal in
    restore(isDying: true)
    sigaction(signal, previousActions + Int(signal), nil)
    raise(signal)
  }

  /// A moment for a terminal that takes no output; the main thread may hang in writing to it.
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

  /// What is asked of the terminal here is asked of the kernel: it stops a job in the background.
  private static func waitForForeground() -> Bool {
    while tcdrain(STDIN_FILENO) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// Lets this thread, which may be one of Dispatch's that block all signals, stop and end at those of a job.
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

  /// Whoever started the program may have had a signal ignored, as `nohup` does.
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

  /// `SIG_IGN`, which is no function.
  private static let ignored = 1
}
