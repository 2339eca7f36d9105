import RxViewModel

/// Something that the explorer lets arrive: the answer of ``Exploration/arrival(_:)``, or one of the moments of a
/// ``Exploration/request(_:failing:changes:inOrder:_:)``.
final class Arrival: @unchecked Sendable {  // Sendable: the lock of the exploration guards the variables.
  enum Kind {
    case answer
    /// A request on its way to the server, which `handle` calls.
    case request(name: String, changes: Bool, handle: @Sendable () -> Void)
    /// The answer or the failure of a request, which is still on its way if it stands here.
    case end(late: Arrival?)
  }

  let label: String
  let kind: Kind
  /// The place among the requests of a label that the server handles one after the other. Nil if the server may handle another one first.
  let place: (label: String, number: Int)?
  /// The effect that waits, if the run is drawn.
  let origin: (any WorkOrigin)?
  /// The task, while it waits.
  var continuation: CheckedContinuation<Void, any Error>?
  /// Whether the task has been cancelled, perhaps before it waits.
  var isCancelled = false

  init(_ label: String, _ kind: Kind = .answer, place: (String, Int)? = nil, of origin: (any WorkOrigin)?) {
    (self.label, self.kind, self.place, self.origin) = (label, kind, place, origin)
  }

  /// Whether it arrives only after that one. The end of a call can come first, although its request is still on its way.
  func follows(_ other: Arrival) -> Bool {
    guard case .request = kind, let place, let earlier = other.place else { return false }
    return place.label == earlier.label && place.number > earlier.number
  }
}
