import Foundation

/// Runs `first` and `second` on two threads at the same moment, `times` times, each time with a new value of `setUp`. Returns the values.
/// Nil if a round has not ended within the bound.
func race<Value: Sendable>(
  times: Int, _ setUp: @escaping @Sendable () -> Value,
  _ first: @escaping @Sendable (Value) -> Void, _ second: @escaping @Sendable (Value) -> Void
) async -> [Value]? {
  let (value, gate, rounds) = (Locked<Value?>(nil), Gate(), Locked<[Value]>([]))
  let haveFinished = await finish(
    {
      for round in 0..<times {
        let made = setUp()
        value.mutate { $0 = made }
        guard gate.pass(2 * round + 1) else { return }
        first(made)
        guard gate.pass(2 * round + 2) else { return }
        rounds.mutate { $0.append(made) }
      }
    },
    {
      for round in 0..<times {
        guard gate.pass(2 * round + 1) else { return }
        second(value.value!)
        guard gate.pass(2 * round + 2) else { return }
      }
    })
  return haveFinished && rounds.value.count == times ? rounds.value : nil
}

/// A barrier at which two threads spin until both have arrived, so that they leave it at the same moment.
private final class Gate: Sendable {
  private let arrivals = Locked(0)

  /// Waits for the other thread. False if it has not arrived within the bound.
  ///
  /// - Parameter number: 1 the first time, then 2, and so on.
  func pass(_ number: Int) -> Bool {
    arrivals.mutate { $0 += 1 }
    var spins = 0
    var deadline: ContinuousClock.Instant?
    while arrivals.value < 2 * number {
      spins += 1
      guard spins > 500 else { continue }
      sched_yield()
      if deadline == nil { deadline = .now + .seconds(waitLimit) }
      if spins % 256 == 0, .now > deadline! { return false }
    }
    return true
  }
}

/// Runs each of `bodies` on a thread of its own, and waits for all. False if one has not ended within the bound: its thread keeps running.
func finish(_ bodies: (@Sendable () -> Void)...) async -> Bool {
  let ended = bodies.map { _ in Signal() }
  for (body, ended) in zip(bodies, ended) {
    Thread {
      body()
      ended.fire()
    }.start()
  }
  return await onThread { ended.allSatisfy { $0.wait() } }
}
