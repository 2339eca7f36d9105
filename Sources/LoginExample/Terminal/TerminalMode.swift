import Foundation

/// The temporary changes that the program makes to the terminal, and the signal handlers that undo them.
///
/// The functions run on the main thread and in signal handlers, so they take no locks and allocate no memory. They contain no loop over an
/// array, which allocates in a debug build. The order of their statements matters, because a signal may arrive between any two.
enum TerminalMode {
  /// Keys arrive one by one and are not shown. The form uses the alternate screen, which hides the previous one.
  case form
  /// Input arrives line by line, and keys are not shown.
  case hiddenKeys

  typealias Handler = @convention(c) (Int32) -> Void

  private static let endOfForm: StaticString = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
  nonisolated(unsafe) private static var isTaken = false
  nonisolated(unsafe) private static var mode = TerminalMode.form
  /// The settings of the terminal before it was taken.
  ///
  /// Allocated, because Swift 6.3 reserves 57 bytes for a static variable of this type of 60.
  nonisolated(unsafe) private static let saved = {
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    settings.initialize(to: termios())
    return settings
  }()
  /// The file descriptor to which the handlers write the signals that the form handles.
  nonisolated(unsafe) static var signals: Int32 = -1

  /// Takes the terminal and installs the signal handlers. If the terminal is still taken, because the process was stopped without time to
  /// restore it, takes it again. Returns false if the input is not a terminal or is not available. A background job stops here until it is
  /// in the foreground.
  static func take(_ newMode: TerminalMode) -> Bool {
    // The kernel stops a background job that calls `tcdrain`.
    while tcdrain(STDIN_FILENO) != 0 { if errno != EINTR { return false } }
    if !isTaken {
      if tcgetattr(STDIN_FILENO, saved) != 0 { return false }
      (mode, isTaken) = (newMode, true)
      handleSignals(true)
    } else if mode == .form {
      write(endOfForm, -1)
    }
    let isForm = mode == .form
    var settings = saved.pointee
    settings.c_lflag &= ~tcflag_t(isForm ? ICANON | ECHO | ISIG | IEXTEN : ECHO)
    settings.c_lflag |= tcflag_t(isForm ? 0 : ECHONL)
    settings.c_iflag &= ~tcflag_t(isForm ? IXON | ICRNL | INLCR : 0)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    if isForm { write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h", -1) }
    return true
  }

  /// Restores the terminal, unless it belongs to another job now, and removes the signal handlers. Idempotent.
  ///
  /// - Parameter patience: The number of milliseconds to wait for a terminal that accepts no output; -1 for no limit.
  static func restore(patience: Int32 = -1) {
    if !isTaken { return }
    if isInForeground {
      tcsetattr(STDIN_FILENO, TCSANOW, saved)
      if mode == .form { write(endOfForm, patience) }
    }
    isTaken = false
    handleSignals(false)
  }

  /// Restores the terminal, stops the whole job as the terminal would, and takes the terminal again when the job continues. Returns false
  /// if the terminal is not available then.
  static func suspend() -> Bool {
    restore()
    var (stop, before) = (sigset_t(), sigset_t())
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &stop, &before)
    // This thread gets the signal too, so that it stops here whichever thread gets the signal of the job. Continuing discards both.
    raise(SIGTSTP)
    kill(0, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return take(mode)
  }

  /// Whether this job is in the foreground, or its input is not the terminal of the session.
  static var isInForeground: Bool {
    let job = tcgetpgrp(STDIN_FILENO)
    return job < 0 || job == getpgrp()
  }

  private static func write(_ text: StaticString, _ patience: Int32) {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(STDOUT_FILENO, F_SETFL, flags) }
    var (written, poller) = (0, pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0))
    while written < text.utf8CodeUnitCount, poll(&poller, 1, patience) > 0 {
      let count = Foundation.write(STDOUT_FILENO, text.utf8Start + written, text.utf8CodeUnitCount - written)
      if count < 0 && errno != EAGAIN { return }
      if count > 0 { written += count }
    }
  }

  /// Installs the handlers, or restores the default effects of the signals. A signal that is ignored stays ignored: a parent process such
  /// as `nohup` may have requested that.
  private static func handleSignals(_ isOn: Bool) {
    var number: Int32 = 1
    while number < 32 {
      if let handler = handler(of: number) {
        let previous = signal(number, isOn ? handler : SIG_DFL)
        if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
      }
      number += 1
    }
  }

  private static func handler(of number: Int32) -> Handler? {
    switch number {
    case SIGTSTP where mode == .hiddenKeys: return { _ in _ = TerminalMode.suspend() }
    case SIGINT where mode == .hiddenKeys: return die
    case SIGTSTP, SIGINT, SIGCONT, SIGWINCH: return note
    case SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGSYS, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGVTALRM,
      SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ:
      return die
    default: return nil
    }
  }

  private static let note: Handler = { number in
    let error = errno
    var byte = UInt8(number)
    _ = Foundation.write(signals, &byte, 1)
    errno = error
  }

  /// Restores the terminal, and raises the signal again with its default effect. Waits for the terminal no longer than a second: if the
  /// main thread is blocked in a write, the terminal accepts no output.
  private static let die: Handler = { number in
    restore(patience: 1_000)
    raise(number)
  }
}
