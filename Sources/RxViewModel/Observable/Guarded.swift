/// A value that can be emptied, so that it retains nothing of the user's.
@usableFromInline
protocol Emptiable: SendableMetatype {
  static var empty: Self { get }
}

/// A value that the lock of a scope guards.
@usableFromInline
final class Guarded<Value>: Disposable, @unchecked Sendable {  // Sendable: the lock.
  @usableFromInline let lock: Lock<UInt8>
  @exclusivity(unchecked) @usableFromInline var value: Value
  /// Captures nothing. Made where the types are known, so that it is specialized.
  @usableFromInline let empty: (@Sendable (Guarded) -> Void)?

  @inlinable
  init(_ value: Value, in scope: Scope) {
    (lock, self.value, empty) = (scope.lock, value, nil)
  }

  /// A value that is empty from the end of the scope on.
  @inlinable
  init(emptied value: Value, in scope: Scope) where Value: Emptiable {
    (lock, self.value) = (scope.lock, value)
    empty = { guarded in
      var value = Value.empty
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
  func dispose() { empty?(self) }
}
