import RxViewModel

public enum FollowAction: Sendable, Equatable {
  case setFollowed(Bool)
  case refresh
}

public struct FollowState: Sendable, Equatable {
  public var isFollowed = false
  /// The server's id of the follow, without which the user can't be unfollowed. Nil if the app knows of none.
  public var record: Int?
}

/// The server makes a record for each follow, and deletes it by its id.
public struct FollowService: Sendable {
  let follow: @Sendable () async throws -> Int
  let unfollow: @Sendable (_ record: Int) async throws -> Void
  let record: @Sendable () async throws -> Int?

  public init(
    follow: @escaping @Sendable () async throws -> Int,
    unfollow: @escaping @Sendable (_ record: Int) async throws -> Void,
    record: @escaping @Sendable () async throws -> Int?
  ) {
    (self.follow, self.unfollow, self.record) = (follow, unfollow, record)
  }
}

/// A follow button.
///
/// [bluesky-social/social-app 1933](https://github.com/bluesky-social/social-app/pull/1933): I tapped *Follow* and then *Following*, quickly,
/// and the button showed one thing while the server had the other.
///
/// Each tap shows at once and sends its request at once, and a failure turns the button back. But the second tap may come before the first
/// one has its answer: then there is no id yet to unfollow with, and the first answer, or its failure, changes what the second tap shows.
public class FollowButton: RxViewModel<FollowAction, FollowState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: FollowService

  public init(_ service: FollowService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: FollowState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: FollowAction) -> Effect {
    switch action {
    case .setFollowed(let isFollowed): .mutate { $0.isFollowed = isFollowed }.concat(request(action))
    case .refresh: request(action)
    }
  }

  override public func stateMapper(for error: any Error, action: FollowAction) -> StateMapper<FollowState>? {
    guard case .setFollowed(let isFollowed) = action else { return nil }
    return { FollowState(isFollowed: !isFollowed, record: $0.record) }
  }

  fileprivate func request(_ action: FollowAction) -> Effect {
    let (service, record) = (service, currentState.record)
    switch (action, record) {
    case (.setFollowed(true), nil):
      return Observable.task { try await service.follow() }.mutate { $0.record = $1 }
    case (.setFollowed(false), let record?):
      return Observable.task { try await service.unfollow(record) }.mutate { state, _ in state.record = nil }
    case (.setFollowed, _): return .unchanged()
    case (.refresh, _):
      return Observable.task { try await service.record() }
        .mutate { $0 = FollowState(isFollowed: $1 != nil, record: $1) }
    }
  }
}

/// The cure: a tap is an optimistic update, and waits in a lane for the request before it. So each request knows the record that the one
/// before it has left, and a failure takes back its own tap and no other.
public final class CuredFollowButton: FollowButton, @unchecked Sendable {
  override public func optimisticUpdate(for action: FollowAction) -> OptimisticUpdate<FollowState>? {
    guard case .setFollowed(let isFollowed) = action else { return .snapshot }
    return .change { $0.isFollowed = isFollowed }
  }

  override public func executionMode(for action: FollowAction) -> ExecutionMode {
    action == .refresh ? .parallel : .keepLatest("follow")
  }

  // These two lines less: showing, and turning back.
  override public func createObservable(_ action: FollowAction) -> Effect { request(action) }
  override public func stateMapper(for error: any Error, action: FollowAction) -> StateMapper<FollowState>? { nil }
}
