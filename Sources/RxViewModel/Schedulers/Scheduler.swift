/// Runs work: on which thread or queue, and when.
public protocol Scheduler: Sendable {
  /// Runs `work` as soon as it can. Work scheduled from one thread runs in that order on a serial scheduler.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` once `delay` has passed, unless the result is disposed before; a delay below zero counts as zero.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable
}

/// ``Scheduler`` by another name, for files in which the short one is taken, as by Combine.
public typealias RxScheduler = Scheduler
