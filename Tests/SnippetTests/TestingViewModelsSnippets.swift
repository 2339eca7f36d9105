// The code of the articles, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// MARK: Testing

struct ArticleSnippetTests {
  @Test func everythingThatACounterDoes() throws {
    let scheduler = TestScheduler()
    try withTestStore(CounterViewModel(scheduler: scheduler)) { store in
      try store.send(.increment) { $0 = 1 }
      try store.send(.add(5)) { $0 = 6 }
    }
  }

  @Test func aCounterWithADebounce() throws {
    let scheduler = TestScheduler()
    try withTestStore(CounterViewModel(scheduler: scheduler)) { store in
      let debounced = ExecutionMode.switchLatest(after: .milliseconds(300))
      try store.send(.add(5), mode: debounced)
      try store.advance(by: .milliseconds(200))
      try store.send(.add(7), mode: debounced)
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
  @Test func aPerformedSearch() throws {
    let scheduler = TestScheduler()
    let clock = scheduler.clock
    let viewModel = SearchViewModel(scheduler: scheduler) { text in
      try await clock.sleep(for: .milliseconds(300))
      return [text.uppercased()]
    }
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

  @Test func aDebouncedSearch() {
    let scheduler = TestScheduler()
    let search = scheduler.hotObservable(.marbles("-a-b-----c|"))
    let debounced = search.debounce(.milliseconds(30), scheduler: scheduler).test(scheduler)
    scheduler.run()
    #expect(debounced.mismatch(with: .marbles("------b---(c|)")) == nil)
  }

  @Test func aSubscriptionThatEnds() {
    let scheduler = TestScheduler()
    let ticks = Observable.interval(.milliseconds(20), scheduler: scheduler)
    let some = ticks.map(String.init).test(scheduler, subscription: "--^------!")
    scheduler.run()
    #expect(some.mismatch(with: .marbles("----0-1-2")) == nil)
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
