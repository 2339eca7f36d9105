import Foundation

/// How many times longer `work` takes with four times the size: 4 for linear work, 16 for quadratic work.
///
/// Counts the processor time of this thread, and takes the best of several measurements: the machine has other things
/// to do.
func growth(from size: Int, rounds: Int = 5, _ work: (Int) -> Void) -> Double {
  func best(_ size: Int) -> Double {
    (0..<rounds).map { _ in
      let start = processorTime()
      work(size)
      return processorTime() - start
    }.min()!
  }
  return best(size * 4) / best(size)
}

/// In seconds, of the calling thread.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
