// The code of the articles, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

// MARK: Getting started

enum CounterAction: Sendable, Equatable {
  case increment
  case add(Int)
}

final class CounterViewModel: RxViewModel<CounterAction, Int>, @unchecked Sendable {
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: CounterAction) -> Effect {
    switch action {
    case .increment: .mutate { $0 += 1 }
    case .add(let number): .mutate { $0 += number }
    }
  }
}

@Suite struct GettingStartedTests {
  @Test func countsUp() {
    let scheduler = TestScheduler()
    let viewModel = CounterViewModel(scheduler: scheduler)
    let states = viewModel.stateObservable.test(scheduler)
    viewModel.execute(.increment)
    viewModel.execute(.add(5))
    scheduler.run()
    #expect(states.values == [0, 1, 6])
  }
}

// MARK: Actions and states, errors and loading

struct SearchState: Sendable, Equatable {
  var results: [String] = []
}

enum SearchAction: Sendable, Equatable {
  case search(String)
  case clear
}

struct Offline: Error {}

final class SearchViewModel: RxViewModel<SearchAction, SearchState>, @unchecked Sendable {
  private let find: @Sendable (String) async throws -> [String]

  init(scheduler: (any Scheduler)? = nil, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> SearchState { SearchState() }

  override func createObservable(_ action: SearchAction) -> Effect {
    switch action {
    case .clear:
      return .mutate { $0.results = [] }
    case .search(let text):
      let find = find
      let results = Observable.task { try await find(text) }
      return results.mutate { $0.results = $1 }
    }
  }

  override func executionMode(for action: SearchAction) -> ExecutionMode {
    if case .search = action { .switchLatest } else { .parallel }
  }

  override func showSpinner(_ action: SearchAction) -> Bool {
    if case .search = action { true } else { false }
  }

  override func handleError(_ error: any Error, action: SearchAction?) -> Bool {
    // True keeps it from the error streams.
    error is Offline
  }
}

@Suite struct ArticleSnippetTests {
  @Test func aSearch() async throws {
    let viewModel = SearchViewModel { text in [text.uppercased()] }
    let state = try await viewModel.perform(.search("swift"))
    #expect(state.results == ["SWIFT"])
  }

  @Test func aHandledErrorIsThrownByPerformOnly() async {
    let viewModel = SearchViewModel { _ in throw Offline() }
    let errors = viewModel.errorObservable.test()
    await #expect(throws: Offline.self) { try await viewModel.perform(.search("swift")) }
    #expect(errors.values.isEmpty)
  }

  // MARK: Testing

  @Test func everythingThatACounterDoes() throws {
    let scheduler = TestScheduler()
    try withTestStore(CounterViewModel(scheduler: scheduler)) { store in
      try store.send(.increment) { $0 = 1 }
      try store.send(.add(5)) { $0 = 6 }
    }
  }

