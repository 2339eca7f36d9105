/// What comes from outside, in the order of acceptance, until a turn takes it; and who takes turns. Under a lock of its own.
@usableFromInline
struct Inbox<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Input = EngineInput<Action, State>

  @usableFromInline let tap: (any EngineTap)?
  /// The scheduler of the turns.
  @usableFromInline let scheduler: (any Scheduler)?
  @usableFromInline let isClosed: Bool
  @usableFromInline var inputs = Queue<Input>()
  /// The inputs that the player of a recording lets wait.
  @usableFromInline var parked: [Input] = []
  @usableFromInline var lastID: UInt64 = 0
  /// The number of inputs here that keep the view model alive.
  @usableFromInline var queued = 0
  /// The thread at work: that of `init`, of a turn, or of the end.
  @usableFromInline var driver: ThreadID? = .current
  /// The turn that is scheduled. Whenever an input or an end waits, a turn is scheduled, or there is a driver, or the engine is closed.
  @usableFromInline var scheduled = Turn.unneeded
  /// The threads that report an action that is not executed.
  @usableFromInline var reporters: [ThreadID] = []

  /// Without a scheduler, this is the inbox of a closed engine, which accepts nothing.
  @inlinable
  init(tap: (any EngineTap)?, _ scheduler: (any Scheduler)? = nil) {
    (self.tap, self.scheduler, isClosed) = (tap, scheduler, scheduler == nil)
  }

  /// Whether the caller runs inside the view model's own work.
  @inlinable
  var isDrivenHere: Bool { driver != nil && driver == .current }

  /// Accepts an action that has no more data, such as a mode. Its run is made only when the driver takes it, because a queue of runs would
  /// cost four times as much. With a tap, its run is made now.
  @inlinable
  mutating func accept(_ action: Action) -> Turn {
    if isClosed { return .refused }
    lastID += 1
    tap?.accept(lastID)
    return append(tap == nil ? .plain(lastID, action) : .action(ActionRun(action, id: lastID)))
  }

  /// Accepts an action.
  @inlinable
  mutating func accept(_ run: EngineRun<Action, State>) -> Turn {
    if isClosed { return .refused }
    lastID += 1
    run.id = lastID
    tap?.accept(lastID)
    return append(.action(run))
  }

  /// - Parameter isReleased: Whether the input has waited until the player of a recording released it.
  @inlinable
  mutating func append(_ input: Input, isReleased: Bool = false) -> Turn {
    if isClosed { return .refused }
    if tap != nil, !isReleased, tap!.parks({ input.tapped }) {
      parked.append(input)
      return .unneeded
    }
    let keepsAlive = input.keepsAlive
    if keepsAlive { queued += 1 }
    inputs.append(input)
    return turn(keepsAlive ? .strong : .weak)
  }

  @inlinable
  mutating func turn(_ turn: Turn) -> Turn {
    if driver != nil || scheduled >= turn { return .unneeded }
    scheduled = turn
    return turn
  }

  /// As ``turn(_:)``, for the driver, which stays the driver while it schedules the turn.
  @inlinable
  mutating func drive(_ turn: Turn) -> Turn {
    let turn = self.turn(turn)
    if turn > .unneeded { driver = .current }
    return turn
  }
}

/// What waits for its turn on the scheduler, first come, first served.
@usableFromInline
enum EngineInput<Action: Sendable, State: Sendable>: Sendable {
  case plain(UInt64, Action)
  /// An action with more data: a mode, a batch, a scope, a task that awaits it.
  case action(EngineRun<Action, State>)
  /// An event that an effect has sent from another thread, or outside the view model's own work.
  case event(EngineRun<Action, State>, Event<StateMapper<State>>)
  /// The debounce time of an action is over.
  case quiet(EngineRun<Action, State>)
  /// What is debounced in the lane starts. The view model's own work may have asked for that.
  case flush(ExecutionMode.Lane, isOwn: Bool)
  /// An error that belongs to no action.
  case failure(any Error)
  /// An output of a feature, for the subscribers of its view model.
  case call(@Sendable () -> Void)
  /// A screen has been resumed, or paused: one that a lifecycle has bound, or 0 for the one that calls `didResume` and `didPause`.
  case resume(UInt64)
  case pause(UInt64)

  @inlinable
  var run: EngineRun<Action, State>? { if case .action(let run) = self { run } else { nil } }

  /// The same input, with a run if it is an action.
  @inlinable
  var withRun: Self { if case .plain(let id, let action) = self { .action(ActionRun(action, id: id)) } else { self } }

  /// Whether the input keeps the view model alive until the driver has taken it.
  @inlinable
  var keepsAlive: Bool {
    switch self {
    case .plain, .action, .flush, .call, .pause: true
    case .event, .quiet, .failure, .resume: false
    }
  }
}

extension Queue {
  /// The runs of the actions that wait, which are made now if there are none yet.
  @inlinable
  mutating func runs<Action, State>() -> [EngineRun<Action, State>] where Element == EngineInput<Action, State> {
    indices.compactMap { offset in
      if case .plain = self[offset] { self[offset] = self[offset].withRun }
      return self[offset].run
    }
  }
}

/// The turn that a request needs. The caller has to schedule it.
@usableFromInline
enum Turn: Comparable, Sendable {
  /// The engine is closed, and has refused the request.
  case refused
  /// A turn is scheduled or under way already.
  case unneeded
  /// A turn that doesn't keep the view model alive before it has begun, and one that does.
  case weak, strong
}
