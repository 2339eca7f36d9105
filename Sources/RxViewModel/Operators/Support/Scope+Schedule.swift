extension Scope {
  /// Runs `work` after `delay`, unless this scope, or the one that this returns, is disposed before that. If not `isTimer`, the work itself
  /// tells a recorder when the timer fires.
  @inlinable
  @discardableResult
  func schedule(
    after delay: Duration, on scheduler: any Scheduler, isTimer: Bool = true, _ work: @escaping @Sendable () -> Void
  ) -> Scope? {
    guard let timer = child() else { return nil }
    let fire = inOrigin(isTimer: isTimer) {
      timer.dispose()
      work()
    }
    timer.add(scheduler.schedule(after: delay, fire))
    return timer
  }
}
