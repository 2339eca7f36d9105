import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// Race 11, tuist/tuist PR 10276: parallel requests spend one refresh token, and the losers' 401 signs the user out.

enum ClientAction: Sendable {
  case get(Int)
  case renew(token: Int)
}

struct Session: Sendable, Equatable {
  var token = 0
  var answers: Set<Int> = []
  var isSignedIn = true
}

private struct Expired: Error {}

/// The server's content is the token that it accepts.
private class ClientViewModel: RxViewModel<ClientAction, Session>, @unchecked Sendable {  // Sendable: `let`s only.
  private let server: RaceServer<Int>
  let renewals = Locked(0)

  init(_ scheduler: any Scheduler, _ server: RaceServer<Int>) {
    self.server = server
    super.init(initialState: Session(), scheduler: scheduler)
  }

  override func createObservable(_ action: ClientAction) -> Effect {
    switch action {
    case .get(let number):
      return Observable.task { [weak self, server] in
        while true {
          guard let token = self?.currentState.token else { throw CancellationError() }
          if try await server.request("get \(number)", { $0 == token }) { return number }
          _ = try await self?.perform(.renew(token: token))
        }
      }.mutate { $0.answers.insert($1) }
    // A late 401: the token has been renewed since the request was sent.
    case .renew(let token) where token != currentState.token: return .unchanged()
    case .renew(let token):
      return Observable.task { [server, renewals] in
        let renewed = try await server.request("renew") { valid -> Int? in
          renewals.increment()
          // A renewal spends the refresh token.
          if valid != token + 1 { return nil }
          valid = token + 2
          return valid
        }
        guard let renewed else { throw Expired() }
        return renewed
      }.mutate { $0.token = $1 }
    }
  }

  override func stateMapper(for error: any Error, action: ClientAction) -> StateMapper<Session>? {
    { session in
      var session = session
      session.isSignedIn = false
      return session
    }
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<ClientAction>) {}
}

private final class JoiningClientViewModel: ClientViewModel, @unchecked Sendable {
  override func executionMode(for action: ClientAction) -> ExecutionMode {
    switch action {
    case .renew(let token): .join("token", key: "\(token)")
    case .get: .parallel
    }
  }
}

@Suite(.asyncEffects) struct TokenRaceTests {
  private func getThreeTimes(_ run: Exploration, _ make: (any Scheduler, RaceServer<Int>) -> ClientViewModel) throws {
    let client = make(run.scheduler, RaceServer(run, 1))
    for number in 1...3 { client.execute(.get(number)) }
    run.allArrive()
    try run.expect(client.currentState == Session(token: 2, answers: [1, 2, 3]), "\(client.currentState)")
    try run.expect(client.renewals.value == 1, "one renewal")
  }

  @Test func everyRequestRenews() {
    #expect(throws: TestFailure.self) {
      try explore(limit: 3_000) { run in try getThreeTimes(run) { ClientViewModel($0, $1) } }
    }
  }

  @Test(arguments: [false, true]) func joinRenewsOnce(overlapping: Bool) throws {
    try explore(limit: 3_000, overlapping: overlapping) { run in
      try getThreeTimes(run) { JoiningClientViewModel($0, $1) }
    }
  }
}
