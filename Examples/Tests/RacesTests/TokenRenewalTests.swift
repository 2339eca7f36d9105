import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import Races

/// The server takes the last tokens that it has made.
private struct Vault: Equatable {
  var tokens = Tokens(access: "", refresh: "r0")
  var renewals = 0

  mutating func renew(_ refresh: String) throws -> Tokens {
    if refresh != tokens.refresh { throw Unauthorized() }
    renewals += 1
    tokens = Tokens(access: "a\(renewals)", refresh: "r\(renewals)")
    return tokens
  }
}

/// Renewals share one stream while one runs.
private final class SharedTokenRenewal: TokenRenewal, @unchecked Sendable {
  private let renewal: Observable<Tokens>

  override init(_ service: ClientService, _ tokens: Tokens, scheduler: (any Scheduler)? = nil) {
    let refresh = MutableProperty(tokens.refresh)
    renewal = Observable.task {
      let tokens = try await service.renew(refresh.value)
      refresh.value = tokens.refresh
      return tokens
    }.share(replay: 1)
    super.init(service, tokens, scheduler: scheduler)
  }

  override func createObservable(_ action: ClientAction) -> Effect {
    if case .renew = action { renewal.mutate { $0.tokens = $1 } } else { super.createObservable(action) }
  }
}

struct TokenRenewalTests {
  /// A client whose access token has expired.
  private struct Fixture {
    let vault = MutableProperty(Vault())
    let client: TokenRenewal
    /// How many renewals the client has heard of.
    private let received = MutableProperty(0)
    /// Whether the answer to a renewal was lost. The client's token is then spent, and the user has to sign in again.
    var hasLostRenewal: Bool { vault.value.renewals > received.value }

    /// - Parameter expires: Whether the access token may expire again with each request.
    init(
      _ run: Exploration, expires: Bool = false,
      _ make: (ClientService, Tokens, (any Scheduler)?) -> TokenRenewal
    ) {
      let (vault, received) = (vault, received)
      let service = ClientService(
        load: { page, token in
          try await run.request("load \(page)", failing: URLError(.timedOut)) {
            if expires, run.choose(false, true) { vault.update { $0.tokens.access = "" } }
            if token != vault.value.tokens.access { throw Unauthorized() }
            return "page \(page)"
          }
        },
        renew: { token in
          let tokens = try await run.request("renew", failing: URLError(.timedOut)) {
            try vault.update { try $0.renew(token) }
          }
          received.update { $0 += 1 }
          return tokens
        })
      client = make(service, Tokens(access: "a0", refresh: "r0"), run.scheduler)
    }
  }

  private func loadTwice(
    _ run: Exploration, _ make: (ClientService, Tokens, (any Scheduler)?) -> TokenRenewal
  ) -> Fixture {
    let fixture = Fixture(run, make)
    fixture.client.execute(.load(page: 1))
    run.mayArrive()
    fixture.client.execute(.load(page: 2))
    run.allArrive()
    return fixture
  }

  @Test func theSecondRenewalSignsOut() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { loadTwice($0, TokenRenewal.init).client.currentState.tokens == nil }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(loadTwice(run, TokenRenewal.init).client.currentState.tokens != nil)
      }
    }
    #expect("\(failure)".hasPrefix("fails in 540 of 585 orders, first in"), "\(failure)")
  }

  @Test func aStreamThatIsSharedRenewsAgainForALateRefusal() throws {
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(loadTwice(run, SharedTokenRenewal.init).vault.value.renewals == 1)
      }
    }
    #expect("\(failure)".hasPrefix("fails in 455 of 615 orders, first in"), "\(failure)")
  }

  @Test func twoRequestsRenewOnce() throws {
    let report = try explore(failures: 0) { run in
      let fixture = loadTwice(run, CuredTokenRenewal.init)
      try run.expect(fixture.client.currentState.pages == [1: "page 1", 2: "page 2"])
      return fixture.vault.value.renewals
    }
    #expect(report.isExhaustive && report.runs == 385, "\(report)")
  }

  /// Loads the pages again that have failed. In the end the tokens have been renewed once, and the user is signed in.
  private func check(_ fixture: Fixture, _ pages: Set<Int>, _ run: Exploration) throws {
    run.allArrive()
    for page in pages.sorted() where fixture.client.currentState.pages[page] == nil {
      fixture.client.execute(.load(page: page))
    }
    run.allArrive()
    let (state, vault) = (fixture.client.currentState, fixture.vault.value)
    try run.expect(vault.renewals == 1)
    try run.expect(fixture.hasLostRenewal || state.tokens == vault.tokens && Set(state.pages.keys) == pages)
  }

  @Test func twoRequestsOfWhichOneFails() throws {
    let report = try explore { run in
      try check(loadTwice(run, CuredTokenRenewal.init), [1, 2], run)
    }
    #expect(report.isExhaustive && report.runs == 5_472, "\(report)")
  }

  @Test(arguments: [0, 1, 2] as [UInt64]) func threeRequestsOfWhichOneFails(seed: UInt64) throws {
    let report = try explore(limit: 10_000, seed: ExplorationSeed(seed)) { run in
      let fixture = Fixture(run, CuredTokenRenewal.init)
      for page in 1...3 { fixture.client.execute(.load(page: page)) }
      try check(fixture, [1, 2, 3], run)
    }
    #expect(!report.isExhaustive && report.runs == 10_000, "\(report)")
  }

  @Test func whateverTheUserLoads() throws {
    try explore(limit: 2_000, overlapping: true) { run in
      let fixture = Fixture(run, expires: true, CuredTokenRenewal.init)
      for _ in 0..<run.choose(0...5) {
        fixture.client.execute(.load(page: run.choose(1, 2, 3)))
        run.mayArrive()
      }
      run.allArrive()
      let isSignedIn = fixture.client.currentState.tokens != nil
      try run.expect(fixture.hasLostRenewal || isSignedIn, "\(fixture.client.currentState)")
    }
  }
}
