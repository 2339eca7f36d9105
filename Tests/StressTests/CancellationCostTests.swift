import Testing

@testable import RxViewModel
@testable import TestSupport

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
    let idle = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, _ in .never() }
    for _ in 0..<others { idle.execute(0) }
    scheduler.run()
    let tasks = (0..<count).map { number in
      Task { try await idle.perform(number, mode: place == .waiting ? .sequence : .parallel) }
    }
    // The time limit of the test bounds this loop. The first task schedules the turn for all, after the engine has accepted its action.
    while idle.engine.inbox.withLock({ $0.lastID }) < others + count || !scheduler.hasWork { await Task.yield() }
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
