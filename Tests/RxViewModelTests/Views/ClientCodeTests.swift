import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// A user's code: it needs no `nonisolated(unsafe)`, no `assumeIsolated` and no `Task { @MainActor in }`, and compiles without a warning in
// Swift 6 mode.

private struct Search: Sendable, Equatable {
  var text = ""
  var results: [String] = []
}

private enum LookupAction: Sendable {
  case type(String)
  case search
}

private struct NothingFound: Error {}

// Sendable: it stores nothing.
private final class LookupViewModel: RxViewModel<LookupAction, Search>, @unchecked Sendable {
  override func createInitialState() -> Search { Search() }

  override func createObservable(_ action: LookupAction) -> Effect {
    switch action {
    case .type(let text): return .mutate { $0.text = text }
    case .search:
      let text = currentState.text
      let found = Observable.task { () async throws -> [String] in
        if text.isEmpty { throw NothingFound() }
        return [text, text + "!"]
      }
      return found.mutate { $0.results = $1 }
    }
  }

  override func showSpinner(_ action: LookupAction) -> Bool {
    if case .search = action { true } else { false }
  }
}

@MainActor
private final class TextField {
  var text = ""
}

@MainActor
private final class Spinner {
  var isAnimating = false
  var hasTurned = false
}

@MainActor
private final class LookupView {
  let field = TextField()
  let spinner = Spinner()
  var rows: [String] = []
  var alerts: [String] = []
  var redraws = 0
  private let viewModel: LookupViewModel
  private let lifecycle = Lifecycle()
  private let bag = DisposeBag()
  private let messages: RxLiveEvents<String>

  init(_ viewModel: LookupViewModel) {
    self.viewModel = viewModel
    messages = viewModel.errorObservable.map { "\($0)" }.asLiveEvents(viewModel)
    viewModel.stateObservable.map(\.text).distinctUntilChanged().bind(to: field, \.text).disposed(by: bag)
    viewModel.isLoadingObservable.bind { [weak self] isLoading in
      self?.spinner.isAnimating = isLoading
      if isLoading { self?.spinner.hasTurned = true }
    }.disposed(by: bag)
    viewModel.stateObservable.map(\.results).asLiveData(viewModel).observe(lifecycle) { [weak self] rows in
      self?.rows = rows
      self?.redraws += 1
    }.disposed(by: bag)
    messages.observe(lifecycle) { [weak self] message in self?.alerts.append(message) }.disposed(by: bag)
  }

  func appear() { lifecycle.resume() }
  func disappear() { lifecycle.pause() }

  func search(_ text: String) async throws -> [String] {
    try await viewModel.perform(.type(text))
    return try await viewModel.perform(.search).results
  }

  func rowsAsTheyCome(until last: [String]) async throws -> [[String]] {
    var seen: [[String]] = []
    for try await rows in viewModel.stateObservable.map(\.results).distinctUntilChanged().values {
      seen.append(rows)
      if rows == last { break }
    }
    return seen
  }
}

@MainActor
@Suite struct ClientCodeTests {
  // contract 3, and `perform` and `values` from a main-actor task
  @Test func aScreen() async throws {
    let view = LookupView(LookupViewModel())
    #expect(view.redraws == 0)
    view.appear()
    #expect(view.redraws == 1)
    async let seen = view.rowsAsTheyCome(until: ["swift", "swift!"])
    #expect(try await view.search("swift") == ["swift", "swift!"])
    // The loop may subscribe before the search or after it.
    let rows = try await seen
    #expect(rows == [[], ["swift", "swift!"]] || rows == [["swift", "swift!"]])
    await settle { view.rows == ["swift", "swift!"] && !view.spinner.isAnimating }
    #expect(view.rows == ["swift", "swift!"])
    #expect(view.field.text == "swift")
    #expect(view.spinner.hasTurned)
    #expect(!view.spinner.isAnimating)
    view.disappear()
    await #expect(throws: NothingFound.self) { try await view.search("") }
    await settle { view.field.text == "" }
    #expect(view.alerts == [])
    view.appear()
    await settle { view.alerts.count == 1 }
    #expect(view.alerts == ["NothingFound()"])
  }

  // Cancelling the task of a `perform` on the main actor ends it promptly, although the effect never ends.
  @Test func cancellingAPerform() async {
    let screen = Screen()
    let task = Task { try await screen.perform(Step("endless") { .never() }) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
