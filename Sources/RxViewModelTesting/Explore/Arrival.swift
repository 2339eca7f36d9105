import RxViewModel

/// A task that calls ``Exploration/arrival(_:)``. The state of its exploration guards the variables.
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
