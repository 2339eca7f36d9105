// The code of *Navigation and one-off events* on messages, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated enum SignInAction: Sendable, Equatable {
  case login
}

nonisolated enum SignInRoute: Sendable, Equatable {
  case home
}

nonisolated struct SignInState: Sendable, Equatable {
  var isBusy = false
  var name = ""
}

final class SignInViewModel: RxViewModel<SignInAction, SignInState>, @unchecked Sendable {
  private let signIn: Observable<String>
  private let navigator: Navigator<SignInRoute>
  private let sentMessages = PublishSubject<String>()
  let messages: RxLiveEvents<String>

  init(signIn: Observable<String>, navigator: Navigator<SignInRoute>, scheduler: (any Scheduler)? = nil) {
    self.signIn = signIn
    self.navigator = navigator
    messages = sentMessages.asLiveEvents()
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> SignInState { SignInState() }

  override func createObservable(_ action: SignInAction) -> Effect {
    let (navigator, sentMessages) = (navigator, sentMessages)
    let signedIn = signIn.do(
      onNext: { _ in navigator.navigate(.home) },
      onError: { _ in sentMessages.onNext("The sign-in failed.") })
    return Observable.mutate { $0.isBusy = true }.concat(signedIn.mutate { $0 = SignInState(name: $1) })
  }

  // Undoes what the first mapper set.
  override func stateMapper(for error: any Error, action: SignInAction) -> StateMapper<SignInState>? {
    { _ in SignInState() }
  }

  // The second tap of a double tap is dropped.
  override func executionMode(for action: SignInAction) -> ExecutionMode { .dropWhileBusy }
}

@MainActor
private final class Router {
  private(set) var count = 0

  func showHome() { count += 1 }
}

@MainActor
private final class SignInScreen {
  private(set) var banners: [String] = []
  let lifecycle = Lifecycle()

  init(_ viewModel: SignInViewModel) {
    viewModel.messages.observe(lifecycle) { [weak self] text in self?.banners.append(text) }
    viewModel.errorObservable.asLiveEvents(viewModel)
      .observe(lifecycle) { [weak self] error in self?.banners.append("\(error)") }
  }
}

@MainActor
struct MessageSnippetTests {
  private let subject = PublishSubject<String>()
  private let screens = TestNavigator<SignInRoute>()
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()
  private let viewModel: SignInViewModel

  init() {
    viewModel = SignInViewModel(signIn: subject.take(1), navigator: screens.navigator, scheduler: scheduler)
    // The view model would report an error that reaches no subscriber.
    viewModel.errorObservable.subscribe().disposed(by: bag)
  }

  /// Taps once or twice, and signs in.
  private func signIn(taps: Int, mode: ExecutionMode) {
    for _ in 0..<taps { viewModel.execute(.login, mode: mode) }
    scheduler.run()
    subject.onNext("Ada")
    scheduler.run()
  }

  @Test(arguments: [1, 2])
  func navigatingByStateHappensForEachActionAndEachOfItsStates(taps: Int) {
    let router = Router()
    viewModel.actionAndStateObservable.filter { $0.action == .login }
      .bind { _ in router.showHome() }
      .disposed(by: bag)
    signIn(taps: taps, mode: .parallel)
    #expect(router.count == 2 * taps)
  }

  @Test func anEffectNavigatesOnceAndAFailureIsAnEvent() {
    let screen = SignInScreen(viewModel)
    signIn(taps: 2, mode: .dropWhileBusy)
    #expect(viewModel.executionMode(for: .login) == .dropWhileBusy)
    #expect(screens.routes == [.home])
    #expect(viewModel.currentState == SignInState(name: "Ada"))
    viewModel.execute(.login)
    scheduler.run()
    #expect(viewModel.currentState.isBusy)
    subject.onError(TestError())
    scheduler.run()
    #expect(viewModel.currentState == SignInState())
    #expect(screens.routes == [.home] && screen.banners == [])
    screen.lifecycle.resume()
    #expect(screen.banners == ["The sign-in failed.", "test error"])
  }

  // The code of the article on testing.
  @Test func aSignInNavigatesOrSaysThatItHasFailed() throws {
    let scheduler = TestScheduler()
    let screens = TestNavigator<SignInRoute>()
    let answers = PublishSubject<String>()
    let viewModel = SignInViewModel(
      signIn: answers.take(1), navigator: screens.navigator, scheduler: scheduler)

    try withTestStore(viewModel, navigator: screens) { store in
      let messages = store.record(viewModel.messages)
      try store.send(.login) { $0.isBusy = true }
      answers.onNext("Ada")
      try store.expect(route: SignInRoute.home)
      try store.advance { $0 = SignInState(name: "Ada") }

      try store.send(.login) { $0.isBusy = true }
      answers.onError(RxError.timeout)
      try store.expect(messages, "The sign-in failed.")
      try store.advance { $0 = SignInState() }
      try store.expect(.failed(RxError.timeout), of: .login)
    }
  }
}
