import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

/// The posts of a user. Another device has written number 1.
private struct Blog: Equatable {
  var texts = [1: "other"]
  var ids: [Int: Int] = [:]

  mutating func save(_ text: String, key: Int) -> Int {
    let id = ids[key] ?? texts.count + 1
    (ids[key], texts[id]) = (id, text)
    return id
  }
}

struct PostListTests {
  private typealias Make = (PostService, any Scheduler) -> PostList

  private func service(_ run: Exploration, _ blog: MutableProperty<Blog>) -> PostService {
    PostService(
      save: { key, text in
        try await run.request("save \(text)", failing: URLError(.timedOut)) { blog.update { $0.save(text, key: key) } }
      },
      posts: { try await run.request("list", failing: URLError(.timedOut), changes: false) { blog.value.texts } })
  }

  /// Writes a post during a sync. Returns what the user sees in the end.
  private func writeDuringSync(_ run: Exploration, _ make: Make) -> [String] {
    let list = make(service(run, MutableProperty(Blog())), run.scheduler)
    list.execute(.save(key: 1, "a"))
    list.execute(.sync)
    run.allArrive()
    return list.currentState.posts.map(\.text)
  }

  @Test func aNewPostAppearsTwice() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in writeDuringSync(run) { PostList($0, scheduler: $1) } }
    }
    #expect("\(endings)".contains("The outcome depends on the order of the responses"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(writeDuringSync(run) { PostList($0, scheduler: $1) }, equals: ["other", "a"])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 2 of 6 orders, first in"), "\(failure)")
  }

  @Test func aLaneShowsItOnce() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(writeDuringSync(run) { CuredPostList($0, scheduler: $1) }, equals: ["other", "a"])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 1)
  }

  /// The post appears once, with the last text. After failures, the list is as the server's.
  private func play(_ run: Exploration, _ actions: [PostAction]) throws {
    let blog = MutableProperty(Blog())
    let list = CuredPostList(service(run, blog), scheduler: run.scheduler)
    let (errors, texts) = (list.errorObservable.test(run.scheduler), MutableProperty([String]()))
    run.always(list, "the post, once, with the last text") { state in
      // The state that shows a failure precedes its error.
      !errors.values.isEmpty || state.unsaved != nil || state.posts.filter { $0.id != 1 }.map(\.text) == texts.value
    }
    for action in actions {
      if case .save(_, let text) = action { texts.value = [text] }
      list.execute(action)
      run.mayArrive()
    }
    run.allArrive()
    if errors.values.isEmpty { try run.expect(blog.value.texts.values.filter { $0 != "other" } == texts.value) }
    run.recover()
    list.execute(.sync)
    run.allArrive()
    let rows = list.currentState.posts.map { [$0.id ?? 0: $0.text] }
    try run.expect(rows, equals: blog.value.texts.sorted { $0.key < $1.key }.map { [$0: $1] })
  }

  @Test func theListIsAsTheServersAfterFailures() throws {
    let report = try explore { try play($0, [.save(key: 1, "a"), .sync, .save(key: 1, "b")]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 747)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try play(run, (0..<run.choose(0...6)).map { _ in run.choose(.save(key: 1, "a"), .sync, .save(key: 1, "b")) })
    }
  }
}
