// The races of the page *Every order*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

// MARK: The next page under a new query

enum PhotoAction: Sendable {
  case search(String)
  case nextPage
}

struct PhotoState: Sendable, Equatable {
  var query = ""
  var photos: [String] = []
}

class PhotoSearch: RxViewModel<PhotoAction, PhotoState>, @unchecked Sendable {
  private let page: @Sendable (String, Int) async throws -> [String]

  init(_ scheduler: any Scheduler, _ page: @escaping @Sendable (String, Int) async throws -> [String]) {
    self.page = page
    super.init(initialState: PhotoState(), scheduler: scheduler)
  }

  override func createObservable(_ action: PhotoAction) -> Effect {
    let (page, state) = (page, currentState)
    return switch action {
    case .search(let query):
      Observable.task { try await page(query, 0) }.mutate { $0 = PhotoState(query: query, photos: $1) }
    case .nextPage:
      Observable.task { try await page(state.query, state.photos.count) }.mutate { $0.photos += $1 }
    }
  }

  override func executionMode(for action: PhotoAction) -> ExecutionMode {
    switch action {
    case .search: .switchLatest
    case .nextPage: .dropWhileBusy
    }
  }
}

private final class FixedPhotoSearch: PhotoSearch, @unchecked Sendable {
  override func executionMode(for action: PhotoAction) -> ExecutionMode {
    switch action {
    case .search: .switchLatest("photos")
    case .nextPage: .dropWhileBusy("photos")
    }
  }
}

// MARK: The code for another user

enum CodeAction: Sendable {
  case setName(String)
  case signIn(String)
}

struct CodeState: Sendable, Equatable {
  var name = ""
  /// The user who has to enter a code.
  var challenged: String?
}

struct CodeRequired: Error {}

class CodeSignIn: RxViewModel<CodeAction, CodeState>, @unchecked Sendable {
  private let signIn: @Sendable (String) async throws -> Void

  init(_ scheduler: any Scheduler, _ signIn: @escaping @Sendable (String) async throws -> Void) {
    self.signIn = signIn
    super.init(initialState: CodeState(), scheduler: scheduler)
  }

  override func createObservable(_ action: CodeAction) -> Effect {
    let signIn = signIn
    return switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .signIn(let name): Observable.task { try await signIn(name) }.mutate { state, _ in state.challenged = nil }
    }
  }

  override func stateMapper(for error: any Error, action: CodeAction) -> StateMapper<CodeState>? {
    guard error is CodeRequired else { return nil }
    return { CodeState(name: $0.name, challenged: $0.name) }
  }
}

private final class FixedCodeSignIn: CodeSignIn, @unchecked Sendable {
  override func stateMapper(for error: any Error, action: CodeAction) -> StateMapper<CodeState>? {
    guard error is CodeRequired, case .signIn(let name) = action else { return nil }
    return { CodeState(name: $0.name, challenged: name) }
  }
}

// MARK: The comment that appears twice

enum CommentAction: Sendable {
  case refresh
  case post(String)
}

private class CommentList: RxViewModel<CommentAction, [String]>, @unchecked Sendable {
  private let service: ExploredService

  init(_ service: ExploredService) {
    self.service = service
    super.init(initialState: [], scheduler: service.run.scheduler)
  }

  override func createObservable(_ action: CommentAction) -> Effect {
    let service = service
    return switch action {
    case .refresh: Observable.task { try await service.comments() }.mutate { $0 = $1 }
    case .post(let comment):
      Observable.task { try await service.post(comment) }.mutate { list, _ in list.append(comment) }
    }
  }

  override func executionMode(for action: CommentAction) -> ExecutionMode {
    switch action {
    case .refresh: .switchLatest
    case .post: .sequence
    }
  }
}

private final class FixedCommentList: CommentList, @unchecked Sendable {
  override func executionMode(for action: CommentAction) -> ExecutionMode {
    .sequence("comments")
  }
}

// MARK: The refresh that overwrites an edit

enum MemoAction: Sendable {
  case refresh
  case edit(String)
  case save(String)
}

private class MemoEditor: RxViewModel<MemoAction, String>, @unchecked Sendable {
  let service: ExploredService

  init(_ service: ExploredService) {
    self.service = service
    super.init(initialState: "", scheduler: service.run.scheduler)
  }

