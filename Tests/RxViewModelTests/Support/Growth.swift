import Foundation

/// How many times longer `work` takes with four times the size: 4 for linear work, 16 for quadratic work.
///
/// Counts the processor time of this thread, and compares the best measurements of both sizes: the machine has other things to do, which
/// also take the cache away. Both sizes take turns, at least `rounds` times, and work of a millisecond for a tenth of a second.
func growth(from size: Int, rounds: Int = 5, _ work: (Int) -> Void) -> Double {
  func time(_ size: Int) -> Double {
    let start = processorTime()
    work(size)
    return processorTime() - start
  }
  var (small, large, total, round) = (Double.infinity, Double.infinity, 0.0, 0)
  while round < rounds || total < 0.1 {
    let times = (time(size), time(size * 4))
    (small, large) = (min(small, times.0), min(large, times.1))
    (total, round) = (total + times.0 + times.1, round + 1)
  }
  return large / small
}

/// In seconds, of the calling thread.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
