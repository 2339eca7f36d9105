/// What waits for its turn on the view model's scheduler, first come, first served.
@usableFromInline
enum EngineInput<Action: Sendable, State: Sendable>: Sendable {
  case action(UInt64, Action)
  /// An action with more than that: a mode, a batch, a task that awaits it.
  case run(ActionRun<Action, State>)
  /// What an effect has sent from elsewhere.
  case event(ActionRun<Action, State>, Event<StateMapper<State>>)
  /// The quiet time of a `switchLatest(_:after:)` is over.
  case quiet(ActionRun<Action, State>)
  /// An error that is not an action's.
  case failure(any Error)
  /// A screen has been resumed.
  case resume(ScreenID)
  /// A screen has been paused.
  case pause(ScreenID)
  /// An action that was cancelled while it waited here.
  case nothing
}

/// What senders and the driver share: guarded by a lock of its own.
@usableFromInline
struct Inbox<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = ActionRun<Action, State>

  /// Whether the engine takes actions.
  @usableFromInline
  enum Status {
    /// The initial state is not there yet: actions are accepted and wait for it.
    case opening
    case open
    /// `clear` has been called, or the view model has gone.
    case closed
    /// The streams have completed.
    case ended
  }

  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  @usableFromInline var cancellations = Queue<Machine<Action, State>.Cancellation>()
  @usableFromInline var lastID: UInt64 = 0
  /// How many accepted actions have not been taken by the machine: these keep the view model alive.
  @usableFromInline var queuedActions = 0
  /// The actions that a task awaits.
  @usableFromInline var awaited: [ObjectIdentifier: Run] = [:]
  @usableFromInline var scopes = Scopes()

  /// Where turns are scheduled. Nil once the last one has been: it may hold that turn, and with it the engine.
  @usableFromInline var scheduler: (any Scheduler)?
  /// The thread that is asking the scheduler for another turn from inside a turn.
  @usableFromInline var yielder: ThreadID?
  /// The thread that takes a turn now.
  @usableFromInline var driver: ThreadID?
  @usableFromInline var status = Status.opening
  /// A turn is scheduled that holds the view model.
  @usableFromInline var hasStrongTurn = false
  /// A turn is scheduled that does not.
  @usableFromInline var hasWeakTurn = false

  @inlinable
  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  @inlinable
  var isClosed: Bool { status == .closed || status == .ended }

  /// Whether the caller runs inside the view model's own work.
  @inlinable
  var isDrivenHere: Bool {
    driver != nil && driver == .current
  }

  /// What becomes of an action that is executed.
  @usableFromInline
  enum Acceptance {
    /// It waits for a turn that holds the view model. The caller has to schedule that.
    case needsTurn
    /// It waits for a turn that is scheduled, or under way.
    case waits
    /// The engine is closed.
    case refused
  }

  @inlinable
  mutating func accept(_ action: Action) -> Acceptance {
    if isClosed { return .refused }
    lastID += 1
    inputs.append(.action(lastID, action))
    return actionNeedsTurn()
  }

  @inlinable
  mutating func accept(_ run: Run) -> Acceptance {
    if isClosed { return .refused }
    lastID += 1
    run.id = lastID
    inputs.append(.run(run))
    return actionNeedsTurn()
  }

  @inlinable
  mutating func actionNeedsTurn() -> Acceptance {
    queuedActions += 1
    if driver != nil || hasStrongTurn || status == .opening { return .waits }
    hasStrongTurn = true
    return .needsTurn
  }

  /// True if the caller has to schedule a turn.
  @inlinable
  mutating func needsTurn() -> Bool {
    if driver != nil || hasStrongTurn || hasWeakTurn || status == .opening { return false }
    hasWeakTurn = true
    return true
  }
}
