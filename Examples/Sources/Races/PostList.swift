import RxViewModel

public enum PostAction: Sendable, Equatable {
  /// The key is the app's own, and belongs to one post.
  case save(key: Int, String)
  case sync
}

public struct Post: Sendable, Equatable {
  /// Nil if the post was written elsewhere.
  public var key: Int?
  /// Nil until the server has answered.
  public var id: Int?
  public var text: String
}

public struct PostState: Sendable, Equatable {
  public var posts: [Post] = []
  /// What couldn't be saved, for the editor.
  public var unsaved: String?

  mutating func show(_ text: String, key: Int) {
    if let index = posts.firstIndex(where: { $0.key == key }) {
      posts[index].text = text
    } else {
      posts.append(Post(key: key, text: text))
    }
  }

  /// Takes the server's posts. Only a post without an id is unknown there.
  mutating func merge(_ texts: [Int: String]) {
    let merged = texts.sorted { $0.key < $1.key }.map { id, text in
      Post(key: posts.first { $0.id == id }?.key, id: id, text: text)
    }
    posts = merged + posts.filter { $0.id == nil }
  }
}

public struct PostService: Sendable {
  /// Creates the post, or changes it if the server knows the key, and returns its id.
  let save: @Sendable (_ key: Int, String) async throws -> Int
  let posts: @Sendable () async throws -> [Int: String]

  public init(
    save: @escaping @Sendable (_ key: Int, String) async throws -> Int,
    posts: @escaping @Sendable () async throws -> [Int: String]
  ) {
    (self.save, self.posts) = (save, posts)
  }
}

/// The posts of a blog, new ones included.
///
/// [wordpress-mobile/WordPress-iOS 2804](https://github.com/wordpress-mobile/WordPress-iOS/issues/2804): my new post was in the list twice,
/// and what I had changed in it was gone.
///
/// A post has no id before its upload is answered. If a list that has it already comes first, nothing tells that the two are the same. And a
/// list that was made before an edit puts the old text back.
public class PostList: RxViewModel<PostAction, PostState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: PostService

  public init(_ service: PostService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: PostState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: PostAction) -> Effect {
    switch action {
    case .save(let key, let text): .mutate { $0.show(text, key: key) }.concat(request(action))
    case .sync: request(action)
    }
  }

  override public func stateMapper(for error: any Error, action: PostAction) -> StateMapper<PostState>? {
    guard case .save(_, let text) = action else { return nil }
    return { PostState(posts: $0.posts, unsaved: text) }
  }

  fileprivate func request(_ action: PostAction) -> Effect {
    let service = service
    return switch action {
    case .save(let key, let text):
      Observable.task { try await service.save(key, text) }.mutate { state, id in
        if let index = state.posts.firstIndex(where: { $0.key == key }) { state.posts[index].id = id }
      }
    case .sync: Observable.task { try await service.posts() }.mutate { $0.merge($1) }
    }
  }
}

/// The cure: saves and lists wait for each other, and a save shows while it waits.
public final class CuredPostList: PostList, @unchecked Sendable {
  override public func executionMode(for action: PostAction) -> ExecutionMode { .sequence("posts") }

  override public func optimisticUpdate(for action: PostAction) -> OptimisticUpdate<PostState>? {
    guard case .save(let key, let text) = action else { return nil }
    return .change { $0.show(text, key: key) }
  }

  // The effect is only the request.
  override public func createObservable(_ action: PostAction) -> Effect { request(action) }
}
