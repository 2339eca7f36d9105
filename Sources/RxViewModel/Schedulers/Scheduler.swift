import Dispatch

/// Decides where and when work runs.
///
/// If you write your own, make sure that:
/// - both functions can be called from any thread, also from inside work;
/// - they run the work on the calling thread, or return without waiting for it: `DispatchQueue.sync` to another thread would wait;
/// - each piece of work runs at most once, and is released afterwards;
/// - disposing the result of ``schedule(after:_:)`` before the work is due drops the work and releases it.
public protocol Scheduler: Sendable {
  /// Runs `work` as soon as possible.
  ///
  /// A serial scheduler runs the work that one thread schedules in the order of scheduling.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` once `delay` has passed, unless the caller disposes the result before that.
  ///
  /// A delay below zero counts as zero.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable

  /// The time of this scheduler, since a beginning of its own. The difference of two values is the time between them.
  ///
  /// The default is the time since the system started, without the time that it slept. A scheduler with virtual time returns that: the
  /// `now` of a `TestScheduler` is what the test has advanced.
  var now: Duration { get }
}

extension Scheduler {
  /// The time since the system started, without the time that it slept.
  public var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }
}

/// Another name for ``Scheduler``, for files in which `Scheduler` means something else, such as files that import
/// Combine.
public typealias RxScheduler = Scheduler
