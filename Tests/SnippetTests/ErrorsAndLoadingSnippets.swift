// The code of *Errors and loading*, and on logging, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated enum NewsAction: Sendable, Equatable {
  case load
  case loadingCancelled
}

nonisolated struct NewsState: Sendable, Equatable {
  var articles: [String] = []
  var message: String?
}

class NewsViewModel: RxViewModel<NewsAction, NewsState>, @unchecked Sendable {
  fileprivate let fetch: @Sendable () async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, fetch: @escaping @Sendable () async throws -> [String]) {
    self.fetch = fetch
    super.init(initialState: NewsState(), scheduler: scheduler)
  }

  override func createObservable(_ action: NewsAction) -> Effect {
    switch action {
    case .load:
      let fetch = fetch
      let articles = Observable.task { try await fetch() }
      return articles.mutate { $0 = NewsState(articles: $1) }
    case .loadingCancelled:
      return .mutate { $0.message = "The news may be out of date." }
    }
  }

  override func stateMapper(for error: any Error, action: NewsAction) -> StateMapper<NewsState>? {
    mutate { $0.message = "The news could not be loaded." }
  }

  override func showSpinner(_ action: NewsAction) -> Bool {
    action == .load
  }
}

final class PatientNewsViewModel: NewsViewModel, @unchecked Sendable {
  override func createObservable(_ action: NewsAction) -> Effect {
    let fetch = fetch
    return Observable.task { try await fetch() }
      .timeout(.seconds(10), scheduler: scheduler)
      .retry(3, delay: { .seconds($0) }, scheduler: scheduler)
      .mutate { $0 = NewsState(articles: $1) }
  }
}

@MainActor
final class NewsScreen {
  private(set) var message: String?
  private(set) var isSpinning = false
  private var failure: ActionAndError<NewsAction>?
  private let viewModel: NewsViewModel
  private let bag = DisposeBag()

  init(_ viewModel: NewsViewModel) {
    self.viewModel = viewModel
    viewModel.stateObservable.map(\.message).bind(to: self, \.message).disposed(by: bag)
    viewModel.actionAndErrorObservable.bind { [weak self] in self?.failure = $0 }.disposed(by: bag)
    viewModel.isLoadingObservable.smoothed(scheduler: .main)
      .bind(to: self, \.isSpinning)
      .disposed(by: bag)
  }

  func tapRetry() {
    failure?.retry()
  }
}

nonisolated enum SignUpAction: Sendable, Equatable {
  case edit(String)
  case submit
}

nonisolated struct SignUpState: Sendable, Equatable {
  var email = ""
  /// Why the server has refused the address.
  var refusal: String?
  var isSignedUp = false
}

/// The server doesn't accept the address.
nonisolated struct Refused: Error {
  let reason: String
}

final class SignUpViewModel: RxViewModel<SignUpAction, SignUpState>, @unchecked Sendable {
  private let signUp: @Sendable (String) async throws -> Void

  init(scheduler: (any Scheduler)? = nil, signUp: @escaping @Sendable (String) async throws -> Void) {
    self.signUp = signUp
    super.init(initialState: SignUpState(), scheduler: scheduler)
  }

  override func createObservable(_ action: SignUpAction) -> Effect {
    switch action {
    case .edit(let email):
      return .mutate { ($0.email, $0.refusal) = (email, nil) }
    case .submit:
      let (email, signUp) = (currentState.email, signUp)
      return Observable.task { try await signUp(email) }
        .mutate { state, _ in state.isSignedUp = true }
        .catch { error in
          guard let refused = error as? Refused else { throw error }
          // Ignore the rejection if the user has edited the address since.
          return .mutate { if $0.email == email { $0.refusal = refused.reason } }
        }
    }
  }
}

// contract 2.7, 2.15
@MainActor
struct ErrorSnippetTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theButtonTriesAgain() throws {
    let scheduler = TestScheduler()
    let isOnline = BehaviorSubject(value: false)
    let viewModel = NewsViewModel(scheduler: scheduler) {
      if !isOnline.value { throw Offline() }
      return ["Swift 7"]
    }
    let screen = NewsScreen(viewModel)
    viewModel.execute(.load)
    scheduler.run()
    #expect(screen.message == "The news could not be loaded.")

