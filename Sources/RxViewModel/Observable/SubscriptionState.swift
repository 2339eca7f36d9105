/// The state of one subscription to an operator. Only the handler of the operator's events accesses it.
@usableFromInline
final class SubscriptionState<Value>: @unchecked Sendable {  // Sendable: events come one at a time (contract 1.2).
  @exclusivity(unchecked)
  @usableFromInline var value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}
