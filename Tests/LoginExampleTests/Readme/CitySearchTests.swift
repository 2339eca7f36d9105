import Foundation
import RxViewModel
import RxViewModelTesting
import Synchronization
import Testing

// MARK: The search of the README and its test, word for word. It runs here without `@Test`, because it has to fail.

class CitySearch: RxViewModel<CitySearch.Action, CitySearch.State>, @unchecked Sendable {
  enum Action: Sendable {
    case search(String)
  }

  struct State: Sendable, Equatable {
    var text = ""
    var results: [String] = []
  }

  let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .search(let text):
      let results = Observable.task { [find] in try await find(text) }
      return .mutate { $0.text = text }.concat(results.mutate { $0.results = $1 })
    }
  }
}

private func resultsBelongToTheText() throws {
  try explore { run in
    let search = CitySearch(scheduler: run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    search.execute(.search("a"))
    run.mayArrive()
    search.execute(.search("ab"))
    run.allArrive()
    try run.expect(search.currentState.results == ["ab"])
  }
}

private final class FixedCitySearch: CitySearch, @unchecked Sendable {
  override func executionMode(for action: Action) -> ExecutionMode { .switchLatest }
}

// MARK: What the README says of them

struct CitySearchTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theFailureIsTheOneInTheReadme() throws {
    let failure = try #require(throws: TestFailure.self) { try resultsBelongToTheText() }
    let readme = try Readme()
    #expect(
      readme.contains(Readme.withoutLineNumbers(failure.description)), "the README has no such failure: \(failure)")
    // The numbers are those of the file that a reader pastes.
    let block = try readme.block(containing: "func resultsBelongToTheText").components(separatedBy: "\n")
    for call in ["try explore", "try run.expect"] {
      let line = try #require(block.firstIndex { $0.contains(call) }) + 1
      #expect(readme.text.contains("CitySearchTests.swift:\(line)"))
    }
  }

  /// With `DRAW_STORY=1` in the environment, the test writes the picture instead of comparing it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func thePictureShowsTheTwoRuns() throws {
    let file = Readme.root.appending(path: "Documentation/story.svg")
    let failure = #expect(throws: TestFailure.self) { try explore { try Self.history(of: CitySearch.init, $0) } }
    let stale = Mutex<[StoryMoment]>([])
    _ = try? explore(replaying: "0-1-0") { run in try Self.history(of: CitySearch.init, run) { stale.append($0) } }
    let fixed = Mutex<[StoryMoment]>([])
    let report = try explore { try Self.history(of: FixedCitySearch.init, $0) }
    try explore(replaying: "0-0") { run in try Self.history(of: FixedCitySearch.init, run) { fixed.append($0) } }
    let verdict = try #require(failure?.description.components(separatedBy: ",").first)
    let picture = storyPicture(
      stale: stale.withLock { $0 }, staleVerdict: verdict,
      fixed: fixed.withLock { $0 }, fixedVerdict: "passes in \(report.runs) of \(report.runs) orders")
    if ProcessInfo.processInfo.environment["DRAW_STORY"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(
        try String(contentsOf: file, encoding: .utf8) == picture,
        "DRAW_STORY=1 swift test --filter CitySearchTests draws the picture")
    }
  }

  private typealias Find = @Sendable (String) async throws -> [String]

  /// The README's test for either search, which notes what the user sees.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static func history(
    of makeSearch: ((any Scheduler)?, @escaping Find) -> CitySearch, _ run: Exploration,
    note: @escaping @Sendable (StoryMoment) -> Void = { _ in }
  ) throws {
    let search = makeSearch(run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    let noting = search.executionObservable.subscribe(onNext: { execution in
      guard case .search(let text) = execution.action else { return }
      switch execution.phase {
      case .started: note(.leaves(text))
      case .completed(let state): note(.answer(text, shown: state.results))
      case .cancelled: note(.cancelled(text))
      default: break
      }
    })
    defer { noting.dispose() }
    search.execute(.search("a"))
    run.mayArrive()
    search.execute(.search("ab"))
    run.allArrive()
    try run.expect(search.currentState.results == ["ab"])
  }
}

extension Mutex where Value == [StoryMoment] {
  fileprivate borrowing func append(_ moment: StoryMoment) { withLock { $0.append(moment) } }
}
