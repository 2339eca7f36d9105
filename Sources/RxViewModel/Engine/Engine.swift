/// Turns accepted actions into folded states.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a turn holds the view model, from its scheduling on if an action waits for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// **One queue.** Everything from outside the view model's own work (actions, events of effects, screens) waits in `shared.inputs`. A turn
/// on the scheduler makes its thread the *driver*, the only thread that calls user code. The driver does one step after the other: always
/// the first in this table that waits.
///
/// | step    | what waits                                                   | who adds to it                       |
/// |---------|--------------------------------------------------------------|--------------------------------------|
/// | `end`   | an action that is cancelled or superseded, or lost its child | any thread, under the lock           |
/// | `event` | an event that an effect has sent inside the view model's work | user code that the driver runs       |
/// | `job`   | a lane whose next action may start; an ended action that still counts as loading | the driver, at an end |
/// | `input` | the first of the queue, if it was there when the turn began  | any thread, under the lock           |
///
/// User code that a step runs can only add to these queues. So nothing of a view model happens inside something else (contract 2.3). A step
/// runs straight through; after user code it checks under the lock whether its action goes on (``goesOn(_:)``). A turn does at most 1,024
/// steps, and may end between any two (contract 1.10).
///
/// **One lock.** It guards `shared`, and those properties of a run that say so. Only the driver uses the other variables.
@usableFromInline
// Sendable: the lock guards what threads share. One driver at a time uses everything else.
final class Engine<Action: Sendable, State: Sendable>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Element = Box<State>
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Run = EngineRun<Action, State>
  @usableFromInline typealias ViewModel = RxViewModel<Action, State>

  @usableFromInline let shared: Lock<EngineState<Action, State>>
  @usableFromInline weak var viewModel: ViewModel?
  /// Nil unless a recorder has made the view model.
  @usableFromInline let tap: (any EngineTap)?
  /// Whether a test wants to know which action's effect code runs for.
  @usableFromInline let isVirtual: Bool
  /// How often the driver has looked, since it took an input, whether something has been cancelled. Under the lock; counted for a tap.
  @usableFromInline var looks = 0

  // Only the driver uses these.
  /// The state folded last.
  @exclusivity(unchecked) @usableFromInline var current: Box<State>?
  /// The delivery of a state to the subscribers.
  @exclusivity(unchecked) @usableFromInline var delivery = SubjectDelivery<Box<State>>()
  @exclusivity(unchecked) @usableFromInline var events = Queue<(run: Run, event: Event<Mapper>)>()
  @exclusivity(unchecked) @usableFromInline var jobs = Queue<Job>()
  /// The lanes that have unfinished actions.
  @exclusivity(unchecked) @usableFromInline var lanes: [Lane.Key: Lane] = [:]
  /// The steps, and the inputs, that the turn may still take.
  @exclusivity(unchecked) @usableFromInline var (budget, quota) = (1_024, 0)
  /// Whether there is no initial state yet.
  @exclusivity(unchecked) @usableFromInline var isOpening = true
  /// Whether the driver is subscribing to an effect, and delivers nothing. Then it handles an event as soon as the event arrives.
  @exclusivity(unchecked) @usableFromInline var isSubscribing = false
  /// Whether a stream that emits more than the state for every action has had a subscriber.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// The action whose effect the driver is making.
  @exclusivity(unchecked) @usableFromInline var creating: Run?
  /// The children that have unfinished actions. Nil before the first.
  @exclusivity(unchecked) @usableFromInline var rootInstance: ChildInstance?
  /// The screens that are resumed.
  @exclusivity(unchecked) @usableFromInline var screens: Set<UInt64> = []

  /// What is left to do after an end or a start: to start the actions that waited in the lane, then to stop counting the run as loading.
  @usableFromInline typealias Job = (lane: Lane?, run: Run?)
  @usableFromInline typealias Lane = ActionLane<Action, State>

  @inlinable
  init(scheduler: any Scheduler) {
    tap = makeTap(Action.self, State.self)
    let (scheduler, isVirtual) = scheduler.referenced
    self.isVirtual = isVirtual
    shared = Lock(EngineState(scheduler: scheduler, tap: tap))
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Box<State>>) -> Result) -> Result {
    shared.withLock { body(&$0.states) }
  }

  /// Makes the initial state, sends it to those that have subscribed meanwhile, and starts the accepted actions.
  ///
  /// The thread of `init` is the driver until this returns.
  @inlinable
  func open(_ viewModel: ViewModel, with initialState: State?) {
    self.viewModel = viewModel
    let initialState = initialState ?? viewModel.createInitialState()
    current = Box(tap?.open(initialState, isFollowed: false) ?? initialState)
    let sources = viewModel.createSources()
    for (index, source) in sources.enumerated() { follow(source, id: .max - UInt64(sources.count - 1 - index)) }
    if let tap { current = Box(tap.open(current!.value, isFollowed: true)) }
    isOpening = false
    // If `clear()` has been called meanwhile, no stream emits the state, but `currentState` returns it.
    if isOver { _ = shared.withLock { $0.states.store(current!) } } else { send(current!) }
    if finishTurn() { drive(viewModel) }
  }

  /// Follows a source, as if it were the effect of an action, in a run with a number above those of all actions.
  ///
  /// What the source sends on this thread during the subscription becomes part of the initial state.
  @usableFromInline
  func follow(_ source: Observable<Mapper>, id: UInt64) {
    let run = Run(id: id)
    shared.withLock { shared in
      run.stage = .following
      shared.add(run)
    }
    subscribe(run, to: source)
  }

  /// Ends a source. Its error belongs to no action, and is reported after everything that was accepted before.
  @usableFromInline
  func unfollow(_ run: Run, _ error: (any Error)? = nil) {
    let effect = shared.withLock { shared -> (any Disposable)? in
      if !goesOn(run, &shared) { return nil }
      run.stage = .over
      shared.remove(run)
      return run.effect.take()
    }
    effect?.dispose()
    if let error { fail(error) }
  }

  /// Closes the engine, on any thread: from now on it accepts, begins and folds nothing. Disposes the effects here. Completes the streams
  /// here too or, if another call is at work as the driver, at the end of that call.
  @inlinable
  func close() {
    var held = Held<Action, State>()
    var (isFirst, isDriver) = (false, false)
    var (runs, effects) = ([Run](), [any Disposable]())
    shared.withLock { shared in
      if shared.isClosed { return }
      (isFirst, isDriver, shared.isClosed) = (true, shared.driver == nil, true)
      if isDriver { shared.driver = .current }
      shared.states.isClosed = true
      for stream in shared.streams.all { stream.close() }
      runs = shared.runs
      if runs.count > 1 { runs.sort { $0.id < $1.id } }
      effects = runs.compactMap { $0.effect.take() }
      swap(&held, &shared.held)
    }
    if !isFirst { return }
    tap?.close()
    for effect in effects { effect.dispose() }
    held.resumed?.close()
    for member in held.members.values { member.dispose() }
    for run in runs { run.watcher?.actionHasEnded(run, .failure(CancellationError())) }
    if isDriver {
      complete()
      shared.withLock { $0.driver = nil }
    }
  }

  /// The driver's last act: completes the streams, and releases everything but the state.
  @inlinable
  func complete() {
    var runs: [Run] = []
    (events, jobs, lanes, screens) = (Queue(), Queue(), [:], [])
    let streams = shared.withLock { shared in
      swap(&runs, &shared.runs)
      return shared.streams
    }
    for run in runs {
      (run.lane, run.next, run.previous, run.lastState, run.held) = (nil, nil, nil, nil, Queue())
      move(run, to: nil, nil)
    }
    // A failure that the engine held, and a cancellation that it has dropped, still count as actions of their instances.
    rootInstance?.leave()
    // The loading streams emit false before any stream completes.
    streams.loading?.complete()
    end(nil)
    for stream in streams.all { stream.complete() }
  }

  /// Releases the last state, which no reader can access any more.
  @inlinable
  func releaseState() {
    current = nil
    var buffer = Queue<Box<State>>()
    shared.withLock { swap(&buffer, &$0.states.buffer) }
  }
}

