import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite("Async effects run in virtual time", .asyncEffects) struct AsyncVirtualTimeTests {
  private let scheduler = TestScheduler()

  /// A view model whose searches sleep as many milliseconds as their text says.
  private func sleepingViewModel() -> SearchViewModel {
    SearchViewModel(scheduler: scheduler) { [clock = scheduler.clock] text in
      try await clock.sleep(for: .milliseconds(Int(text)!))
      return [text]
    }
  }

  @Test func aSleepEndsWhenTheTestReachesItsDeadline() {
    let viewModel = sleepingViewModel()
    let loading = viewModel.isLoadingObservable.test(scheduler)
    viewModel.execute(.search("800"))
    scheduler.advance(by: .milliseconds(799))
    #expect(viewModel.currentState.results.isEmpty)
    #expect(loading.lastValue == true)
    scheduler.advance(by: .milliseconds(1))
    #expect(viewModel.currentState.results == ["800"])
    #expect(loading.mismatch(with: events([0: false, 0: true, 800: false])) == nil)
  }

  @Test func aCancelledSleepThrowsAtThatInstant() {
    let ends = Locked<[String]>([])
    let viewModel = SearchViewModel(scheduler: scheduler) { [clock = scheduler.clock] text in
      do { try await clock.sleep(for: .seconds(1)) } catch {
        ends.append("\(text) \(error is CancellationError) \(clock.now.offset)")
        throw error
      }
      return [text]
    }
    viewModel.execute(.search("a"))
    scheduler.advance(by: .milliseconds(300))
    viewModel.execute(.search("b"))
    scheduler.advance()
    #expect(ends.value == ["a true 0.3 seconds"])
    scheduler.run()
    #expect(viewModel.currentState.results == ["b"])
    #expect(scheduler.now == .milliseconds(1_300))
  }

  @Test func childTasksAndActorsRunOnTheTestsOwnThread() {
    let (clock, threads) = (scheduler.clock, Locked<Set<ObjectIdentifier>>([]))
    @Sendable func note() { threads.mutate { _ = $0.insert(ObjectIdentifier(Thread.current)) } }
    actor Counter {
      private(set) var count = 0
      let note: @Sendable () -> Void
      init(_ note: @escaping @Sendable () -> Void) { self.note = note }
      func add(_ number: Int) {
        note()
        count += number
      }
    }
    let effect = Observable.task { () async throws -> Int in
      let counter = Counter(note)
      async let first: Void = { try await clock.sleep(for: .milliseconds(30)) }()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...10 {
          group.addTask {
            try await clock.sleep(for: .milliseconds(number))
            note()
            await counter.add(number)
          }
        }
        try await group.waitForAll()
      }
      try await first
      return await counter.count
    }
    let recorded = effect.test(scheduler)
    scheduler.run()
    #expect(recorded.mismatch(with: events([30: 55], completed: 30)) == nil)
    #expect(threads.value == [ObjectIdentifier(Thread.current)])
  }

  @Test func anAsyncSequenceIsReadInVirtualTime() {
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    for delay in [10, 20] {
      _ = scheduler.schedule(after: .milliseconds(delay)) { continuation.yield(delay) }
    }
    _ = scheduler.schedule(after: .milliseconds(30)) { continuation.finish() }
    let recorded = Observable.values(of: numbers).test(scheduler)
    scheduler.run()
    #expect(recorded.mismatch(with: events([10: 10, 20: 20], completed: 30)) == nil)
  }

  @Test func aTaskOfTheTestMayAwaitPerform() async throws {
    let viewModel = sleepingViewModel()
    let state = Task { try await viewModel.perform(.search("100")) }
    let scheduler = scheduler
    try #require(await eventually { scheduler.pendingCount > 0 })
    scheduler.advance(by: .milliseconds(99))
    #expect(viewModel.currentState.results.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(try await state.value.results == ["100"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aTaskOfTheTestMayPreferTheScheduler() async throws {
    let viewModel = sleepingViewModel()
    let state = Task(executorPreference: scheduler) { try await viewModel.perform(.search("100")) }
    scheduler.run()
    #expect(viewModel.currentState.results == ["100"])
    #expect(scheduler.now == .milliseconds(100))
    #expect(try await state.value.results == ["100"])
  }

  @Test(.ownThread) func theSameScriptGivesTheSameEvents() async {
    await sameEvents(times: 20)
  }

  @Test(.stress, .ownThread) func theSameScriptGivesTheSameEventsAThousandTimes() async {
    await sameEvents(times: 1_000)
  }

  /// Runs a script many times while another task keeps a thread busy, and expects the same events from each run.
  private func sameEvents(times: Int) async {
    let isDone = Locked(false)
    let load = Task.detached { while !isDone.value { await Task.yield() } }
    let runs = (0..<times).map { _ in script() }
    isDone.mutate { $0 = true }
    await load.value
    #expect(runs[0].count == 14)
    #expect(runs.allSatisfy { $0 == runs[0] })
  }

  private func script() -> [String] {
    actor Log {
      private var lines: [String] = []
      func add(_ line: String) -> Int {
        lines.append(line)
        return lines.count
      }
    }
    let (scheduler, log) = (TestScheduler(), Log())
    let viewModel = SearchViewModel(scheduler: scheduler) { [clock = scheduler.clock] text in
      try await withThrowingTaskGroup(of: String.self) { group in
        for delay in [3, 1, 2] {
          group.addTask {
            try await clock.sleep(for: .milliseconds(delay))
            return "\(text)\(delay) \(await log.add(text))"
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    let steps = viewModel.executionObservable.test(scheduler)
    for (number, mode) in [ExecutionMode.parallel, .parallel, .switchLatest, .switchLatest, .sequence].enumerated() {
      viewModel.execute(.search("\(number)"), mode: mode)
    }
    scheduler.run()
    return steps.events.map { "\($0)" }
  }

  // contract 2.9
  @Test func aSleepThatNeverEndsKeepsNothingAlive() async {
    let lifetimes = Lifetimes()
    weak var released: TestScheduler?
    do {
      let (scheduler, object) = (TestScheduler(), lifetimes.make())
      released = scheduler
      let viewModel = SearchViewModel(scheduler: scheduler) { [clock = scheduler.clock] _ in
        try await clock.sleep(for: .seconds(1))
        object.touch()
        return []
      }
      viewModel.execute(.search("a"))
      scheduler.advance(by: .milliseconds(10))
      let stream = Observable.task { [clock = scheduler.clock] in
        try await clock.sleep(for: .seconds(1))
        object.touch()
      }
      _ = stream.test(scheduler)
      scheduler.advance(by: .milliseconds(10))
      #expect(scheduler.pendingCount == 2)
    }
    #expect(released == nil)
    #expect(await onThread { lifetimes.waitForNone() })
  }

  @Test func theRestOfATaskRunsElsewhere() async {
    let ended = Signal()
    do {
      let scheduler = TestScheduler()
      _ = Observable.task { ended.fire() }.test(scheduler)
    }
    #expect(await onThread { ended.wait() })
  }

  @Test func sleepsThatEndAtTheSameInstantEndInTheOrderOfTheirStart() {
    let (clock, order) = (scheduler.clock, Locked<[Int]>([]))
    for number in 0..<20 {
      let start = number % 4
      let sleeper = Observable.task {
        try await clock.sleep(for: .milliseconds(start))
        try await clock.sleep(until: .init(offset: .milliseconds(10)))
        order.append(number)
      }
      _ = sleeper.test(scheduler)
    }
    scheduler.run()
    #expect(order.value == (0..<4).flatMap { Array(stride(from: $0, to: 20, by: 4)) })
    #expect(scheduler.now == .milliseconds(10))
  }

  @Test func aTaskSubscribedWhileNoSchedulerRunsWorkRunsInRealTime() async {
    let ended = Signal()
    _ = Observable.task { ended.fire() }.subscribe { _ in }
    #expect(await onThread { ended.wait() })
    #expect(scheduler.pendingCount == 0)
  }
}
