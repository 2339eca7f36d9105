import Dispatch

extension DispatchQueue {
  /// The target queue of the view models' queues. Stored, because each call of `global()` allocates.
  @usableFromInline static let shared = DispatchQueue.global()
}

/// Makes a dispatch queue a scheduler: `schedule` enqueues the work and returns.
///
/// A serial queue runs work in the order of scheduling. A concurrent queue may run several pieces of work at the same
/// time.
extension DispatchQueue: Scheduler {
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    async(execute: work)
  }

  /// Runs `work` once `delay` has passed.
  ///
  /// Disposing the result drops and releases the work immediately. Dispatch retains this queue and a small object until the deadline.
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    let pending = Lock(Optional(work))
    asyncAfter(deadline: .now() + delay) { pending.withLock { $0.take() }?() }
    return Disposables.create { _ = pending.withLock { $0.take() } }
  }
}

extension DispatchTime {
  /// The time after a delay, rounded up; `distantFuture` if Dispatch cannot count so far. A delay below zero counts as zero.
  ///
  /// Not by `DispatchTimeInterval`, which counts with an `Int`: on a 32-bit system that holds 2.1 s in nanoseconds.
  static func + (time: DispatchTime, delay: Duration) -> DispatchTime {
    if delay > .seconds(1 << 32 as Int64) { return .distantFuture }
    let (seconds, attoseconds) = max(delay, .zero).components
    return DispatchTime(
      uptimeNanoseconds: time.uptimeNanoseconds + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds + 999_999_999)
        / 1_000_000_000)
  }
}
