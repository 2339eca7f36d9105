/// The temporary changes that the program makes to the terminal, and the signal handlers for that time.
struct TerminalMode {
  typealias Handler = @convention(c) (Int32) -> Void

  /// The local flags to set and to clear, and the input flags to clear.
  var set: tcflag_t = 0
  var cleared: tcflag_t = 0
  var clearedInput: tcflag_t = 0
  /// The text to write at the beginning and at the end.
  var begin: StaticString = ""
  var end: StaticString = ""
  var handlers: [(signal: Int32, handler: Handler)] = []

  /// The form: keys arrive one by one and are not shown, on a screen that hides the previous one.
  static let form = TerminalMode(
    cleared: tcflag_t(ICANON | ECHO | ISIG | IEXTEN), clearedInput: tcflag_t(IXON | ICRNL | INLCR),
    begin: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h", end: "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l",
    handlers: deadly.map { ($0, TerminalState.die) }
      + [SIGWINCH, SIGCONT, SIGINT, SIGTSTP].map { ($0, SignalPipe.note) })

  /// Hidden input: it arrives line by line, and the keys are not shown.
  static let hiddenKeys = TerminalMode(
    set: tcflag_t(ECHONL), cleared: tcflag_t(ECHO),
    handlers: (deadly + [SIGINT]).map { ($0, TerminalState.die) } + [(SIGTSTP, { _ in _ = TerminalState.suspend() })])

  /// All signals that end a process, except for the interrupt.
  private static let deadly = [
    SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGSYS, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGVTALRM,
    SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
  ]
}
