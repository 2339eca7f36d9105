import Foundation
import Testing

/// Expects that `work` takes less than `bound` times longer with four times the size: it takes 4 times as long if it is linear, 16 times
/// if it is quadratic.
func expectGrowth(
  from size: Int, below bound: Double, sourceLocation: SourceLocation = #_sourceLocation, _ work: (Int) -> Void
) {
  var comparison = CostComparison()
  while comparison.needsMore(toBeBelow: bound) {
    comparison.add(small: processorTime { work(size) }, large: processorTime { work(size * 4) })
  }
  #expect(comparison.ratio < bound, sourceLocation: sourceLocation)
}

/// Compares what two pieces of work cost, by the best measurement of each.
///
/// Other work on the machine takes the cache away and makes both dearer, never cheaper. So both take turns, until enough turns are in
/// and their ratio is below the bound, or until more turns would not help any more.
struct CostComparison {
  private var (small, large, total, rounds) = (Double.infinity, Double.infinity, 0.0, 0)

  var ratio: Double { large / small }

  /// In seconds.
  mutating func add(small: Double, large: Double) {
    (self.small, self.large) = (min(self.small, small), min(self.large, large))
    (total, rounds) = (total + small + large, rounds + 1)
  }

  /// True until there are five rounds and a tenth of a second, and if the ratio is not below `bound` then, until fifty rounds.
  func needsMore(toBeBelow bound: Double) -> Bool {
    rounds < 5 || total < 0.1 || (ratio >= bound && rounds < 50)
  }
}

/// What `work` takes of the calling thread's processor time, in seconds.
func processorTime(_ work: () -> Void) -> Double {
  let start = processorTime()
  work()
  return processorTime() - start
}

/// The processor time that the calling thread has taken so far, in seconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
