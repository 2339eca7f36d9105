/// A call, and a value that may arrive while a thread is inside it: on that thread or on another one.
///
///     inside ──▶ ended(value) ──▶ returned
///       └───────────────────────────▲
///
/// The thread inside the call continues with a value that arrives before the call returns. So nothing recurses, and the call's result
/// is complete before the next step begins. The owner guards this value with a lock.
@usableFromInline
enum CallStatus<Value> {
  case inside
  case ended(Value)
  case returned

  /// Called when the value arrives. Returns true if the caller continues with it.
  @inlinable
  mutating func end(with value: Value) -> Bool {
    if case .returned = self { return true }
    self = .ended(value)
    return false
  }

  /// Called by the thread inside, when the call has returned. Returns the value with which it continues.
  @inlinable
  mutating func hasReturned() -> Value? {
    var last = CallStatus.returned
    swap(&last, &self)
    if case .ended(let value) = last { return value }
    return nil
  }
}
