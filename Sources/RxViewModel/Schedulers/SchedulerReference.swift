/// A scheduler that owns the work that waits on it, such as the `TestScheduler`.
///
/// Waiting work holds its operator, and the operator needs the scheduler for more. If the operator held the scheduler,
/// the two would keep each other alive. So it holds ``reference``, and the scheduler drops what waits when it is
/// released:
///
///     test ──▶ TestScheduler ──▶ virtual time ──▶ waiting work
///                                     ▲                │
///                                     └── operator ◀───┘     broken when the TestScheduler is released
package protocol OwningScheduler: Scheduler {
  /// Schedules the same work at the same time, and does not keep this scheduler alive. It does nothing once this one
  /// has been released.
  var reference: any Scheduler { get }
}

/// The reference of an ``OwningScheduler``.
package protocol SchedulerReference: Scheduler {
  /// The scheduler itself, unless it has been released.
  var owner: (any Scheduler)? { get }
}

extension Scheduler {
  /// The scheduler that the user passed in, for APIs that return it.
  package var original: any Scheduler {
    (self as? any SchedulerReference)?.owner ?? self
  }

  /// The form of this scheduler that an operator or a view model retains: the scheduler itself, unless it owns its
  /// waiting work.
  @usableFromInline
  package var reference: any Scheduler {
    (self as? any OwningScheduler)?.reference ?? self
  }
}
