// The Swift code of README.md, word for word: `ReadmeTests` compares the two.
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

enum LoginAction: Sendable, Equatable {
  case setUsername(String)
  case setPassword(String)
  case login
}

struct LoginState: Sendable, Equatable {
  var username = ""
  var password = ""
  var token: String?

  var isLoginEnabled: Bool { username.count > 4 && password.count > 2 }
}

protocol LoginService: Sendable {
  func login(username: String, password: String) async throws -> String
}

final class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
  private let service: any LoginService

  init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> LoginState { LoginState() }

  override func createObservable(_ action: LoginAction) -> Observable<StateMapper<LoginState>> {
    switch action {
    case .setUsername(let username): return .mutate { $0.username = username }
    case .setPassword(let password): return .mutate { $0.password = password }
    case .login:
      let (service, state) = (service, currentState)
      let token = Observable.task { try await service.login(username: state.username, password: state.password) }
      return token.mutate { $0.token = $1 }
    }
  }

  override func showSpinner(_ action: LoginAction) -> Bool { action == .login }

  override func executionMode(for action: LoginAction) -> ExecutionMode {
    action == .login ? .dropWhileBusy : .parallel
  }
}

func show(_ viewModel: LoginViewModel, in bag: DisposeBag) {
  viewModel.stateObservable.map(\.isLoginEnabled).distinctUntilChanged()
    .subscribe(onNext: { print($0 ? "Sign in: enabled" : "Sign in: disabled") })
    .disposed(by: bag)
  viewModel.isLoadingObservable
    .subscribe(onNext: { print($0 ? "One moment…" : "Ready") })
    .disposed(by: bag)
  viewModel.actionAndStateObservable.filter { $0.action == .login }
    .subscribe(onNext: { print("Signed in as \($0.state.username)") })
    .disposed(by: bag)
  viewModel.errorObservable
    .subscribe(onNext: { print("That did not work: \($0)") })
    .disposed(by: bag)

  viewModel.execute(.setUsername("admin"))
  viewModel.execute(.setPassword("admin"))
  viewModel.execute(.login)
}

private struct NoService: LoginService {
  func login(username: String, password: String) async throws -> String { "token" }
}

@Test func theButtonIsEnabledByTyping() {
  let scheduler = TestScheduler()
  let viewModel = LoginViewModel(service: NoService(), scheduler: scheduler)
  let isEnabled = viewModel.stateObservable.map(\.isLoginEnabled).distinctUntilChanged().test(scheduler)
  viewModel.execute(.setUsername("admin"))
  viewModel.execute(.setPassword("admin"))
  scheduler.run()
  #expect(isEnabled.values == [false, true])
}

@Test func theReadmeIsWhatIsCompiledHere() throws {
  let tests = URL(filePath: #filePath)
  let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  let code = try String(contentsOf: tests, encoding: .utf8)
  let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  #expect(blocks.count == 4)
  for block in blocks { #expect(code.contains(block), "differs: \(block)") }
}

@Test func theReadmeScreenSignsIn() async {
  let (viewModel, signedIn, bag) = (LoginViewModel(service: NoService()), Signal(), DisposeBag())
  viewModel.actionAndStateObservable.filter { $0.action == .login }.subscribe(onNext: { change in
    #expect(change.state == LoginState(username: "admin", password: "admin", token: "token"))
    signedIn.fire()
  }).disposed(by: bag)
  show(viewModel, in: bag)
  #expect(await onThread { signedIn.wait() })
}
