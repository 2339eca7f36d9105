/// A sink's answer to an element: whether it wants more. A synchronous source reads it to stop without a lock.
@usableFromInline
enum Demand: Sendable {
  /// The sink wants more. The event may still wait in a queue.
  case more
  /// The sink wants no more, and ignores what follows. The maker of its scope disposes the scope, or has done so.
  case noMore
}
