/// An input that waits for its turn on the view model's scheduler, first come, first served.
@usableFromInline
enum EngineInput<Action: Sendable, State: Sendable>: Sendable {
  case action(UInt64, Action)
  /// An action with more data: a mode, a batch, or a task that awaits it.
  case run(EngineRun<Action, State>)
  /// An event that an effect has sent from another thread, or outside the view model's own work.
  case event(EngineRun<Action, State>, number: UInt64)
  /// The quiet time of a `switchLatest(_:after:)` is over.
  case quiet(EngineRun<Action, State>)
  /// An error that belongs to no action.
  case failure(any Error)
  /// An output of a feature, for the subscribers of its view model.
  case call(@Sendable () -> Void)
  /// A screen has been resumed.
  case resume(ScreenID)
  /// A screen has been paused.
  case pause(ScreenID)
}

/// The data that senders and the driver share, under a lock of its own.
@usableFromInline
struct Inbox<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

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
  /// The number of accepted actions, outputs and pauses that the machine has not taken yet. They keep the view model alive.
  @usableFromInline var queuedActions = 0
  /// The tasks that await actions in `perform`, by run.
  @usableFromInline var awaiting: [ObjectIdentifier: Awaiting] = [:]
  @usableFromInline var scopes = Scopes()

  @usableFromInline let tap: (any EngineTap)?
  /// The scheduler of the turns. Nil once the engine has scheduled the last turn: the scheduler may retain that turn,
  /// and so the engine.
  @usableFromInline var scheduler: (any Scheduler)?
  /// The thread that asks the scheduler for another turn from inside a turn.
  @usableFromInline var yieldingThread: ThreadID?
  /// The thread that takes a turn now.
  @usableFromInline var driver: ThreadID?
  /// The action whose effect the driver is subscribing to.
  @usableFromInline var subscribing: Run?
  /// The threads that report a refused action.
  @usableFromInline var reporters: [ThreadID] = []
  @usableFromInline var status = Status.opening
  /// Whether a turn is scheduled that keeps the view model alive.
  @usableFromInline var hasStrongTurn = false
  /// Whether a turn is scheduled that does not keep the view model alive.
  @usableFromInline var hasWeakTurn = false

  @inlinable
  init(scheduler: any Scheduler, tap: (any EngineTap)?) {
    (self.scheduler, self.tap) = (scheduler, tap)
  }

  @inlinable
  var isClosed: Bool { status == .closed || status == .ended }

  /// The requests that come before the next step of the driver.
  @inlinable
  var gate: Outputs<Action, State>.Gate { isClosed ? .closed : cancellations.isEmpty ? .open : .interrupted }

  /// A task that awaits an action.
  @usableFromInline
  enum Awaiting {
    case continuation(CheckedContinuation<Box<State>, any Error>)
    /// The task has been cancelled before the engine has accepted the action.
    case cancelled
  }

  @inlinable
  mutating func removeAwaiting(_ run: Run) -> Awaiting? {
    let removed = awaiting.removeValue(forKey: ObjectIdentifier(run))
    if awaiting.isEmpty, awaiting.capacity > 64 { awaiting = [:] }
    return removed
  }

  /// Accepts no further actions. Returns what was in the inbox, for the caller to release with no lock held.
  @inlinable
  mutating func close() -> Self {
    status = .closed
    defer { (inputs, cancellations, awaiting, scopes) = (Queue(), Queue(), [:], Scopes()) }
    return self
  }

  /// Whether the caller runs inside the view model's own work.
  @inlinable
  var isDrivenHere: Bool {
    driver != nil && driver == .current
  }

  /// The answer to an action that a thread executes.
  @usableFromInline
  enum Acceptance: Sendable {
    /// The action waits for a turn that keeps the view model alive. The caller has to schedule that turn.
    case needsTurn
    /// The action waits for a turn that is scheduled or under way.
    case waits
    /// The engine is closed, and turns the action away.
    case refused
  }

  @inlinable
  mutating func accept(_ run: Run) -> Acceptance {
    accept { id in
      run.id = id
      return .run(run)
    }
  }

  /// Accepts the action in the input that `make` returns for its number.
  @inline(__always)
  @inlinable
  mutating func accept(_ make: (UInt64) -> EngineInput<Action, State>) -> Acceptance {
    if isClosed { return .refused }
    lastID += 1
    tap?.accept(lastID)
    inputs.append(make(lastID))
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

/// A screen that reports to a view model.
@usableFromInline
enum ScreenID: Hashable, Sendable {
  /// The screen that calls `didResume` and `didPause`.
  case own
  /// A screen that a lifecycle has bound.
  case bound(UInt64)
}

/// The scopes that the engine disposes at its end, in addition to the effects. Guarded by the lock of the inbox.
@usableFromInline
struct Scopes {
  /// The scope of the current resume.
  @usableFromInline var resumed: DisposeBag?
  /// The scopes that have had an action, and the entries of bags that clear the view model. The engine disposes them at its end.
  @usableFromInline var members: [ObjectIdentifier: any Disposable] = [:]

  @usableFromInline
  init() {}

  /// Disposes the scopes. The caller has taken this value out of the inbox and holds no lock.
  @usableFromInline
  func dispose() {
    resumed?.close()
    for member in members.values { member.dispose() }
  }
}
