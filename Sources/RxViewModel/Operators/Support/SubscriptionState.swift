/// The state of one subscription to an operator, which only the operator's own events touch.
@usableFromInline
final class SubscriptionState<Value>: @unchecked Sendable {  // Sendable: events come one at a time (contract 1.2).
  @exclusivity(unchecked)
  @usableFromInline var value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}
