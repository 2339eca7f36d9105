import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The methods run on the main actor, as those of each protocol do in a module that isolates everything to it.
@MainActor
private protocol CityService: Sendable {
  func find(_ text: String) async throws -> [String]
}

private struct Cities: CityService {
  func find(_ text: String) async throws -> [String] { [text] }
}

// Sendable: it stores only `let`s.
private final class CitySearch: RxViewModel<CitySearch.Action, CitySearch.State>, @unchecked Sendable {
  enum Action: Codable, Sendable, Equatable { case search(String) }

  struct State: Codable, Sendable, Equatable { var results: [String] = [] }

  private let find: @Sendable (String) async throws -> [String]

  init(scheduler: any Scheduler, find: @escaping @Sendable (String) async throws -> [String]) {
    self.find = find
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .search(let text): Observable.task { [find] in try await find(text) }.mutate { $0.results = $1 }
    }
  }
}

/// Asks another view model before its own service.
// Sendable: it stores only `let`s.
private final class NearbySearch: RxViewModel<CitySearch.Action, CitySearch.State>, @unchecked Sendable {
  private let (places, service): (CitySearch, any CityService)

  init(scheduler: any Scheduler, places: CitySearch, service: any CityService) {
    (self.places, self.service) = (places, service)
    super.init(initialState: CitySearch.State(), scheduler: scheduler)
  }

  override func createObservable(_ action: CitySearch.Action) -> Effect {
    places.performDetached(action)
      .flatMap { [service] place in .task { try await service.find(place.results[0]) } }
      .mutate { $0.results = $1 }
  }
}

/// A failure says whose effect waits outside the scheduler.
///
/// The tests hold the main actor while they run, so the service doesn't answer.
// contract 4.6
@MainActor struct TaskOutsideTests {
  private let scheduler = TestScheduler()

  private func makeSearch(on scheduler: any Scheduler) -> CitySearch {
    let service: any CityService = Cities()
    return CitySearch(scheduler: scheduler) { try await service.find($0) }
  }

  private func expectSentence(_ failure: TestFailure?, _ headline: String, names action: String = #"search("a")"#) {
    let text = failure?.description ?? ""
    #expect(text.contains(headline))
    #expect(text.contains("The effect of \(action) waits outside the scheduler"), "\(text)")
    #expect(text.contains("main actor") && text.contains("`nonisolated`"))
  }

  private func expectNoSentence(_ failure: TestFailure?) {
    #expect(failure != nil && !failure!.description.contains("outside the scheduler"))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aStoreSaysSo() {
    let (search, others) = (makeSearch(on: scheduler), [TestScheduler(), TestScheduler()])
    let change = #expect(throws: TestFailure.self) {
      try withTestStore(search) { try $0.send(.search("a")) { $0.results = ["a"] } }
    }
    expectSentence(change, "The state has not changed")
    let end = #expect(throws: TestFailure.self) {
      try withTestStore(makeSearch(on: others[0])) { try $0.send(.search("b")) }
    }
    expectSentence(end, "1 action has not ended at the end of the test", names: #"search("b")"#)
    let event = #expect(throws: TestFailure.self) {
      try withTestStore(makeSearch(on: others[1])) { store in
        try store.send(.search("c"))
        try store.expect(.cancelled, of: .search("c"))
      }
    }
    expectSentence(event, "There is no such event", names: #"search("c")"#)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func performSaysSo() {
    let search = makeSearch(on: scheduler)
    let failure = #expect(throws: TestFailure.self) { try scheduler.perform(.search("a"), on: search) }
    expectSentence(failure, "nothing is left to run")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func exploreSaysSo() {
    let failure = #expect(throws: TestFailure.self) {
      try explore { run in
        let search = makeSearch(on: run.scheduler)
        search.execute(.search("a"))
        run.allArrive()
        try run.expect(search.currentState.results == ["a"])
      }
    }
    expectSentence(failure, "The condition is false")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func exploreSaysSoOfValues() {
    let other = #expect(throws: TestFailure.self) {
      try explore { run in
        let search = makeSearch(on: run.scheduler)
        search.execute(.search("a"))
        run.allArrive()
        try run.expect(search.currentState.results, equals: ["a"])
      }
    }
    expectSentence(other, "The values differ")
    // Nothing is wrong with the value, but no test has tested it.
    let none = #expect(throws: TestFailure.self) {
      try explore { run in
        let search = makeSearch(on: run.scheduler)
        search.execute(.search("a"))
        run.allArrive()
        return search.currentState
      }
    }
    expectSentence(none, "misuses explore")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func replaySaysSo() throws {
    let recorder = Recorder()
    let recorded = recorder.record("search") { CitySearch(scheduler: scheduler) { [$0] } }
    try scheduler.perform(.search("a"), on: recorded)
    let recording = recorder.recording
    let failure = #expect(throws: TestFailure.self) {
      try replay(recording, shrinking: false) { run in
        let search = run.recorder.record("search") { makeSearch(on: run.scheduler) }
        try run.play()
        try run.expect(search.currentState.results == ["a"])
      }
    }
    expectSentence(failure, "The condition is false")
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theSentenceNamesOnlyTheEffectsThatHaveLeft() {
    let (clock, service) = (scheduler.clock, Cities() as any CityService)
    let search = CitySearch(scheduler: scheduler) { text in
      if text == "sleeping" { try await clock.sleep(for: .seconds(1)) }
      return try await service.find(text)
    }
    let failure = #expect(throws: TestFailure.self) {
      try withTestStore(search) { store in
        try store.send(.search("sleeping"))
        try store.send(.search("a")) { $0.results = ["a"] }
      }
    }
    expectSentence(failure, "The state has not changed")
    #expect(failure?.description.contains(#"search("sleeping")"#) == false)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anEffectThatStaysInVirtualTimeIsNotNamed() {
    let clock = scheduler.clock
    let inner = CitySearch(scheduler: scheduler) { text in
      try await clock.sleep(for: .seconds(1))
      return [text]
    }
    let outer = CitySearch(scheduler: scheduler) { try await inner.perform(.search($0)).results }
    for search in [inner, outer] {
      expectNoSentence(
        #expect(throws: TestFailure.self) {
          try withTestStore(search) { try $0.send(.search("a")) { $0.results = ["a"] } }
        })
    }
    expectNoSentence(
      #expect(throws: TestFailure.self) {
        try explore { run in
          let search = CitySearch(scheduler: run.scheduler) { text in
            try await run.arrival(text)
            return [text]
          }
          search.execute(.search("a"))
          run.mayArrive()
          try run.expect(search.currentState.results == ["a"])
        }
      })
  }

  /// Of two view models that wait for one another, the one whose service is isolated is named.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theSentenceNamesTheEffectThatTheOtherWaitsFor() {
    let inner = makeSearch(on: scheduler)
    let outer = CitySearch(scheduler: scheduler) { text in try await inner.perform(.search("\(text)b")).results }
    let failure = #expect(throws: TestFailure.self) { try scheduler.perform(.search("a"), on: outer) }
    expectSentence(failure, "nothing is left to run", names: #"search("ab")"#)
    #expect(failure?.description.contains(#"search("a") waits"#) == false)
  }

  /// What follows the answer of another view model's action belongs to the effect that has asked.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theSentenceNamesTheEffectThatHasAskedAnotherViewModel() {
    let places = CitySearch(scheduler: scheduler) { ["near \($0)"] }
    let search = NearbySearch(scheduler: scheduler, places: places, service: Cities())
    let failure = #expect(throws: TestFailure.self) { try scheduler.perform(.search("a"), on: search) }
    expectSentence(failure, "nothing is left to run")
  }
}
