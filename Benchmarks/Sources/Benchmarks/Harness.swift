import CAllocations
import Dispatch

/// One way to do a job. `run` does it `count` times, and returns a sum that depends on the work.
struct Contender {
  let name: String
  let run: (_ count: Int) -> Int
}

/// A job with its contenders: the hand-written limit first, then the library, then its peers.
struct Workload {
  let name: String
  /// The number of operations in a repetition.
  let count: Int
  /// The sum that each contender must return for a count.
  let expected: (Int) -> Int
  /// The largest ratio to the limit that meets the goal, or nil if there is no goal.
  let goal: Double?
  /// The largest number of allocations that the library may make per operation, or nil if it has no bound.
  var allocations: Double?
  let contenders: [Contender]

  static let limit = "limit"
  static let ours = "RxViewModel"
}

struct Result {
  let name: String
  /// Nanoseconds per operation.
  let median: Double
  let minimum: Double
  let allocations: Double?
}

struct Outcome {
  let workload: Workload
  let results: [Result]

  func result(of name: String) -> Result? {
    results.first { $0.name == name }
  }

  /// The library's time as a multiple of the limit's, from the medians of one run.
  var ratio: Double? {
    guard let limit = result(of: Workload.limit), let ours = result(of: Workload.ours) else { return nil }
    return ours.median / limit.median
  }
}

struct WrongSum: Error, CustomStringConvertible {
  let description: String
}

/// Runs the contenders in turns, so that other load on the machine affects all of them. The first turn is a warm-up and does not count.
func measure(_ workload: Workload, repetitions: Int, scale: Double) throws -> Outcome {
  let count = max(1, Int(Double(workload.count) * scale))
  var times = [[Double]](repeating: [], count: workload.contenders.count)
  for repetition in 0...repetitions {
    for (index, contender) in workload.contenders.enumerated() {
      let start = DispatchTime.now().uptimeNanoseconds
      let sum = contender.run(count)
      let time = DispatchTime.now().uptimeNanoseconds - start
      guard sum == workload.expected(count) else {
        throw WrongSum(description: "\(workload.name), \(contender.name): \(sum), not \(workload.expected(count))")
      }
      if repetition > 0 { times[index].append(Double(time) / Double(count)) }
    }
  }
  let results = workload.contenders.enumerated().map { index, contender in
    let sorted = times[index].sorted()
    return Result(
      name: contender.name, median: sorted[sorted.count / 2], minimum: sorted[0],
      allocations: allocations(of: contender, max(2, workload.count / 4)))
  }
  return Outcome(workload: workload, results: results)
}

/// Returns the average number of allocations per operation. The allocations that a run makes only once, which a run of one operation
/// makes too, do not count.
///
/// A view model that is released while its queue still works allocates less than another. So the two runs differ in length as much as
/// possible: between two long runs, this effect can exceed the allocations of an operation.
private func allocations(of contender: Contender, _ count: Int) -> Double? {
  guard allocations_are_counted() else { return nil }
  func counted(_ count: Int) -> Int {
    allocations_start()
    _ = contender.run(count)
    return allocations_stop()
  }
  let once = counted(1)
  return Double(counted(count) - once) / Double(count - 1)
}