/// What the threads that send, read and drive share, under the lock of the engine.
@usableFromInline
struct EngineState<Action: Sendable, State: Sendable> {
  @usableFromInline typealias Run = EngineRun<Action, State>

  @usableFromInline let tap: (any EngineTap)?
  @usableFromInline var held = Held<Action, State>()
  /// The sources, and the accepted actions until they no longer count as loading. In no order.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var lastID: UInt64 = 0
  /// The thread at work: that of `init`, of a turn, or of the end.
  @usableFromInline var driver: ThreadID? = .current
  /// The turn that is scheduled. Whenever an input or an end waits, a turn is scheduled, or there is a driver, or the engine is closed.
  @usableFromInline var scheduled = Turn.unneeded
  /// The number of inputs that keep the view model alive.
  @usableFromInline var queued = 0
  @usableFromInline var isClosed = false
  /// The action whose effect the driver is subscribing to.
  @usableFromInline var subscribing: Run?
  @usableFromInline var states = SubjectState<Box<State>>(size: 1)
  @usableFromInline var streams = Streams<Action, State>()

  @inlinable
  init(scheduler: any Scheduler, tap: (any EngineTap)?) {
    self.tap = tap
    held.scheduler = scheduler
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
    return append(tap == nil ? .plain(lastID, action) : .action(makeRun(lastID, action)))
  }

