extension Scope {
  /// Runs `work` after `delay`, unless this scope, or the one that this returns, is disposed before that.
  @inlinable
  @discardableResult
  final func schedule(
    after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void
  ) -> Scope? {
    guard let timer = child() else { return nil }
    timer.add(
      scheduler.schedule(after: delay) {
        timer.dispose()
        work()
      })
    return timer
  }
}
