import Foundation
import RxViewModel
import Testing

@testable import RxViewModelTesting

// contract 4.2
@Suite("What an exploration costs", .stress, .ownThread) struct ExploreCostTests {
  /// A search is typed three times and cleared once; each search awaits `answer`.
  private static func search(_ scheduler: TestScheduler, _ pause: () -> Void, _ answer: @escaping @Sendable () async throws -> Void) -> [String] {
    let model = SearchViewModel(scheduler: scheduler) { text in
      try await answer()
      return [text]
    }
    for action in [SearchAction.search("a"), .search("ab"), .search("abc")] {
      model.execute(action)
      pause()
    }
    model.execute(.clear)
    pause()
    return model.currentState.results
  }

  private static func explored(_ count: Int) {
    let report = try? explore(limit: count, overlapping: true) { run in
      _ = Self.search(run.scheduler, { run.mayArrive() }, { try await run.arrival("answer") })
      run.allArrive()
    }
    #expect(report?.runs == count)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func tenThousandRunsCostLittleMoreThanTheirBodies() {
    var ratios: [Double] = []
    for _ in 0..<5 {
      let plain = processorTime {
        for _ in 0..<10_000 {
          let scheduler = TestScheduler()
          let clock = scheduler.clock
          _ = Self.search(scheduler, { scheduler.run() }, { try await clock.sleep(for: .milliseconds(1)) })
          scheduler.run()
        }
      }
      ratios.append(processorTime { Self.explored(10_000) } / plain)
    }
    print("RATIOS", ratios)
    #expect(ratios.sorted()[2] <= 1.5, "\(ratios)")
  }

  #if os(Linux)
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test func noMemoryIsKept() {
      Self.explored(1_000)
      let growth = allocation { Self.explored(10_000) }
      #expect(growth < 100_000, "\(growth) bytes")
    }
  #endif
}