  @Test func aCounterWithAQuietTime() throws {
    let scheduler = TestScheduler()
    try withTestStore(CounterViewModel(scheduler: scheduler)) { store in
      let calm = ExecutionMode.switchLatest(after: .milliseconds(300))
      try store.send(.add(5), mode: calm)
      try store.advance(by: .milliseconds(200))
      try store.send(.add(7), mode: calm)
      try store.expect(.cancelled, of: .add(5))
      try store.advance(by: .milliseconds(299))
      try store.advance(by: .milliseconds(1)) { $0 = 7 }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func everythingThatASearchDoes() throws {
    let scheduler = TestScheduler()
    let clock = scheduler.clock
    let viewModel = SearchViewModel(scheduler: scheduler) { text in
      try await clock.sleep(for: .milliseconds(300))
      return [text.uppercased()]
    }
    try withTestStore(viewModel, exhaustivity: .on(ignoring: .superseded)) { store in
      try store.send(.search("a"))
      try store.advance(by: .milliseconds(200))
      try store.send(.search("ab"))
      try store.advance(by: .milliseconds(300)) { $0.results = ["AB"] }
      try store.send(.clear) { $0.results = [] }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aSearchTakes300Milliseconds() {
    let scheduler = TestScheduler()
    let clock = scheduler.clock
    let viewModel = SearchViewModel(scheduler: scheduler) { text in
      try await clock.sleep(for: .milliseconds(300))
      return [text.uppercased()]
    }
    viewModel.execute(.search("swift"))
    scheduler.advance(by: .milliseconds(299))
    #expect(viewModel.currentState.results.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(viewModel.currentState.results == ["SWIFT"])
  }

  private func slowSearch(on scheduler: TestScheduler) -> SearchViewModel {
    let clock = scheduler.clock
    return SearchViewModel(scheduler: scheduler) { text in
      try await clock.sleep(for: .milliseconds(300))
      return [text.uppercased()]
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aPerformedSearch() throws {
    let scheduler = TestScheduler()
    let viewModel = slowSearch(on: scheduler)
    let state = try scheduler.perform(.search("rx"), on: viewModel)
    #expect(state.results == ["RX"])
    #expect(scheduler.now == .milliseconds(300))
  }

  // The test waits for at most one second of real time. It runs with `.stress` only, because other tests occupy the main actor for longer.
  @Test(.stress) func aSearchOnTheMainActor() async throws {
    let scheduler = TestScheduler()
    let viewModel = SearchViewModel(scheduler: scheduler) { text in
      await MainActor.run { [text.uppercased()] }
    }
    try await withTestStore(viewModel) { store in
      try store.send(.search("swift"))
      try await store.settle()
      try store.expect { $0.results = ["SWIFT"] }
    }
  }

  @Test func twoViewModelsThatShareAScheduler() throws {
    let scheduler = TestScheduler()
    let (left, right) = (CounterViewModel(scheduler: scheduler), CounterViewModel(scheduler: scheduler))
    let links = left.actionAndStateObservable.map { .add($0.state) }.execute(on: right)
    try withTestStore(left) { leftStore in
      try withTestStore(right) { rightStore in
        try leftStore.send(.increment) { $0 = 1 }
        try rightStore.expect { $0 = 1 }
      }
    }
    links.dispose()
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anEventThatTheTestSends() {
    let (scheduler, taps) = (TestScheduler(), PublishSubject<Void>())
    let numbers = taps.flatMapLatest { _ in Observable.task { 1 } }.test(scheduler)
    scheduler.run { taps.onNext(()) }
    #expect(numbers.values == [1])
  }

  @Test func aCalmSearch() {
    let scheduler = TestScheduler()
    let search = scheduler.hotObservable(.marbles("-a-b-----c|"))
    let calm = search.debounce(.milliseconds(30), scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(calm.mismatch(with: .marbles("------b---(c|)")) == nil)
  }

  @Test func aSubscriptionThatEnds() {
    let scheduler = TestScheduler()
    let ticks = Observable.interval(.milliseconds(20), scheduler: scheduler)
    let some = ticks.map(String.init).test(scheduler, subscription: "--^------!")
    scheduler.run()
    #expect(some.mismatch(with: .marbles("----0-1-2")) == nil)
  }

  // MARK: Streams of actions

  @Test func typingExecutesActions() {
    let scheduler = TestScheduler()
    let viewModel = CounterViewModel(scheduler: scheduler)
    let taps = PublishSubject<Void>()
    let bag = DisposeBag()
    taps.map { _ in CounterAction.increment }.execute(on: viewModel).disposed(by: bag)
    taps.onNext(())
    taps.onNext(())
    scheduler.run()
    #expect(viewModel.currentState == 2)
  }

  @Test func aQueueOfItsOwn() async throws {
    let viewModel = CounterViewModel()
    // From any thread, without waiting.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { viewModel.execute(.increment) } }
    }
    let state = try await viewModel.perform(.increment)
    #expect(state == 101)
  }
}

// MARK: Undo

enum EditorAction: Sendable, Equatable {
  case type(String)
  case resize(Int)
  case undo
}

struct EditorState: Sendable, Equatable {
  var text = ""
  var earlierTexts: [String] = []
  var size = 12
}

final class EditorViewModel: RxViewModel<EditorAction, EditorState>, @unchecked Sendable {
  override func createInitialState() -> EditorState { EditorState() }

  override func createObservable(_ action: EditorAction) -> Effect {
    switch action {
    case .type(let text):
      return .mutate { state in
        state.earlierTexts.append(state.text)
        state.text = text
      }
    case .undo:
      return .mutate { state in
        if let text = state.earlierTexts.popLast() { state.text = text }
      }
    case .resize(let size):
      return .mutate { $0.size = size }
    }
  }
}

@Suite struct UndoTests {
  @Test func anUndoTakesBackTheTextOnly() {
    let viewModel = EditorViewModel(scheduler: ImmediateScheduler())
    for action in [EditorAction.type("a"), .type("ab"), .resize(20), .undo] { viewModel.execute(action) }
    #expect(viewModel.currentState == EditorState(text: "a", earlierTexts: [""], size: 20))
    for _ in 0..<3 { viewModel.execute(.undo) }
    #expect(viewModel.currentState == EditorState(size: 20))
  }
}

// MARK: A request every 30 seconds

enum QuoteAction: Sendable, Equatable {
  case follow
}

struct QuoteState: Sendable, Equatable {
  var price: Int?
  var isOutdated = false
}

final class QuoteViewModel: RxViewModel<QuoteAction, QuoteState>, @unchecked Sendable {
  private let fetch: @Sendable () async throws -> Int

  init(scheduler: (any Scheduler)? = nil, fetch: @escaping @Sendable () async throws -> Int) {
    self.fetch = fetch
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> QuoteState { QuoteState() }

  override func onResume(_ scope: DisposeBag) { execute(.follow, in: scope) }

  override func createObservable(_ action: QuoteAction) -> Effect {
    let fetch = fetch
    return Observable.timer(after: .zero, every: .seconds(30), scheduler: scheduler).flatMapFirst { _ in
      Observable.task(fetch).mutate { $0 = QuoteState(price: $1) }
        .catch { _ in .mutate { $0.isOutdated = true } }
    }
  }
}

// contract 2.12
@Suite struct PeriodicRequestTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aFailedRequestDoesNotEndTheLaterOnes() {
    let (scheduler, calls) = (TestScheduler(), BehaviorSubject(value: 0))
    let viewModel = QuoteViewModel(scheduler: scheduler) {
      let call = calls.update { calls in
        calls += 1
        return calls
      }
      if call == 2 { throw Offline() }
      return call
    }
    viewModel.didResume()
    scheduler.advance()
    #expect(viewModel.currentState == QuoteState(price: 1))
    scheduler.advance(by: .seconds(30))
    #expect(viewModel.currentState == QuoteState(price: 1, isOutdated: true))
    scheduler.advance(by: .seconds(30))
    #expect(viewModel.currentState == QuoteState(price: 3))
    viewModel.didPause()
    scheduler.run()
    #expect(calls.value == 3)
  }
}
