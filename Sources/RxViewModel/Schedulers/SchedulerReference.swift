/// A scheduler that owns the work that waits on it, such as the `TestScheduler`.
///
/// Waiting work retains its operator, and the operator needs the scheduler for further work. If the operator retained the scheduler, the
/// two would keep each other alive. So it retains ``reference``, and the scheduler drops the waiting work when it is released:
///
///     test ──▶ TestScheduler ──▶ virtual time ──▶ waiting work
///                                     ▲                │
///                                     └── operator ◀───┘     broken when the TestScheduler is released
package protocol OwningScheduler: Scheduler {
  /// A scheduler that schedules work on this one without keeping it alive. After the release of this scheduler it does nothing.
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
  package var reference: any Scheduler { referenced.scheduler }

  /// The same, and whether this scheduler owns its waiting work, as one with virtual time does.
  @usableFromInline
  package var referenced: (scheduler: any Scheduler, isVirtual: Bool) {
    guard let owning = self as? any OwningScheduler else { return (self, false) }
    return (owning.reference, true)
  }
}
