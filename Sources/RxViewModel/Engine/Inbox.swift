/// What waits for its turn on the view model's scheduler.
@usableFromInline
enum Input<Action: Sendable, State: Sendable>: Sendable {
  case action(UInt64, Action, Ticket<State>?)
  /// What an effect sent from elsewhere.
  case event(Run<Action, State>, Event<StateMapper<State>>)
  /// An error that is not an action's.
  case failure(any Error)
}

/// A request to cancel those of the actions up to `last` that match.
@usableFromInline
struct Cancellation<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let last: UInt64
  @usableFromInline let matches: @Sendable (Action, Ticket<State>?) -> Bool

  @inlinable
  init(last: UInt64, matches: @escaping @Sendable (Action, Ticket<State>?) -> Bool) {
    self.last = last
    self.matches = matches
  }
}

/// All that threads share: guarded by the engine's lock.
@usableFromInline
struct Inbox<Action: Sendable, State: Sendable> {
  @usableFromInline var inputs = Queue<Input<Action, State>>()
  @usableFromInline var cancellations = Queue<Cancellation<Action, State>>()
  @usableFromInline var lastID: UInt64 = 0
  /// Where turns are scheduled. Nil once the last has been: it may hold that turn, and with it the engine.
  @usableFromInline var scheduler: (any Scheduler)?
  /// The thread that is draining.
  @usableFromInline var drainer: ThreadID?
  /// A turn is scheduled that holds the view model.
  @usableFromInline var hasStrongTurn = false
  /// A turn is scheduled that does not.
  @usableFromInline var hasWeakTurn = false
  @usableFromInline var isClosed = false
  @usableFromInline var hasEnded = false
  /// The started actions with an effect.
  @usableFromInline var runs: [UInt64: Run<Action, State>] = [:]
  /// The one that has started and has no effect yet, or needs none.
  @usableFromInline var begun: (id: UInt64, action: Action)?
  @usableFromInline var tickets: [ObjectIdentifier: Ticket<State>] = [:]
  /// The state stream: here, so that a fold takes one lock.
  @usableFromInline var states = SubjectState<State>(ReplayBuffer(size: 1))
  @usableFromInline var streams = Streams<Action, State>()

  @inlinable
  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// True if the caller is to schedule a turn that holds the view model.
  @inlinable
  mutating func accept(_ action: Action, _ ticket: Ticket<State>?) -> Bool {
    if isClosed { return false }
    lastID += 1
    inputs.append(.action(lastID, action, ticket))
    if drainer != nil || hasStrongTurn { return false }
    hasStrongTurn = true
    return true
  }

  /// True if the caller is to schedule a turn.
  @inlinable
  mutating func needsTurn() -> Bool {
    if drainer != nil || hasStrongTurn || hasWeakTurn { return false }
    hasWeakTurn = true
    return true
  }

  /// The caller is inside the view model's own work.
  @inlinable
  var isDrainedHere: Bool {
    drainer != nil && drainer == .current
  }
}
