/// A state that several owners share. A box, because an optional field of generic type would need a metadata look-up at each access, and an
/// optional box needs none.
@usableFromInline
package final class Box<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value
  /// The number of the states before it.
  @usableFromInline let number: UInt64

  @inlinable
  init(_ value: Value, number: UInt64 = 0) {
    (self.value, self.number) = (value, number)
  }

  /// The state that follows this one. A method, because a read of a box in a variable would copy the state.
  @inlinable
  func next(_ transform: (Value) throws -> Value) rethrows -> Box { try Box(transform(value), number: number + 1) }
}
