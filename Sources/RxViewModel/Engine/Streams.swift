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

  /// What is to be sent of a change, and to whom.
  @inlinable
  mutating func note(_ change: Activity<Action>.Change) -> (SubjectCore<Activity<Action>>?, Activity<Action>) {
    activityVersion += 1
    return (activity, Activity(version: activityVersion, change: change))
  }
}

/// What `isLoadingObservable(where:)` is made of.
@usableFromInline
struct Activity<Action: Sendable>: Sendable {
  @usableFromInline
  enum Change: Sendable {
    case started(UInt64, Action)
    case finished(UInt64)
    /// All that are unfinished end.
    case end
  }

  @usableFromInline let version: UInt64
  @usableFromInline let change: Change

  @inlinable
  init(version: UInt64, change: Change) {
    self.version = version
    self.change = change
  }
}
