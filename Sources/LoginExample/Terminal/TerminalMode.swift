/// What the program changes in the terminal for a time, and what signals do meanwhile.
struct TerminalMode {
  typealias Handler = @convention(c) (Int32) -> Void

  /// Local flags that are set and cleared, input flags that are cleared.
  var set: tcflag_t = 0
  var cleared: tcflag_t = 0
  var clearedInput: tcflag_t = 0
  /// What is written at the beginning and at the end.
  var begin: StaticString = ""
  var end: StaticString = ""
  var handlers: [(signal: Int32, handler: Handler)] = []

  /// Keys come one by one and unseen, in another screen than the one that was there.
  static let form = TerminalMode(
    cleared: tcflag_t(ICANON | ECHO | ISIG | IEXTEN), clearedInput: tcflag_t(IXON | ICRNL | INLCR),
    begin: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h", end: "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l",
    handlers: deadly.map { ($0, TerminalState.die) }
      + [SIGWINCH, SIGCONT, SIGINT, SIGTSTP].map { ($0, SignalPipe.note) })

  /// Lines, the keys of which are not shown.
  static let hiddenKeys = TerminalMode(
    set: tcflag_t(ECHONL), cleared: tcflag_t(ECHO),
    handlers: (deadly + [SIGINT]).map { ($0, TerminalState.die) } + [(SIGTSTP, { _ in _ = TerminalState.suspend() })])

  /// All that end a process, but for the interrupt.
  private static let deadly = [
    SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGSYS, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGVTALRM,
    SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
  ]
}
