/// A value that the lock of a scope guards.
@usableFromInline
final class Guarded<Value>: Disposable, @unchecked Sendable {  // Sendable: the lock.
  @usableFromInline let lock: Lock<Void>
  @exclusivity(unchecked) @usableFromInline var value: Value
  /// Captures nothing of the user's. Made where the types are known, so that it is specialized.
  @usableFromInline let empty: (@Sendable (Guarded) -> Void)?

  @inlinable
  init(_ value: Value, in scope: Scope) {
    (lock, self.value, empty) = (scope.lock, value, nil)
  }

  /// A value that the end of the scope replaces by `empty`, so that nothing of it is retained from then on.
  @inlinable
  init(_ value: Value, in scope: Scope, empty: @escaping @Sendable () -> Value) {
    (lock, self.value) = (scope.lock, value)
    self.empty = { guarded in
      var value = empty()
      guarded.withLock { swap(&value, &$0) }
    }
    scope.add(self)
  }

  /// As ``Lock/withLock(_:)``: the body runs no user code and releases no object of the user's.
  @inlinable
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { _ in body(&value) }
  }

  @usableFromInline
  func dispose() {
    empty?(self)
  }
}
