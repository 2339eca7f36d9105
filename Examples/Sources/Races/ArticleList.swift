import RxViewModel

public enum ArticleAction: Sendable, Equatable {
  case markRead(Int)
  case sync
}

public struct ArticleState: Sendable, Equatable {
  public var unread: Set<Int>
  /// What the server has not been told yet.
  public var pending: Set<Int> = []

  public init(unread: Set<Int>) { self.unread = unread }
}

public struct ArticleService: Sendable {
  let markRead: @Sendable (Set<Int>) async throws -> Void
  let unread: @Sendable () async throws -> Set<Int>

  public init(
    markRead: @escaping @Sendable (Set<Int>) async throws -> Void,
    unread: @escaping @Sendable () async throws -> Set<Int>
  ) {
    (self.markRead, self.unread) = (markRead, unread)
  }
}

/// The articles of a feed reader, which are marked as read on this device first, and synchronized from time to time.
///
/// [Ranchero-Software/NetNewsWire 1515](https://github.com/Ranchero-Software/NetNewsWire/issues/1515) and
/// [1516](https://github.com/Ranchero-Software/NetNewsWire/issues/1516): I read an article during a sync, and it became unread again.
///
/// A sync sends what is pending, and then asks what is unread. What the user reads in between has not been sent, so the answer doesn't know
/// it, and replaces it.
public class ArticleList: RxViewModel<ArticleAction, ArticleState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: ArticleService

  public init(_ service: ArticleService, unread: Set<Int>, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: ArticleState(unread: unread), scheduler: scheduler)
  }

  override public func createObservable(_ action: ArticleAction) -> Effect {
    switch action {
    case .markRead(let article):
      return .mutate {
        $0.unread.remove(article)
        $0.pending.insert(article)
      }
    case .sync:
      let (service, sent) = (service, currentState.pending)
      return Observable.task {
        if !sent.isEmpty { try await service.markRead(sent) }
        return try await service.unread()
      }.mutate {
        $0.unread = $1
        $0.pending.subtract(sent)
      }
    }
  }
}

/// The cure: the answer is as old as its request. So what the user has read since then is applied again on top of it.
public final class CuredArticleList: ArticleList, @unchecked Sendable {
  override public func optimisticUpdate(for action: ArticleAction) -> OptimisticUpdate<ArticleState>? {
    action == .sync ? .snapshot : nil
  }
}