  /// Accepts an action.
  @inlinable
  mutating func accept(_ run: Run) -> Turn {
    if isClosed { return .refused }
    lastID += 1
    run.id = lastID
    tap?.accept(lastID)
    add(run)
    return append(.action(run))
  }

  @inlinable
  mutating func makeRun(_ id: UInt64, _ action: Action) -> Run {
    let run = ActionRun<Action, State>(action)
    run.id = id
    add(run)
    return run
  }

  /// The runs that match, in the order of acceptance. O(n log n).
  @usableFromInline
  mutating func runs(where matches: (Run) -> Bool) -> [Run] {
    for offset in held.inputs.indices {
      if case .plain(let id, let action) = held.inputs[offset] { held.inputs[offset] = .action(makeRun(id, action)) }
    }
    return runs.filter(matches).sorted { $0.id < $1.id }
  }

  /// - Parameter isReleased: Whether the input has waited until the player of a recording released it.
  @inlinable
  mutating func append(_ input: EngineInput<Action, State>, isReleased: Bool = false) -> Turn {
    if isClosed { return .refused }
    if !isReleased, case .event(let run, _) = input { run.waitingEvents += 1 }
    if !isReleased, let player = tap?.player, player.parks(input.tapped) {
      held.parked.append(input)
      return .unneeded
    }
    let keepsAlive = input.keepsAlive
    if keepsAlive { queued += 1 }
    held.inputs.append(input)
    return turn(keepsAlive ? .strong : .weak)
  }

  @inlinable
  mutating func turn(_ turn: Turn) -> Turn {
    if driver != nil || scheduled >= turn { return .unneeded }
    scheduled = turn
    return turn
  }

  /// Makes an action end: as the driver's next step or, if it is queued, when the driver takes it. None of its mappers is folded any more.
  @inlinable
  mutating func end(_ run: Run, _ outcome: Outcome) {
    if !run.isUnfinished { return }
    run.isEnding = true
    if run.stage != .queued { held.ends.append((run, outcome)) }
  }

  @inlinable
  mutating func add(_ run: Run) {
    run.place = runs.count
    runs.append(run)
  }

  /// Removes a run. The last run of the table takes its place. The caller retains the removed run. O(1).
  @inlinable
  mutating func remove(_ run: Run) {
    run.scope?.remove(run)
    let last = runs.removeLast()
    if last !== run {
      runs[run.place] = last
      last.place = run.place
    }
    if runs.isEmpty, runs.capacity > 64 { runs = [] }
  }
}

/// The shared objects that the end of the engine takes, to release them without the lock.
@usableFromInline
struct Held<Action: Sendable, State: Sendable> {
  /// The scheduler of the turns. Nil once the engine is closed.
  @usableFromInline var scheduler: (any Scheduler)?
  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  /// The inputs that the player of a recording lets wait.
  @usableFromInline var parked: [EngineInput<Action, State>] = []
  @usableFromInline var ends = Queue<(run: EngineRun<Action, State>, outcome: Outcome)>()
  /// The scope of the current resume.
  @usableFromInline var resumed: DisposeBag?
  /// The scopes that have had an action, and the entries of bags that clear the view model.
  @usableFromInline var members: [ObjectIdentifier: any Disposable] = [:]
  /// The last error that `handleError` has not handled, until a view dismisses it.
  @usableFromInline var failure: ActionAndError<Action>?
  /// The activities whose failure a view has read since that error, by identifier. Each says whether it would show a failure.
  @usableFromInline var readers: [ObjectIdentifier: @Sendable (ActionAndError<Action>) -> Bool] = [:]

  @inlinable
  init() {}
}

/// What waits for its turn on the scheduler, first come, first served.
@usableFromInline
enum EngineInput<Action: Sendable, State: Sendable>: Sendable {
  case plain(UInt64, Action)
  /// An action with more data: a mode, a batch, a scope, a task that awaits it.
  case action(EngineRun<Action, State>)
  /// An event that an effect has sent from another thread, or outside the view model's own work.
  case event(EngineRun<Action, State>, Event<StateMapper<State>>)
  /// The debounce time of a `switchLatest(_:after:)` is over.
  case quiet(EngineRun<Action, State>)
  /// An error that belongs to no action.
  case failure(any Error)
  /// An output of a feature, for the subscribers of its view model.
  case call(@Sendable () -> Void)
  /// A screen has been resumed, or paused: one that a lifecycle has bound, or 0 for the one that calls `didResume` and `didPause`.
  case resume(UInt64)
  case pause(UInt64)

  /// Whether the input keeps the view model alive until the driver has taken it.
  @inlinable
  var keepsAlive: Bool {
    switch self {
    case .plain, .action, .call, .pause: true
    case .event, .quiet, .failure, .resume: false
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
