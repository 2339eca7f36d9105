/// A value that the lock of a scope guards.
@usableFromInline
final class Guarded<Value>: @unchecked Sendable {  // Sendable: the lock.
  @usableFromInline let lock: Lock<UInt8>
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable
  init(_ value: Value, in scope: Scope) { (lock, self.value) = (scope.lock, value) }

  /// As ``Lock/withLock(_:)``: the body runs no user code and releases no object of the user's.
  @inlinable
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { _ in body(&value) } }
}
