// The code of *Sessions and shared state* on a session, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The server refuses a request, because its token has expired.
struct TokenExpired: Error {}
/// The server gives no new token: the user has to sign in again.
struct SessionEnded: Error {}

final class Session: RxViewModel<Session.Action, Session.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    /// The server has refused this token.
    case renew(String)
    case signOut
  }

  struct State: Sendable, Equatable {
    /// Nil after the sign-out.
    var token: String?
  }

  /// Clears this session's screens.
  let screens = DisposeBag()
  private let renew: @Sendable (_ expired: String) async throws -> String

  init(token: String, scheduler: (any Scheduler)? = nil, renew: @escaping @Sendable (String) async throws -> String) {
    self.renew = renew
    super.init(initialState: State(token: token), scheduler: scheduler)
    _ = stateObservable.filter { $0.token == nil }.subscribe(onNext: { [screens] _ in screens.dispose() })
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .renew(let expired):
      // Another request has already renewed it.
      guard currentState.token == expired else { return .unchanged() }
      let renew = renew
      return Observable.task { try await renew(expired) }.mutate { $0.token = $1 }
    case .signOut:
      return .mutate { $0.token = nil }
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    if case .renew(let expired) = action { .join("token", key: expired) } else { .switchLatest("token") }
  }

  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    // After any other error, such as when the network is down, the user stays signed in.
    guard error is SessionEnded else { return nil }
    return { _ in State(token: nil) }
  }

  override func handleError(_ error: any Error, action: Action?) -> Bool {
    error is SessionEnded
  }
}

nonisolated extension Session {
  /// Sends a request with the token. If the token has expired, the request waits for a new one and is then sent again.
  func send<Answer: Sendable>(
    _ request: @escaping @Sendable (_ token: String) async throws -> Answer
  ) -> Observable<Answer> {
    .deferred { [self] in
      guard let token = currentState.token else { throw SessionEnded() }
      return Observable.task { try await request(token) }.catch { [self] error in
        guard error is TokenExpired else { throw error }
        return performDetached(.renew(token)).flatMap { state in
          guard let token = state.token else { throw SessionEnded() }
          return Observable.task { try await request(token) }
        }
      }
    }
  }
}

final class MailboxViewModel: RxViewModel<MailboxViewModel.Action, [String]>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case load
  }

  private let session: Session
  private let fetch: @Sendable (_ token: String) async throws -> [String]

  init(
    session: Session, scheduler: (any Scheduler)? = nil,
    fetch: @escaping @Sendable (_ token: String) async throws -> [String]
  ) {
    (self.session, self.fetch) = (session, fetch)
    super.init(initialState: [], scheduler: scheduler)
    clear(with: session.screens)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .load: session.send(fetch).mutate { $0 = $1 }
    }
  }
}

/// A server that takes 10 ms for a request, and 100 ms for a token.
nonisolated struct MailServer: Sendable {
  let clock: TestClock
  var renewalError: (any Error)?
  let renewals = BehaviorSubject(value: 0)

  func renew(_ expired: String) async throws -> String {
    renewals.update { $0 += 1 }
    try await clock.sleep(for: .milliseconds(100))
    if let renewalError { throw renewalError }
    return "new"
  }

  func mail(_ token: String) async throws -> [String] {
    try await clock.sleep(for: .milliseconds(10))
    if token != "new" { throw TokenExpired() }
    return ["Welcome"]
  }
}

// MARK: Load again when a shared value changes

private final class TransactionsViewModel: RxViewModel<TransactionsViewModel.Action, [String]>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case load(_ account: Int)
  }

  private let fetch: @Sendable (Int) async throws -> [String]
  private let bag = DisposeBag()

  init(
    account: Property<Int>, scheduler: (any Scheduler)? = nil,
    fetch: @escaping @Sendable (Int) async throws -> [String]
  ) {
    self.fetch = fetch
    super.init(initialState: [], scheduler: scheduler)
    account.asObservable().map(Action.load).execute(on: self).disposed(by: bag)
  }

  // A load for another account replaces the one before.
  override func executionMode(for action: Action) -> ExecutionMode { .switchLatest }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .load(let account):
      let fetch = fetch
      return Observable.task { try await fetch(account) }.mutate { $0 = $1 }
    }
  }
}

