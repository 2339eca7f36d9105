/// A sink's answer to an event: whether it wants more.
///
/// A synchronous source reads the answer to stop without a lock. After a terminal event it ignores the answer.
@usableFromInline
enum Demand: Sendable {
  /// The sink wants more. The event may still wait in a queue.
  case more
  /// The sink wants no more, and ignores what follows. The maker of its scope disposes the scope, or has done so.
  case noMore
}