  override func createObservable(_ action: MemoAction) -> Effect {
    let service = service
    return switch action {
    case .refresh: Observable.task { try await service.note() }.mutate { $0 = $1 }
    case .edit(let text): Observable.mutate { $0 = text }.then(.save(text), on: self)
    case .save(let text): Observable.task { try await service.save(text) }.ignoreElements()
    }
  }

  override func executionMode(for action: MemoAction) -> ExecutionMode {
    switch action {
    case .edit: .parallel
    case .refresh, .save: .sequence("note")
    }
  }
}

private final class FixedMemoEditor: MemoEditor, @unchecked Sendable {
  override func createObservable(_ action: MemoAction) -> Effect {
    guard case .refresh = action else { return super.createObservable(action) }
    let (service, before) = (service, currentState)
    return Observable.task { try await service.note() }.mutate { if $0 == before { $0 = $1 } }
  }
}

// MARK: The tests

/// A service that answers when the explorer decides, with what it has stored at the beginning of the call.
// Sendable: only the thread of the test uses it.
private final class ExploredService: @unchecked Sendable {
  let run: Exploration
  private(set) var stored: [String] = []

  init(_ run: Exploration) { self.run = run }

  func comments() async throws -> [String] {
    let answer = stored
    try await run.arrival("comments \(answer)")
    return answer
  }

  func post(_ comment: String) async throws {
    stored.append(comment)
    try await run.arrival("posted")
  }

  func note() async throws -> String {
    let answer = stored.last ?? ""
    try await run.arrival("note \"\(answer)\"")
    return answer
  }

  func save(_ note: String) async throws {
    stored = [note]
    try await run.arrival("saved")
  }
}

// contract 4.6
/// The races that most apps have.
struct EveryOrderRaceSnippets {
  /// Runs the body for a view model with the bug: the arrivals have to come in the order that the page shows. For the fixed view model the
  /// body has to pass in every order.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static func expect(_ arrivals: String..., body: (Exploration, _ isFixed: Bool) throws -> Void) throws {
    #expect(try explore { try body($0, true) }.isExhaustive)
    let failure = try #require(throws: TestFailure.self) { try explore { try body($0, false) } }
    var rest = failure.description[...]
    for arrival in arrivals {
      let range = try #require(rest.range(of: arrival), "\(failure)")
      rest = rest[range.upperBound...]
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theNextPage() throws {
    try Self.expect("cat from 0", "dog from 0", "cat from 1") { run, isFixed in
      let page = { @Sendable (query: String, start: Int) in
        try await run.arrival("\(query) from \(start)")
        return ["\(query) \(start)"]
      }
      let model = isFixed ? FixedPhotoSearch(run.scheduler, page) : PhotoSearch(run.scheduler, page)
      model.execute(.search("cat"))
      run.allArrive()
      model.execute(.nextPage)
      model.execute(.search("dog"))
      run.allArrive()
      try run.expect(model.currentState == PhotoState(query: "dog", photos: ["dog 0"]))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theChallenge() throws {
    try Self.expect("code for ann") { run, isFixed in
      let signIn = { @Sendable (name: String) in
        try await run.arrival("code for \(name)")
        throw CodeRequired()
      }
      let model = isFixed ? FixedCodeSignIn(run.scheduler, signIn) : CodeSignIn(run.scheduler, signIn)
      model.execute(.setName("ann"))
      model.execute(.signIn("ann"))
      run.mayArrive()
      model.execute(.setName("bob"))
      run.allArrive()
      try run.expect(model.currentState.challenged == "ann")
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theComment() throws {
    try Self.expect("comments [\"hello\"]", "posted") { run, isFixed in
      let service = ExploredService(run)
      let model = isFixed ? FixedCommentList(service) : CommentList(service)
      model.execute(.post("hello"))
      model.execute(.refresh)
      run.allArrive()
      try run.expect(model.currentState == ["hello"])
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theNote() throws {
    try Self.expect("note \"\"", "saved") { run, isFixed in
      let service = ExploredService(run)
      let model = isFixed ? FixedMemoEditor(service) : MemoEditor(service)
      model.execute(.refresh)
      run.mayArrive()
      model.execute(.edit("milk"))
      run.allArrive()
      try run.expect(model.currentState == "milk" && service.stored == ["milk"])
    }
  }
}
