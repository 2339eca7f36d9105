/// An object that the engine notifies when an action has ended: the scope of the action, or the property that has
/// executed it.
///
/// The engine does not notify it when the engine closes, because closing ends all actions at once.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after the streams have announced the end.
  func actionHasEnded(_ run: AnyObject)
}
