import RxViewModel

public enum ClientAction: Sendable, Equatable {
  case load(page: Int)
  case renew(with: String)
}

public struct Tokens: Sendable, Equatable {
  public var access: String
  /// The server takes it once.
  public var refresh: String

  public init(access: String, refresh: String) { (self.access, self.refresh) = (access, refresh) }
}

public struct ClientState: Sendable, Equatable {
  /// Nil if the user is signed out.
  public var tokens: Tokens?
  public var pages: [Int: String] = [:]
}

/// The server has refused a token.
public struct Unauthorized: Error { public init() {} }

public struct ClientService: Sendable {
  let load: @Sendable (_ page: Int, _ accessToken: String) async throws -> String
  let renew: @Sendable (_ refreshToken: String) async throws -> Tokens

  public init(
    load: @escaping @Sendable (_ page: Int, _ accessToken: String) async throws -> String,
    renew: @escaping @Sendable (_ refreshToken: String) async throws -> Tokens
  ) {
    (self.load, self.renew) = (load, renew)
  }
}

/// A client whose access token expires.
///
/// [tuist/tuist 10276](https://github.com/tuist/tuist/pull/10276): I had to sign in again, although my session was still good.
///
/// A request that the server refuses renews the tokens, and is sent again. Several requests are refused together, so each of them renews.
/// The server takes the refresh token once: it refuses the second renewal, which signs the user out.
public class TokenRenewal: RxViewModel<ClientAction, ClientState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: ClientService

  public init(_ service: ClientService, _ tokens: Tokens, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: ClientState(tokens: tokens), scheduler: scheduler)
  }

  override public func createObservable(_ action: ClientAction) -> Effect {
    switch action {
    case .load(let page):
      Observable.task { [weak self] in try await self?.load(page) }.mutate { $0.pages[page] = $1 }
    case .renew(let token):
      Observable.task { [service] in try await service.renew(token) }.mutate { $0.tokens = $1 }
    }
  }

  override public func stateMapper(for error: any Error, action: ClientAction) -> StateMapper<ClientState>? {
    if case .renew = action, error is Unauthorized { mutate { $0.tokens = nil } } else { nil }
  }

  private func load(_ page: Int) async throws -> String {
    guard let tokens = currentState.tokens else { throw Unauthorized() }
    do {
      return try await service.load(page, tokens.access)
    } catch is Unauthorized {
      let renewed = try await perform(.renew(with: tokens.refresh)).tokens
      return try await service.load(page, renewed?.access ?? "")
    }
  }
}

/// The cure: renewals with the same token join, and a renewal whose token has been spent does nothing.
///
/// The second line is for the request that is refused late, when the renewal has ended. A stream that the requests share, with
/// `share(replay: 1)`, lacks it: it renews once more.
public final class CuredTokenRenewal: TokenRenewal, @unchecked Sendable {
  override public func executionMode(for action: ClientAction) -> ExecutionMode {
    if case .renew(let token) = action { .join("tokens", key: "\(token)") } else { .parallel }
  }

  override public func createObservable(_ action: ClientAction) -> Effect {
    if case .renew(let token) = action, token != currentState.tokens?.refresh { return .unchanged() }
    return super.createObservable(action)
  }
}
