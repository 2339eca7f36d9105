/// A scheduler that owns the work that waits on it, such as the `TestScheduler`.
///
/// Waiting work holds its operator, and the operator needs the scheduler for more. If the operator held the scheduler,
/// the two would keep each other alive. So it holds ``reference``, and the scheduler drops what waits when it is
/// released:
///
///     test ──▶ TestScheduler ──▶ virtual time ──▶ waiting work
///                                     ▲                │
///                                     └── operator ◀───┘     broken by the end of the TestScheduler
package protocol OwningScheduler: Scheduler {
  /// Schedules the same work at the same time, and does not keep this scheduler alive. It is of no use once this one
  /// has gone.
  var reference: any Scheduler { get }
}

/// The reference of an ``OwningScheduler``.
package protocol SchedulerReference: Scheduler {
  /// The scheduler itself, unless it has gone.
  var owner: (any Scheduler)? { get }
}

extension Scheduler {
  /// The scheduler that a user gave, for a user who asks.
  package var original: any Scheduler {
    (self as? any SchedulerReference)?.owner ?? self
  }

  /// What an operator, or a view model, holds of this scheduler: the scheduler itself, unless it owns what waits on it.
  @usableFromInline
  package var reference: any Scheduler {
    (self as? any OwningScheduler)?.reference ?? self
  }
}
