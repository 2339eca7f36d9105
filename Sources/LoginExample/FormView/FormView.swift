import Dispatch
import RxViewModel

/// An event at the terminal.
enum FormInput: Sendable, Equatable {
  case keys([Key])
  /// The terminal's size has changed, or another job has used the terminal in the meantime.
  case redraw
  /// The input has ended, or a signal requests the end of the program.
  case end
  /// Writing the output has failed.
  case outputFailed
}

/// The screen that shows the form: a terminal, or a test's screen.
@MainActor
protocol FormScreen: AnyObject {
  /// The events at the terminal, from now on.
  var inputs: AsyncStream<FormInput> { get }
  var columns: Int { get }
  var hasColor: Bool { get }
  func draw(_ lines: [String])
  /// Stops the program until it is continued.
  func suspend()
}

/// The login screen as a form: renders the view model's streams, and turns keys into actions.
@MainActor
final class FormView {
  private let viewModel: LoginViewModel
  private let screen: any FormScreen
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()
  /// The edits of the two fields.
  private let (usernames, passwords) = (PublishSubject<String>(), PublishSubject<String>())
  private(set) var form = Form()
  /// The outcome of the last sign-in, if it has ended.
  var outcome: LoginOutcome? { form.outcome }

  init(viewModel: LoginViewModel, screen: any FormScreen) {
    self.viewModel = viewModel
    self.screen = screen
    bind(viewModel.property(\.username, set: LoginAction.setUsername), usernames) { $0.username = $1 }
    bind(viewModel.property(\.password, set: LoginAction.setPassword), passwords) { $0.password = $1 }
    render(viewModel.isFormValidObservable) { $0.isButtonEnabled = $1 }
    render(viewModel.isLoadingObservable) { $0.isLoading = $1 }
    announce(viewModel.loginActionObservable) { LoginOutcome($0) }
    announce(viewModel.errorObservable) { LoginOutcome($0) }
    viewModel.isLoadingObservable
      .flatMapLatest { isLoading -> Observable<Int> in
        isLoading ? .interval(.milliseconds(80), scheduler: DispatchQueue.main) : .empty()
      }
      .bind { [weak self] step in self?.update { $0.spinnerStep = step + 1 } }
      .disposed(by: bag)
  }

  /// Shows the form until the user leaves, and returns the exit code of the last sign-in.
  func run() async -> ExitCode {
    lifecycle.resume()
    screen.draw(lines)
    for await input in screen.inputs {
      switch input {
      case .redraw: screen.draw(lines)
      case .keys(let keys): if await !handle(keys) { return leave() }
      case .end: return leave()
      case .outputFailed:
        _ = leave()
        return .outputFailed
      }
    }
    return leave()
  }

  private var lines: [String] {
    FormRenderer(columns: screen.columns, hasColor: screen.hasColor).lines(of: form)
  }

  /// Handles keys. Returns false if the user leaves.
  private func handle(_ keys: [Key]) async -> Bool {
    for key in keys {
      var request: Form.Request?
      update { request = $0.handle(key) }
      switch request {
      case .execute(.login): viewModel.execute(.login)
      case .execute(.setUsername(let username)):
        usernames.onNext(username)
        await waitForEdits()
      case .execute(.setPassword(let password)):
        passwords.onNext(password)
        await waitForEdits()
      case .cancelSignIn: viewModel.cancelActions { $0 == .login }
      case .suspend:
        screen.suspend()
        screen.draw(lines)
      case .leave: return false
      case nil: break
      }
    }
    return true
  }

  /// Waits until the view model has handled the form's edits, so that a key typed ahead sees the button in the state that results from the
  /// earlier edits.
  private func waitForEdits() async {
    let edits = viewModel.stateObservable.filter { [form] state in
      (state.username, state.password) == (form.username, form.password)
    }
    var states = edits.values.makeAsyncIterator()
    guard let state = try? await states.next() else { return }
    update { $0.isButtonEnabled = state.isLoginEnabled }
  }

  private func leave() -> ExitCode {
    lifecycle.destroy()
    bag.dispose()
    return outcome.map { ExitCode($0) } ?? .incompleteInput
  }

  private func update(_ change: (inout Form) -> Void) {
    let before = form
    change(&form)
    if form != before { screen.draw(lines) }
  }

  private func bind(
    _ field: MutableProperty<String>, _ edits: PublishSubject<String>,
    _ change: @escaping @MainActor @Sendable (inout Form, String) -> Void
  ) {
    field.bind(edits: edits) { [weak self] text in self?.update { change(&$0, text) } }.disposed(by: bag)
  }

  private func render<Value>(
    _ stream: Observable<Value>, _ change: @escaping @MainActor @Sendable (inout Form, Value) -> Void
  ) {
    stream.asLiveData(viewModel)
      .observe(lifecycle) { [weak self] value in self?.update { change(&$0, value) } }
      .disposed(by: bag)
  }

  private func announce<Value>(
    _ stream: Observable<Value>, _ outcome: @escaping @MainActor @Sendable (Value) -> LoginOutcome
  ) {
    stream.asLiveEvents(viewModel)
      .observe(lifecycle) { [weak self] value in self?.update { $0.end(with: outcome(value)) } }
      .disposed(by: bag)
  }
}
