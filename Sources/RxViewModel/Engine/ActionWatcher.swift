/// What is told that an action has ended, beside a task that awaits it: the scope of the action, or the property that has sent it.
///
/// Not told when the engine closes: that ends all actions at once.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, when the streams have announced the end.
  func actionHasEnded(_ run: AnyObject)
}
