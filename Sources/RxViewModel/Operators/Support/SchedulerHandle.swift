/// A scheduler as an operator uses it. An operator that schedules through it need not think of two others:
///
/// - the owner of waiting work, such as a `TestScheduler`: retains it by ``Scheduler/reference`` only;
/// - a recorder: the work runs in the context of the effect that schedules it, and the recorder learns that a timer fires.
@usableFromInline
struct SchedulerHandle: Sendable {
  @usableFromInline let scheduler: any Scheduler

  @inlinable
  init(_ scheduler: any Scheduler) { self.scheduler = scheduler.reference }

  /// The time of a scheduler that measures its delays in it; see ``UptimeScheduler``.
  var uptime: Duration? { (scheduler as? any UptimeScheduler)?.now }

  @inlinable
  func schedule(_ work: @escaping @Sendable () -> Void) { scheduler.schedule(inOrigin(work)) }

  /// Runs `work` after `delay`, unless `scope`, or the one that this returns, is disposed before that. If not `isTimer`, the work itself
  /// tells a recorder when the timer fires.
  @inlinable
  @discardableResult
  func schedule(
    after delay: Duration, in scope: Scope, isTimer: Bool = true, _ work: @escaping @Sendable () -> Void
  ) -> Scope? {
    guard let timer = scope.child() else { return nil }
    let fire = inOrigin(isTimer: isTimer) {
      timer.dispose()
      work()
    }
    timer.add(scheduler.schedule(after: delay, fire))
    return timer
  }
}
