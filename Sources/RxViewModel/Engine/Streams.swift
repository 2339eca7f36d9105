/// The streams of a view model that somebody has listened to; those of nobody cost nothing.
@usableFromInline
struct Streams<Action: Sendable, State: Sendable> {
  @usableFromInline var actionAndState: SubjectCore<ActionAndState<Action, State>>?
  @usableFromInline var error: SubjectCore<any Error>?
  @usableFromInline var actionAndError: SubjectCore<ActionAndError<Action>>?
  @usableFromInline var execution: SubjectCore<Execution<Action, State>>?
  @usableFromInline var loading: SubjectCore<Bool>?
  @usableFromInline var activity: SubjectCore<Activity<Action>>?
  @usableFromInline var isLoading = false
  /// Counts what `activity` emits.
  @usableFromInline var activityVersion: UInt64 = 0
  /// Somebody listens to what every action emits beside the state.
  @usableFromInline var isObserved = false

  @inlinable
  init() {}
}

/// An action has started, or has finished.
@usableFromInline
struct Activity<Action: Sendable>: Sendable {
  @usableFromInline let version: UInt64
  @usableFromInline let id: UInt64
  /// Nil: it has finished.
  @usableFromInline let started: Action?

  @inlinable
  init(version: UInt64, id: UInt64, started: Action?) {
    self.version = version
    self.id = id
    self.started = started
  }
}
