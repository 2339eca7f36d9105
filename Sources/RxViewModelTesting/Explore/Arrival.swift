import RxViewModel

/// Something that the explorer lets arrive: the answer of ``Exploration/arrival(_:)``, or one of the moments of a
/// ``Exploration/request(_:failing:changes:inOrder:_:)``.
final class Arrival: @unchecked Sendable {  // Sendable: the lock of the exploration guards the variables.
  enum Kind {
    case answer
    /// A request on its way to the server, which `handle` calls. Requests of one label with `isInOrder` reach it one after the other.
    case request(name: String, handle: @Sendable () -> Void, changes: Bool, isInOrder: Bool)
    /// The answer or the failure of a request.
    case end
  }

  let label: String
  let kind: Kind
  /// The effect that waits, if the run is drawn.
  let origin: (any WorkOrigin)?
  /// The task, while it waits.
  var continuation: CheckedContinuation<Void, any Error>?
  /// Whether the task has been cancelled, perhaps before it waits.
  var isCancelled = false

  init(_ label: String, _ kind: Kind = .answer, of origin: (any WorkOrigin)?) {
    (self.label, self.kind, self.origin) = (label, kind, origin)
  }

  /// Whether it arrives only after that one.
  func follows(_ other: Arrival) -> Bool {
    guard case .request(_, _, _, true) = kind, case .request = other.kind else { return false }
    return label == other.label
  }
}