// contract 2.9, 5
struct ReloadTests {
  private let scheduler = TestScheduler()

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theScreenLoadsAgainWhenTheAccountChanges() {
    let (account, clock) = (MutableProperty(1), scheduler.clock)
    var screen: TransactionsViewModel? = TransactionsViewModel(
      account: account.readOnly, scheduler: scheduler
    ) { account in
      try await clock.sleep(for: .milliseconds(100))
      return ["of \(account)"]
    }
    let states = screen?.stateObservable.test(scheduler)
    scheduler.advance(by: .milliseconds(50))
    account.value = 2
    scheduler.run()
    #expect(states?.values == [[], ["of 2"]])
    weak let released = screen
    screen = nil
    scheduler.run()
    #expect(released == nil)
  }
}

// contract 2.6, 2.18
struct SessionTests {
  private let scheduler = TestScheduler()

  /// Three screens whose requests the server refuses at 10 ms.
  private func load(from server: MailServer) -> (session: Session, screens: [MailboxViewModel]) {
    let session = Session(token: "old", scheduler: scheduler, renew: server.renew)
    let screens = (0..<3).map { _ in MailboxViewModel(session: session, scheduler: scheduler, fetch: server.mail) }
    for screen in screens { screen.execute(.load) }
    return (session, screens)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func allRequestsWaitForOneToken() {
    let (server, clock) = (MailServer(clock: scheduler.clock), scheduler.clock)
    let (session, screens) = load(from: server)
    // The server refuses this request when the token has been renewed.
    let late = session.send { token in
      try await clock.sleep(for: .milliseconds(200))
      return try await server.mail(token)
    }.test(scheduler)
    scheduler.advance(by: .milliseconds(10 + 100 + 10))
    #expect(screens.map(\.currentState) == [["Welcome"], ["Welcome"], ["Welcome"]])
    scheduler.run()
    #expect(late.values == [["Welcome"]])
    #expect(server.renewals.value == 1 && session.currentState.token == "new")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [true, false])
  func aRefusedRenewalEndsTheSessionAndItsScreensAndAnotherErrorDoesNot(isEnd: Bool) {
    let server = MailServer(clock: scheduler.clock, renewalError: isEnd ? SessionEnded() : Offline())
    let (session, screens) = load(from: server)
    let states = screens.map { $0.stateObservable.test(scheduler) }
    let errors = screens.map { $0.errorObservable.test(scheduler) }
    scheduler.run()
    #expect(server.renewals.value == 1)
    #expect(session.currentState.token == (isEnd ? nil : "old"))
    #expect(states.map(\.isCompleted) == [isEnd, isEnd, isEnd])
    #expect(errors.map { $0.values.count { $0 is Offline } } == (isEnd ? [0, 0, 0] : [1, 1, 1]))
    withExtendedLifetime(screens) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSignOutEndsARenewalAndTheScreens() {
    let server = MailServer(clock: scheduler.clock)
    let (session, screens) = load(from: server)
    let states = screens.map { $0.stateObservable.test(scheduler) }
    scheduler.advance(by: .milliseconds(50))
    session.execute(.signOut)
    scheduler.run()
    #expect(session.currentState.token == nil)
    #expect(states.allSatisfy { $0.isCompleted })
    #expect(scheduler.now == .milliseconds(50))
    withExtendedLifetime(screens) {}
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRenewalThatGivesTheSameTokenOrIsCancelledEndsTheRequest() {
    for (isCancelled, session) in [
      (false, Session(token: "old", scheduler: scheduler) { $0 }),
      (true, Session(token: "old", scheduler: scheduler) { _ in throw CancellationError() }),
    ] {
      let request = session.send { _ -> Int in throw TokenExpired() }.test(scheduler)
      scheduler.run()
      #expect(isCancelled ? request.error is CancellationError : request.error is TokenExpired)
    }
  }
}
