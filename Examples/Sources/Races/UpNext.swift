import RxViewModel

public enum UpNextAction: Sendable, Equatable {
  case add(Int)
  case remove(Int)
  case sync
}

public struct UpNextState: Sendable, Equatable {
  /// What the user has done, in the order of the numbers.
  public struct Change: Sendable, Hashable {
    public var episode: Int
    public var isAdded: Bool
    public var number: Int
  }

  public var episodes: [Int]
  /// What the server may not know yet.
  public var changes: [Change] = []
  var lastNumber = 0

  public init(_ episodes: [Int]) { self.episodes = episodes }

  mutating func set(_ episode: Int, isAdded: Bool) {
    episodes.removeAll { $0 == episode }
    if isAdded { episodes.append(episode) }
    lastNumber += 1
    changes.append(Change(episode: episode, isAdded: isAdded, number: lastNumber))
  }
}

/// Sends changes, and returns the episodes after them. The server ignores a change if it has a newer one of that episode.
public struct UpNextService: Sendable {
  let sync: @Sendable ([UpNextState.Change]) async throws -> [Int]

  public init(sync: @escaping @Sendable ([UpNextState.Change]) async throws -> [Int]) { self.sync = sync }
}

/// The episodes that a podcast player plays next.
///
/// [Automattic/pocket-casts-android 67](https://github.com/Automattic/pocket-casts-android/issues/67): I removed an episode, and a moment
/// later it was back.
///
/// A sync sends the changes that there are, and its answer replaces the list. What the user removes in the meantime is in the answer still.
public class UpNext: RxViewModel<UpNextAction, UpNextState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: UpNextService

  public init(_ service: UpNextService, episodes: [Int], scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: UpNextState(episodes), scheduler: scheduler)
  }

  override public func createObservable(_ action: UpNextAction) -> Effect {
    switch action {
    case .add(let episode): return .mutate { $0.set(episode, isAdded: true) }
    case .remove(let episode): return .mutate { $0.set(episode, isAdded: false) }
    case .sync:
      let (service, sent) = (service, currentState.changes)
      return Observable.task { try await service.sync(sent) }.mutate {
        $0.episodes = $1
        $0.changes.removeAll { sent.contains($0) }
      }
    }
  }
}

/// The cure: the answer is as old as its request. So what the user has done since then is applied again on top of it.
public final class CuredUpNext: UpNext, @unchecked Sendable {
  override public func optimisticUpdate(for action: UpNextAction) -> OptimisticUpdate<UpNextState>? {
    action == .sync ? .snapshot : nil
  }
}
