/// An input that waits for its turn on the view model's scheduler, first come, first served.
@usableFromInline
enum EngineInput<Action: Sendable, State: Sendable>: Sendable {
  case action(UInt64, Action)
  /// An action with more data: a mode, a batch, or a task that awaits it.
  case run(ActionRun<Action, State>)
  /// An event that an effect has sent from another thread, or outside the view model's own work.
  case event(ActionRun<Action, State>, Event<StateMapper<State>>)
  /// The quiet time of a `switchLatest(_:after:)` is over.
  case quiet(ActionRun<Action, State>)
  /// An error that belongs to no action.
  case failure(any Error)
  /// A screen has been resumed.
  case resume(ScreenID)
  /// A screen has been paused.
  case pause(ScreenID)
  /// An empty place. The action here was cancelled while it waited.
  case nothing
}

/// The data that senders and the driver share, under a lock of its own.
@usableFromInline
struct Inbox<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = ActionRun<Action, State>

  /// Whether the engine accepts actions.
  @usableFromInline
  enum Status {
    /// There is no initial state yet. The engine accepts actions, and they wait for it.
    case opening
    case open
    /// `clear` has been called, or the view model has been released.
    case closed
    /// The streams have completed.
    case ended
  }

  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  @usableFromInline var cancellations = Queue<Machine<Action, State>.Cancellation>()
  @usableFromInline var lastID: UInt64 = 0
  /// The number of accepted actions that the machine has not taken yet. They keep the view model alive.
  @usableFromInline var queuedActions = 0
  /// The actions that tasks await.
  @usableFromInline var awaited: [ObjectIdentifier: Run] = [:]
  @usableFromInline var scopes = Scopes()

  /// The scheduler of the turns. Nil once the engine has scheduled the last turn: the scheduler may retain that turn,
  /// and so the engine.
  @usableFromInline var scheduler: (any Scheduler)?
  /// The thread that asks the scheduler for another turn from inside a turn.
  @usableFromInline var yielder: ThreadID?
  /// The thread that takes a turn now.
  @usableFromInline var driver: ThreadID?
  @usableFromInline var status = Status.opening
  /// Whether a turn is scheduled that keeps the view model alive.
  @usableFromInline var hasStrongTurn = false
  /// Whether a turn is scheduled that does not keep the view model alive.
  @usableFromInline var hasWeakTurn = false

  @inlinable
  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  @inlinable
  var isClosed: Bool { status == .closed || status == .ended }

  /// The contents of an inbox that has been closed, for the caller to release with no lock held.
  @usableFromInline
  struct Contents {
    @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
    @usableFromInline var cancellations = Queue<Machine<Action, State>.Cancellation>()
    @usableFromInline var awaited: [ObjectIdentifier: Run] = [:]
    @usableFromInline var scopes = Scopes()

    @inlinable
    init() {}
  }

  /// Accepts no further actions, and moves the contents out.
  @inlinable
  mutating func close(_ contents: inout Contents) {
    status = .closed
    swap(&contents.inputs, &inputs)
    swap(&contents.cancellations, &cancellations)
    swap(&contents.awaited, &awaited)
    swap(&contents.scopes, &scopes)
  }

  /// Whether the caller runs inside the view model's own work.
  @inlinable
  var isDrivenHere: Bool {
    driver != nil && driver == .current
  }

  /// The answer to an action that a thread executes.
  @usableFromInline
  enum Acceptance {
    /// The action waits for a turn that keeps the view model alive. The caller has to schedule that turn.
    case needsTurn
    /// The action waits for a turn that is scheduled or under way.
    case waits
    /// The engine is closed, and turns the action away.
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

  /// Returns true if the caller has to schedule a turn.
  @inlinable
  mutating func needsTurn() -> Bool {
    if driver != nil || hasStrongTurn || hasWeakTurn || status == .opening { return false }
    hasWeakTurn = true
    return true
  }
}
