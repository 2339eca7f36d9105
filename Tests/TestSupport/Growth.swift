import Foundation
import Testing

/// Expects that with four times the size `work` takes less than `bound` times as long. Linear work takes 4 times as long, quadratic work
/// 16 times.
func expectGrowth(
  from size: Int, below bound: Double, sourceLocation: SourceLocation = #_sourceLocation, _ work: (Int) -> Void
) {
  var comparison = CostComparison()
  while comparison.needsMore(toBeBelow: bound) {
    comparison.add(small: processorTime { work(size) }, large: processorTime { work(size * 4) })
  }
  #expect(comparison.ratio < bound, sourceLocation: sourceLocation)
}

/// Compares the cost of two pieces of work by the best measurement of each.
///
/// Other work on the machine evicts the cache and can only make both slower. So a test measures both in turn, until it has enough rounds
/// and the ratio is below the bound, or until further rounds are unlikely to change the result.
struct CostComparison {
  private var (small, large, total, rounds) = (Double.infinity, Double.infinity, 0.0, 0)

  var ratio: Double { large / small }

  /// In seconds.
  mutating func add(small: Double, large: Double) {
    (self.small, self.large) = (min(self.small, small), min(self.large, large))
    (total, rounds) = (total + small + large, rounds + 1)
  }

  /// Whether to measure another round: there are fewer than five, or they took less than a tenth of a second, or the ratio is not below
  /// `bound` and there are fewer than fifty.
  func needsMore(toBeBelow bound: Double) -> Bool {
    rounds < 5 || total < 0.1 || (ratio >= bound && rounds < 50)
  }
}

/// The processor time of the calling thread that `work` uses, in seconds.
func processorTime(_ work: () -> Void) -> Double {
  let start = processorTime()
  work()
  return processorTime() - start
}

/// The processor time that the calling thread has used so far, in seconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
