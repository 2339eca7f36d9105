import RxViewModel
import RxViewModelTesting
import Testing

@testable import LoginExample

// The code of the article "View models as functions", word for word.

nonisolated func loginViewModel(
  usernameChanged: Observable<String>, passwordChanged: Observable<String>, loginTapped: Observable<Void>,
  service: any LoginService
) -> (isLoginEnabled: Observable<Bool>, showMessage: Observable<String>) {
  let credentials = Observable.combineLatest(usernameChanged.startWith(""), passwordChanged.startWith("")) {
    LoginViewModel.State(username: $0, password: $1)
  }.share(replay: 1)
  let message = loginTapped.withLatestFrom(credentials).filter(\.isLoginEnabled).flatMapFirst { credentials in
    Observable.task {
      try await service.login(username: credentials.username, password: credentials.password)
    }
    .map { _ in LoginOutcome.signedIn(username: credentials.username).message }
    .catch { .just(LoginOutcome($0).message) }
  }
  return (credentials.map(\.isLoginEnabled).distinctUntilChanged(), message)
}

nonisolated func asFunction(
  _ viewModel: LoginViewModel, usernameChanged: Observable<String>, passwordChanged: Observable<String>,
  loginTapped: Observable<Void>
) -> (isLoginEnabled: Observable<Bool>, showMessage: Observable<String>, inputs: any Disposable) {
  let actions = Observable.merge([
    usernameChanged.map(LoginViewModel.Action.setUsername), passwordChanged.map(LoginViewModel.Action.setPassword),
    loginTapped.map { LoginViewModel.Action.login },
  ])
  return (
    viewModel.isFormValidObservable, viewModel.loginOutcomeObservable.map(\.message), actions.execute(on: viewModel)
  )
}

// Sendable: it stores only `let`s.
final class HostedLogin: RxViewModel<HostedLogin.Input, HostedLogin.Output>, @unchecked Sendable {
  enum Input: Sendable {
    case begin, tapLogin
    case username(String)
    case password(String)
  }

  struct Output: Sendable, Equatable {
    var isLoginEnabled = false
    var message = ""
  }

  private let usernames = PublishSubject<String>()
  private let passwords = PublishSubject<String>()
  private let taps = PublishSubject<Void>()
  private let service: any LoginService

  init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(scheduler: scheduler)
    execute(.begin)
  }

  override func createInitialState() -> Output { Output() }

  override func createObservable(_ action: Input) -> Effect {
    switch action {
    case .begin:
      let outputs = loginViewModel(
        usernameChanged: usernames.asObservable(), passwordChanged: passwords.asObservable(),
        loginTapped: taps.asObservable(), service: service)
      return .merge([
        outputs.isLoginEnabled.mutate { $0.isLoginEnabled = $1 }, outputs.showMessage.mutate { $0.message = $1 },
      ])
    case .username(let name): usernames.onNext(name)
    case .password(let password): passwords.onNext(password)
    case .tapLogin: taps.onNext(())
    }
    return .unchanged()
  }
}

/// The inputs and outputs of a login screen, whether a function or a class makes it.
private struct Screen: Sendable {
  enum Kind: CaseIterable, Sendable {
    case function, classAsFunction, functionInAClass
  }

  let usernames = PublishSubject<String>()
  let passwords = PublishSubject<String>()
  let taps = PublishSubject<Void>()
  let isLoginEnabled: Observable<Bool>
  let showMessage: Observable<String>
  /// The view model of the streams, if there is one, which has to be retained.
  private let owner: any Sendable

  init(_ kind: Kind) {
    let service = DemoLoginService(latency: .zero)
    let (usernameChanged, passwordChanged) = (usernames.asObservable(), passwords.asObservable())
    let loginTapped = taps.asObservable()
    switch kind {
    case .function:
      owner = 0
      (isLoginEnabled, showMessage) = loginViewModel(
        usernameChanged: usernameChanged, passwordChanged: passwordChanged, loginTapped: loginTapped, service: service)
    case .classAsFunction:
      let viewModel = LoginViewModel(service: service, scheduler: ImmediateScheduler())
      owner = viewModel
      (isLoginEnabled, showMessage, _) = asFunction(
        viewModel, usernameChanged: usernameChanged, passwordChanged: passwordChanged, loginTapped: loginTapped)
    case .functionInAClass:
      let viewModel = HostedLogin(service: service, scheduler: ImmediateScheduler())
      owner = viewModel
      _ = Observable.merge([
        usernames.map(HostedLogin.Input.username), passwords.map(HostedLogin.Input.password),
        taps.map { HostedLogin.Input.tapLogin },
      ]).execute(on: viewModel)
      isLoginEnabled = viewModel.stateObservable.map(\.isLoginEnabled).distinctUntilChanged()
      showMessage = viewModel.stateObservable.map(\.message).filter { !$0.isEmpty }.distinctUntilChanged()
    }
  }
}

struct LoginFunctionTests {
  // The test makes one attempt for each screen: the message may arrive before the attempt has ended, and a tap is dropped until then.
  @Test(arguments: Screen.Kind.allCases, [("admin", "Signed in as admin"), ("wrong", "Wrong username or password")])
  fileprivate func signsIn(_ kind: Screen.Kind, attempt: (password: String, message: String)) async throws {
    let screen = Screen(kind)
    let isEnabled = screen.isLoginEnabled.test()
    var messages = screen.showMessage.values.makeAsyncIterator()
    screen.usernames.onNext("admin")
    #expect(isEnabled.values == [false])
    screen.passwords.onNext(attempt.password)
    for name in ["adm", "admin"] { screen.usernames.onNext(name) }
    #expect(isEnabled.values == [false, true, false, true])
    screen.taps.onNext(())
    #expect(try await messages.next() == attempt.message)
    withExtendedLifetime(screen) {}
  }
}
