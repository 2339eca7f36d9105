import Foundation
import RxViewModel

/// The login screen as a form. It renders the view model's streams, and turns keys into actions.
@MainActor
final class FormView {
  private(set) var form = Form() { didSet { draw(form) } }
  /// The outcome of the last sign-in. Nil before the first sign-in, during a sign-in, and after a cancelled one.
  private(set) var outcome: LoginOutcome?
  private let viewModel: LoginViewModel
  private let draw: @MainActor (Form) -> Void
  /// Disposing this bag stops the drawing.
  let bag = DisposeBag()

  /// Makes the view of a view model, which must work on a `MainScheduler`: then each key sees the state after the previous keys.
  init(_ viewModel: LoginViewModel, draw: @escaping @MainActor (Form) -> Void) {
    (self.viewModel, self.draw) = (viewModel, draw)
    viewModel.stateObservable.bind { [weak self] in self?.form.state = $0 }.disposed(by: bag)
    viewModel.isLoadingObservable.bind { [weak self] isLoading in
      self?.form.isLoading = isLoading
      if isLoading { self?.show(nil, nil) }
    }.disposed(by: bag)
    viewModel.loginOutcomeObservable.bind { [weak self] in self?.show($0, .outcome($0)) }.disposed(by: bag)
    viewModel.isLoadingObservable
      .flatMapLatest { isLoading -> Observable<Int> in
        isLoading ? .interval(.milliseconds(80), scheduler: DispatchQueue.main) : .empty()
      }
      .bind { [weak self] in self?.form.spinnerStep = $0 }.disposed(by: bag)
  }

  /// Handles a key. Returns false if the user leaves the form.
  func handle(_ key: Key) -> Bool {
    switch key {
    case .text(let text): edit { $0 + text }
    case .backspace: edit { String($0.dropLast()) }
    case .clear: edit { _ in "" }
    case .next: move(by: 1)
    case .previous: move(by: -1)
    // The view model ignores the button while it is not enabled.
    case .enter where form.focus == .button || form.focus == .password && form.state.isLoginEnabled:
      viewModel.execute(.login)
    case .enter: move(by: 1)
    case .escape where form.isLoading:
      viewModel.cancelActions { $0 == .login }
      form.notice = .cancelled
    case .escape, .leave: return false
    }
    return true
  }

  private func show(_ outcome: LoginOutcome?, _ notice: Form.Notice?) {
    (self.outcome, form.notice) = (outcome, notice)
  }

  private func move(by step: Int) {
    let count = Form.Focus.allCases.count
    form.focus = Form.Focus.allCases[(form.focus.rawValue + step + count) % count]
  }

  private func edit(_ change: (String) -> String) {
    switch form.focus {
    case .username: viewModel.execute(.setUsername(change(form.state.username)))
    case .password: viewModel.execute(.setPassword(change(form.state.password)))
    case .button: return
    }
    if !form.isLoading { form.notice = nil }
  }
}

// MARK: On a terminal

/// Shows the form on the terminal until the user leaves, and returns the exit code of the last sign-in.
@MainActor
func show(_ viewModel: LoginViewModel, on console: Console) async throws(Failure) -> ExitCode {
  if !TerminalMode.take(.form) { throw Failure(exitCode: .inputOutputError, message: "can't use the terminal") }
  let view = FormView(viewModel, draw: console.draw)
  for await key in keys() where !view.handle(key) { break }
  view.bag.dispose()
  TerminalMode.restore()
  guard let outcome = view.outcome else { return .incompleteInput }
  console.print(outcome.message.printable + "\n")
  return ExitCode(outcome)
}

extension Console {
  /// Draws the form in the window as wide as it is now.
  fileprivate func draw(_ form: Form) {
    var size = winsize()
    _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    print(frame(form.lines(columns: size.ws_col > 0 ? Int(size.ws_col) : 80)))
  }
}

/// Returns the text that overwrites the screen line by line. A terminal with synchronized updates shows all lines at once.
///
/// The text erases each line before it writes the line: after a line that fills the window, the cursor may still be on the last character.
func frame(_ lines: [String]) -> String {
  let above = lines.dropLast().map { "\u{1B}[K\($0)\r\n" }.joined()
  return "\u{1B}[?2026h\u{1B}[H\(above)\u{1B}[J\(lines.last ?? "")\u{1B}[?2026l"
}

/// Starts a thread that reads keys until the input ends.
private func keys() -> AsyncStream<Key> {
  let (keys, continuation) = AsyncStream.makeStream(of: Key.self)
  Thread.detachNewThread {
    var (parser, bytes) = (KeyParser(), [UInt8](repeating: 0, count: 4096))
    while true {
      var poller = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // The rest of a sequence follows its escape byte within 50 ms.
      if poll(&poller, 1, parser.isUndecided ? 50 : -1) == 0 {
        for key in parser.flush() { continuation.yield(key) }
        continue
      }
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return continuation.finish() }
      for key in parser.parse(bytes.prefix(max(0, count))) { continuation.yield(key) }
    }
  }
  return keys
}
