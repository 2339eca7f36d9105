import Foundation
import Testing

@testable import RxViewModel
@testable import TestSupport

/// A view model whose actions never end.
private final class Idle: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .never() }
}

// contract 2.11: cancelling one `perform` is O(1)
@Suite(.serialized, .stress) struct CancellationCostTests {
  #if DEBUG
    private static let (count, others) = (1_000, 20_000)
  #else
    private static let (count, others) = (2_500, 100_000)
  #endif

  enum Place: CaseIterable {
    case queued, waiting, running
  }

  /// The processor time for cancelling `count` performs, one after the other, beside `others` unfinished actions.
  private static func cost(
    ofCancelling count: Int, _ place: Place, beside others: Int = 0, together: Bool = true
  ) async -> Double {
    let scheduler = HandScheduler()
    let idle = Idle(scheduler: scheduler)
    for _ in 0..<others { idle.execute(0) }
    scheduler.run()
    let tasks = (0..<count).map { number in
      Task { try await idle.perform(number, mode: place == .waiting ? .sequence : .parallel) }
    }
    // The time limit of the test bounds this loop. The first task schedules the turn for all, after the engine has accepted its action.
    while idle.engine.shared.withLock({ $0.lastID }) < others + count || !scheduler.hasWork { await Task.yield() }
    if place != .queued { scheduler.run() }
    let cost = await onThread {
      processorTime {
        for task in tasks {
          task.cancel()
          if !together { scheduler.run() }
        }
        scheduler.run()
      }
    }
    for task in tasks { _ = try? await task.value }
    #expect(idle.unfinishedActions?.count == others)
    return cost
  }

  // The ratio is 4 for linear work, and 16 for quadratic work.
  @Test(.timeLimit(.minutes(3)), arguments: Place.allCases, [true, false])
  func cancellingPerformsIsLinear(place: Place, together: Bool) async {
    let (count, bound) = (Self.count, 8.0)
    var comparison = CostComparison()
    while comparison.needsMore(toBeBelow: bound) {
      comparison.add(
        small: await Self.cost(ofCancelling: count, place, together: together),
        large: await Self.cost(ofCancelling: 4 * count, place, together: together))
    }
    #expect(comparison.ratio < bound)
  }

  @Test(.timeLimit(.minutes(3)), arguments: [Place.queued, .running])
  func cancellingOnePerformCostsTheSameBesideManyActions(place: Place) async {
    let bound = 6.0
    var comparison = CostComparison()
    while comparison.needsMore(toBeBelow: bound) {
      comparison.add(
        small: await Self.cost(ofCancelling: 200, place, together: false),
        large: await Self.cost(ofCancelling: 200, place, beside: Self.others, together: false))
    }
    #expect(comparison.ratio < bound)
  }
}

// contract 1.6, 2.11: an observer of `cancelled` sends mappers and cancels the next queued action
@Suite(.stress) struct CancellationStackTests {
  @Test func aQueueThatIsCancelledOneByOneFromInsideTheCallbacks() async {
    let count = 2_500
    let ends = await onThread(stackSize: smallStack) { Self.run(queued: count, count) }
    #expect(ends == count)
  }

  @Test func actionsThatComeAndAreCancelledFromInsideTheCallbacks() async {
    let count = 20_000
    let ends = await onThread(stackSize: smallStack) { Self.run(queued: 1, count) }
    #expect(ends == count)
  }

  /// Returns the number of actions that have ended as cancelled.
  private static func run(queued: Int, _ count: Int) -> Int {
    let (scheduler, source, ends) = (HandScheduler(), PublishSubject<StateMapper<Int>>(), Locked(0))
    let listener = Listener(scheduler: scheduler, source)
    listener.execute(0)
    scheduler.run()
    let subscription = listener.executionObservable.subscribe(onNext: { [weak listener] execution in
      guard case .cancelled = execution.phase, let listener else { return }
      let next = execution.action + 1
      ends.mutate { $0 += 1 }
      source.onNext { $0 + 1 }
      source.onNext { $0 + 1 }
      if next > count { return }
      if next > queued { listener.execute(next) }
      listener.cancelActions { $0 == next }
    })
    for number in 1...queued { listener.execute(number) }
    listener.cancelActions { $0 == 1 }
    scheduler.run()
    subscription.dispose()
    #expect(listener.currentState == 2 * count)
    return ends.value
  }
}

private final class Listener: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let source: PublishSubject<StateMapper<Int>>

  init(scheduler: any Scheduler, _ source: PublishSubject<StateMapper<Int>>) {
    self.source = source
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    action == 0 ? source.asObservable() : .never()
  }
}
