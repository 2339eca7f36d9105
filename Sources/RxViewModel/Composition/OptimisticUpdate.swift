/// What is known of an action before its response: ``RxViewModel/RxViewModel/optimisticUpdate(for:)`` returns it.
///
///     override func optimisticUpdate(for action: FeedAction) -> OptimisticUpdate<FeedState>? {
///       switch action {
///       case .setLiked(let id, let isLiked): .change { $0.posts[id]?.isLiked = isLiked }
///       case .refresh: .snapshot
///       default: nil
///       }
///     }
///
/// The view model may run a change, and each mapper, again on another state while something is unconfirmed. See <doc:OptimisticUpdates>.
public struct OptimisticUpdate<State: Sendable>: Sendable {
  /// Nil if the action shows nothing before its response.
  @usableFromInline let change: StateMapper<State>?
  @usableFromInline let isSnapshot: Bool

  @inlinable
  init(_ change: StateMapper<State>?, isSnapshot: Bool) { (self.change, self.isSnapshot) = (change, isSnapshot) }

  /// Shows what the action is expected to do, from its turn on, even while it waits in a lane. The view model takes that back, and nothing
  /// else, if the action doesn't complete.
  ///
  /// Runs on the scheduler. If it throws, it changes nothing.
  @inlinable
  public static func change(_ body: @escaping @Sendable (inout State) throws -> Void) -> OptimisticUpdate {
    OptimisticUpdate(mutation(body), isSnapshot: false)
  }

  /// The response replaces what the server owns, and is as old as its request: what has happened since is applied again on top of it.
  ///
  /// For one request, not for a stream.
  @inlinable
  public static var snapshot: OptimisticUpdate { OptimisticUpdate(nil, isSnapshot: true) }

  /// Both: a request that changes something, and whose response replaces what the server owns.
  @inlinable
  public static func snapshot(changing body: @escaping @Sendable (inout State) throws -> Void) -> OptimisticUpdate {
    OptimisticUpdate(mutation(body), isSnapshot: true)
  }

  @inlinable
  static func mutation(_ body: @escaping @Sendable (inout State) throws -> Void) -> StateMapper<State> {
    { state in
      var state = state
      try body(&state)
      return state
    }
  }

  /// The update of a state that contains this one.
  @inlinable
  func map<Parent>(_ lift: (@escaping StateMapper<State>) -> StateMapper<Parent>) -> OptimisticUpdate<Parent> {
    OptimisticUpdate<Parent>(change.map { lift($0) }, isSnapshot: isSnapshot)
  }
}
