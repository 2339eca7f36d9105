/// A sink's answer to an event: whether it wants more.
///
/// A source continues after ``more`` and after ``pending``, and stops at ``noMore``. After a terminal event it ignores the answer.
/// Operators distinguish the first two answers from the third: an operator that reads ``noMore`` disposes its other sources at once. One
/// that reads ``pending`` must not dispose them, not even after an error, because that would drop the events that wait.
@usableFromInline
enum Demand: Sendable {
  /// The sink has handled the event and wants more.
  case more
  /// The event waits in a queue. The thread that delivers it disposes the subscription if the subscriber then wants no
  /// more.
  case pending
  /// The sink wants no more. The source releases the sink and everything else that it retains for the subscription, and need not be
  /// disposed.
  case noMore
}
