/// An object that the engine tells when an action has ended: the scope of the action, or the property that has sent it.
///
/// The engine does not tell it when it closes, because closing ends all actions at once.
@usableFromInline
protocol ActionWatcher: AnyObject, Sendable {
  /// Called on the scheduler, after the streams have announced the end.
  func actionHasEnded(_ run: AnyObject)
}