    isOnline.onNext(true)
    screen.tapRetry()
    scheduler.run()
    #expect(viewModel.currentState == NewsState(articles: ["Swift 7"]))
    #expect(screen.message == nil)
  }

  // contract 2.11
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aCancelledLoadingIsAnAction() {
    let (scheduler, bag) = (TestScheduler(), DisposeBag())
    let clock = scheduler.clock
    let viewModel = NewsViewModel(scheduler: scheduler) {
      try await clock.sleep(for: .seconds(1))
      return ["Swift 7"]
    }
    viewModel.executionObservable.filter { $0.action == .load && $0.phase == .cancelled }
      .map { _ in NewsAction.loadingCancelled }
      .execute(on: viewModel)
      .disposed(by: bag)
    viewModel.execute(.load)
    scheduler.advance()
    viewModel.cancelActions { $0 == .load }
    scheduler.run()
    #expect(viewModel.currentState == NewsState(message: "The news may be out of date."))
  }

  // contract 1, `retry` and `timeout`
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRequestIsTriedThreeTimes() throws {
    let (scheduler, attempts) = (TestScheduler(), Locked(0))
    let clock = scheduler.clock
    let viewModel = PatientNewsViewModel(scheduler: scheduler) {
      let attempt = attempts.mutate { count in
        count += 1
        return count
      }
      if attempt == 1 { throw Offline() }
      // The second attempt takes too long.
      if attempt == 2 { try await clock.sleep(for: .seconds(20)) }
      return ["Attempt \(attempt)"]
    }
    let state = try scheduler.perform(.load, on: viewModel)
    #expect(state.articles == ["Attempt 3"])
    #expect(scheduler.now == .seconds(1 + 10 + 2))
  }

  // contract 2.6
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRefusalIsShownUnlessTheAddressHasChanged() throws {
    let scheduler = TestScheduler()
    let clock = scheduler.clock
    let viewModel = SignUpViewModel(scheduler: scheduler) { email in
      try await clock.sleep(for: .seconds(1))
      if email == "offline" { throw Offline() }
      throw Refused(reason: "Taken")
    }
    try withTestStore(viewModel) { store in
      try store.send(.edit("a")) { $0.email = "a" }
      try store.send(.submit)
      try store.advance(by: .seconds(1)) { $0.refusal = "Taken" }
      try store.send(.edit("offline")) { $0 = SignUpState(email: "offline") }
      try store.send(.submit)
      try store.advance(by: .seconds(1))
      try store.expect(.failed(Offline()), of: .submit)
      try store.send(.submit)
      try store.send(.edit("abc")) { $0.email = "abc" }
      try store.advance(by: .seconds(1))
      try store.expect(.failed(Offline()), of: .submit)
      try store.send(.submit)
      try store.send(.edit("abcd")) { $0.email = "abcd" }
      try store.advance(by: .seconds(1))
    }
  }
}

// MARK: Logging

/// The base class of an app's view models.
class AppViewModel<Action: Sendable, State: Sendable>: RxViewModel<Action, State>, @unchecked Sendable {
  override init(initialState: State?, scheduler: (any Scheduler)? = nil) {
    super.init(initialState: initialState, scheduler: scheduler)
    #if DEBUG
      let name = "\(type(of: self))"
      _ = log { print(name, $0) }
    #endif
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {
    super.diagnose(diagnostic)
    CrashReporter.note("\(type(of: self)): \(diagnostic)")
  }
}

/// The crash reporter of an app.
nonisolated private enum CrashReporter {
  static let notes = Locked<[String]>([])

  static func note(_ text: String) { notes.mutate { $0.append(text) } }
}

private final class EmptyViewModel: AppViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  init(scheduler: any Scheduler) { super.init(initialState: 0, scheduler: scheduler) }
}

struct LoggingSnippetTests {
  private let bag = DisposeBag()

  // contract 2.7
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theTranscriptOfASearch() {
    let scheduler = TestScheduler()
    let viewModel = SearchViewModel(scheduler: scheduler) { text in
      if text == "offline" { throw Offline() }
      return [text.uppercased()]
    }
    let transcript = ReplaySubject<String>(bufferSize: 100)
    viewModel.log { transcript.onNext($0) }.disposed(by: bag)
    viewModel.execute(.search("rx"))
    scheduler.run()
    viewModel.execute(.search("offline"))
    scheduler.run()
    let lines = transcript.test().values
    #expect(
      lines == [
        #"#1 search("rx") switchLatest: started"#,
        #"#1 search("rx"): results: [] → ["RX"]"#,
        #"#2 search("offline") switchLatest: started"#,
        #"#2 search("offline"): failed: Offline()"#,
      ])
  }

  @Test func oneStream() {
    let viewModel = CounterViewModel(scheduler: ImmediateScheduler())
    let transcript = ReplaySubject<String>(bufferSize: 100)
    let taps = PublishSubject<Void>()
    let bag = bag
    taps.map { _ in CounterAction.increment }
      .debug("taps") { transcript.onNext($0) }
      .execute(on: viewModel)
      .disposed(by: bag)
    taps.onNext(())
    bag.dispose()
    #expect(transcript.test().values == ["taps: subscribed", "taps: next(increment)", "taps: disposed"])
  }

  // contract 2.14
  @Test func mistakesAreNoted() {
    let viewModel = EmptyViewModel(scheduler: ImmediateScheduler())
    viewModel.clear()
    Taps.$isQuiet.withValue(true) { viewModel.execute(3) }
    #expect(CrashReporter.notes.value == ["EmptyViewModel: 3 was executed after clear(), so it does nothing"])
  }
}
