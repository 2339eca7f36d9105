import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// A kitchen with rows of orders, each a child that asks a service, and a till that the kitchen's effects tell of each order.

private struct Order: Feature {
  enum Action: Codable, Sendable, Equatable {
    case cook(Int)
    case taste(Int)
  }

  struct State: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var steps: [Int] = []
  }

  let cook: @Sendable (Int) async throws -> Int

  func executionMode(for action: Action) -> ExecutionMode {
    if case .cook = action { .sequence } else { .parallel }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .cook(let dish):
      let cook = cook
      return Observable.task {
        let step = try await cook(dish)
        context.execute(.taste(step))
        return step
      }.mutate { $0.steps.append($1) }
    case .taste(let step): return .mutate { $0.steps.append(-step) }
    }
  }
}

private struct Kitchen: Feature {
  enum Action: Codable, Sendable, Equatable {
    case add(Int)
    case remove(Int)
    case order(Int, Order.Action)
    case tell(Int)
    case note(Int)
    case follow
  }

  struct State: Codable, Sendable, Equatable {
    var orders: [Order.State] = []
    var notes: [Int] = []
    var price = 0
  }

  let cook: @Sendable (Int) async throws -> Int
  let till: LinesViewModel
  let prices: Observable<Int>

  func child(for action: Action) -> ChildAction<Action, State>? {
    guard case .order(let id, let action) = action else { return nil }
    return .init(Order(cook: cook), action, at: \.orders, id: id, as: { .order(id, $0) })
  }

  func executionMode(for action: Action) -> ExecutionMode {
    if case .tell = action { .sequence("tell") } else { .parallel }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .add(let id): return .mutate { $0.orders.append(Order.State(id: id)) }
    case .remove(let id): return .mutate { $0.orders.removeAll { $0.id == id } }
    case .order: return .empty()
    case .tell(let number):
      let (cook, till) = (cook, till)
      return Observable.task {
        let dish = try await cook(number)
        till.execute(.add(dish))
        return dish
      }.mutate { $0.notes.append($1) }
    case .note(let number): return .mutate { $0.notes.append(number) }
    case .follow: return prices.catchAndReturn(-1).take(1).mutate { $0.price = $1 }
    }
  }
}

private typealias Restaurant = (kitchen: FeatureViewModel<Kitchen>, till: LinesViewModel)

private func restaurant(
  _ recorder: SessionRecorder, on scheduler: any Scheduler, prices: Observable<Int> = .never(),
  cook: @escaping @Sendable (Int) async throws -> Int = { $0 }
) -> Restaurant {
  let till = recordedLines(recorder, on: scheduler)
  let kitchen = recorder.record("kitchen") {
    FeatureViewModel(
      Kitchen(
        cook: { dish in try await recorder.answer("cook \(dish)") { try await cook(dish) } }, till: till,
        prices: prices.recorded("prices", by: recorder)), initialState: Kitchen.State(), scheduler: scheduler)
  }
  return (kitchen, till)
}

// contract 9.3, 9.5
/// A recording that begins in a session of two view models, children, batches and screens.
struct RestartTests {
  private let scheduler = TestScheduler()
  private let prices = Locked(BehaviorSubject(value: 1))

  private func expectReplay(
    of recorder: SessionRecorder, _ live: Restaurant, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let recording = recorder.recording
    var states: (Kitchen.State, [String])?
    let report = try replay(recording) { run in
      let (kitchen, till) = restaurant(run.recorder, on: run.scheduler)
      try run.play()
      states = (kitchen.currentState, till.currentState)
    }
    #expect(report.departures == [], "\(recording)", sourceLocation: sourceLocation)
    #expect(states?.0 == live.kitchen.currentState, "\(recording)", sourceLocation: sourceLocation)
    #expect(states?.1 == live.till.currentState, "\(recording)", sourceLocation: sourceLocation)
  }

  @Test(.asyncEffects, arguments: 0..<3) func goesOnAsTheSessionDid(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func roll(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    let recorder = SessionRecorder(limit: 40)
    let (clock, dishes) = (scheduler.clock, Locked(0))
    let live = restaurant(recorder, on: scheduler, prices: .deferred { [prices] in prices.value.asObservable() }) {
      dish in
      try await clock.sleep(for: .seconds(1 + dish % 3))
      return 100 * dish + dishes.increment() % 100
    }
    live.kitchen.execute(.follow)
    scheduler.run()
    prices.value.onNext(2)
    scheduler.run()
    for step in 0..<300 {
      switch roll(11) {
      case 0: live.kitchen.execute(.add(step))
      case 1: live.kitchen.currentState.orders.first.map { live.kitchen.execute(.remove($0.id)) }
      case 2, 3: live.kitchen.currentState.orders.last.map { live.kitchen.execute(.order($0.id, .cook(step))) }
      case 4: live.kitchen.execute(.tell(step))
      case 5: live.kitchen.executeInSequence(.note(step), .tell(step), .note(-step))
      case 6: if step % 2 == 0 { live.kitchen.didResume() } else { live.kitchen.didPause() }
      case 7: prices.value.onNext(step)
      case 8: live.kitchen.execute(.follow)
      case 9:
        let ended = prices.value
        prices.mutate { $0 = BehaviorSubject(value: step) }
        scheduler.schedule { ended.on(step % 2 == 0 ? .completed : .error(TestError())) }
      default: live.kitchen.cancelActions { if case .tell(let number) = $0 { number % 3 == 0 } else { false } }
      }
      if roll(2) == 0 { scheduler.advance(by: .milliseconds(700)) }
      if step % 10 == 9 {
        // Until every action has ended.
        scheduler.advance(by: .seconds(1_000))
        try expectReplay(of: recorder, live)
      }
    }
    #expect(recorder.recording.entries.contains { $0.kind == .begin })
  }
}
