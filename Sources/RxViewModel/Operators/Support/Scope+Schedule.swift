extension Scope {
  /// Closes this scope and all below it at once, and disposes what they hold on `scheduler`. So a loop of the source that keeps the
  /// scheduler busy ends, because it finds its scope closed.
  @usableFromInline
  final func dispose(on scheduler: any Scheduler) {
    guard let below = closeTree() else { return }
    scheduler.schedule { self.disposeResources(below) }
  }

  /// Runs `work` after `delay`, unless this scope, or the one that this returns, is disposed before that.
  @inlinable
  @discardableResult
  final func schedule(
    after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void
  ) -> Scope? {
    guard let timer = child() else { return nil }
    timer.add(
      scheduler.schedule(
        after: delay,
        inOrigin {
          timer.dispose()
          work()
        }))
    return timer
  }
}
