import RxViewModel

/// A call of ``Exploration/arrival(_:)`` by a task that waits, or will wait.
final class Arrival: @unchecked Sendable {  // Sendable: the lock of the exploration guards the variables.
  let label: String
  /// The effect that waits, if the run is drawn.
  let origin: (any WorkOrigin)?
  /// The task, while it waits.
  var continuation: CheckedContinuation<Void, any Error>?
  /// Whether the task has been cancelled, perhaps before it waits.
  var isCancelled = false

  init(_ label: String, of origin: (any WorkOrigin)?) {
    (self.label, self.origin) = (label, origin)
  }
}
