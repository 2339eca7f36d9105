import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
@Suite("The cost of an exploration", .stress, .ownThread, .asyncEffects) struct ExploreCostTests {
  /// Executes three searches and then a clear. Each search awaits `answer`.
  private static func search(
    _ scheduler: TestScheduler, _ number: () -> Int, _ pause: () -> Void,
    _ answer: @escaping @Sendable () async throws -> Void
  ) -> SearchViewModel {
    let model = SearchViewModel(scheduler: scheduler) { text in
      try await answer()
      return [text]
    }
    for _ in 0..<3 {
      model.execute(.search("\(number())"), mode: .parallel)
      pause()
    }
    model.execute(.clear)
    pause()
    return model
  }

  private static func explored(_ count: Int) {
    let report = try? explore(limit: count) { run in
      let model = Self.search(
        run.scheduler, { run.choose(0...99) }, { run.mayArrive() }, { try await run.arrival("answer") })
      run.allArrive()
      try run.expect(model.currentState.results.count <= 1)
    }
    #expect(report?.runs == count && report?.isExhaustive == false)
  }

  @Test func tenThousandRunsCostLittleMoreThanTheirBodies() {
    var ratios: [Double] = []
    for _ in 0..<5 {
      let plain = processorTime {
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
          let scheduler = TestScheduler()
          let clock = scheduler.clock
          let model = Self.search(
            scheduler, { Int.random(in: 0...99, using: &random) }, { scheduler.advance(by: .milliseconds(1)) },
            { try await clock.sleep(for: .milliseconds(2)) })
          scheduler.run()
          withExtendedLifetime(model) {}
        }
      }
      ratios.append(processorTime { Self.explored(10_000) } / plain)
    }
    #expect(ratios.sorted()[2] <= 1.5, "\(ratios)")
  }

  // The last row of the page's table.
  @Test func fourRequestsOfWhichOneFailsHaveSoManyOrders() throws {
    let report = try explore(limit: 30_000) { run in
      let requests = (0..<4).map { number in
        Observable.task { try await run.request("\(number)", failing: TestError()) {} }.subscribe(onError: { _ in })
      }
      run.allArrive()
      withExtendedLifetime(requests) {}
    }
    #expect(report.isExhaustive && report.runs == 25_200, "\(report)")
  }

  #if os(Linux)
    @Test func memoryDoesNotGrowWithTheRuns() {
      Self.explored(1_000)
      let growth = allocation { Self.explored(10_000) }
      #expect(growth < 100_000, "\(growth) bytes")
    }
  #endif
}
