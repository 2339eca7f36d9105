import RxViewModel

/// What the server tells over a socket. After a reconnection, it comes all at once.
public enum ChannelEvent: Sendable, Equatable {
  case created(id: Int, author: Int, text: String)
  case edited(id: Int, text: String)
  case deleted(id: Int)

  var id: Int {
    switch self {
    case .created(let id, _, _), .edited(let id, _), .deleted(let id): id
    }
  }
}

public struct ChannelPost: Sendable, Equatable {
  public var author: String
  public var text: String

  public init(author: String, text: String) { (self.author, self.text) = (author, text) }
}

public struct AuthorService: Sendable {
  let name: @Sendable (_ author: Int) async throws -> String

  public init(name: @escaping @Sendable (_ author: Int) async throws -> String) { self.name = name }
}

/// The posts of a channel.
///
/// [mattermost/mattermost-mobile 7290](https://github.com/mattermost/mattermost-mobile/pull/7290): I came back online, and saw a post as it
/// was before its author had corrected it, and one that had been deleted.
///
/// A new post needs a look-up of its author before it appears. An edit or a deletion needs none, so it is handled while the post is still
/// absent, and has no effect. Then the post appears, with its first text.
public class ChannelFeed: RxViewModel<ChannelEvent, [Int: ChannelPost]>, @unchecked Sendable {
  // Sendable: a `let` only.
  private let service: AuthorService

  public init(_ service: AuthorService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: [:], scheduler: scheduler)
  }

  override public func createObservable(_ event: ChannelEvent) -> Effect {
    switch event {
    case .created(let id, let author, let text):
      name(of: author).mutate { $0[id] = ChannelPost(author: $1, text: text) }
    case .edited(let id, let text): .mutate { $0[id]?.text = text }
    case .deleted(let id): .mutate { $0[id] = nil }
    }
  }

  fileprivate func name(of author: Int) -> Observable<String> {
    let service = service
    return Observable.task { try await service.name(author) }
  }
}

/// The cure: the events of one post wait for each other, and a look-up that fails is tried again, because the events behind it need its post.
public final class CuredChannelFeed: ChannelFeed, @unchecked Sendable {
  override public func executionMode(for event: ChannelEvent) -> ExecutionMode { .sequence("post \(event.id)") }

  override fileprivate func name(of author: Int) -> Observable<String> { super.name(of: author).retry(3) }
}
