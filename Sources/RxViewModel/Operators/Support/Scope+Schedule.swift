extension Scope {
  /// Runs `work` after `delay`, unless this scope, or the one that this returns, is disposed before that.
  @inlinable
  @discardableResult
  func schedule(after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void) -> Scope? {
    guard let timer = child() else { return nil }
    let fire = inOrigin(isTimer: true) {
      timer.dispose()
      work()
    }
    timer.add(scheduler.schedule(after: delay, fire))
    return timer
  }
}
