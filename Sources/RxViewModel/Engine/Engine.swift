/// Turns accepted actions into folded states.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a turn holds the view model, from its scheduling on if an action waits for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// **One queue.** Everything from outside the view model's own work (actions, events of effects, screens) waits in the `inbox`. A turn on
/// the scheduler takes what is there, and makes its thread the *driver*, the only thread that calls user code. The driver does one step
/// after the other: always the first in this table that waits.
///
/// | step    | what waits                                                    | who adds to it                    |
/// |---------|---------------------------------------------------------------|-----------------------------------|
/// | `end`   | an action that is cancelled or superseded, or lost its child  | any thread, under the lock        |
/// | `event` | an event that an effect has sent inside the view model's work | user code that the driver runs    |
/// | `job`   | what an action leaves to do in its lane, see ``Job``          | the driver                        |
/// | `input` | the first of those that the turn has taken from the inbox     | the beginning of the turn         |
///
/// User code that a step runs can only add to these queues. So nothing of a view model happens inside something else (contract 2.3). A step
/// runs straight through. After user code it checks under the lock whether its action goes on (``goesOn(_:_:)``), and makes its next change
/// in the same section. A turn does at most 1,024 steps, and may end between any two (contract 1.10).
///
/// **Two locks.** The inbox's is all that a thread takes to send something, so the sender doesn't wait for the driver, which takes that
/// lock at the ends of a turn and for an event from inside. The engine's guards `shared`, and those properties of a run that say so. A
/// thread that holds both has taken the inbox's second. Only the driver uses the other variables.
///
/// **No release under a lock** (contract 1.3). What a section removes for good, it moves to a ``Removed``, which its caller releases.
@usableFromInline
// Sendable: the locks guard what threads share. One driver at a time uses everything else.
final class Engine<Action: Sendable, State: Sendable>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Element = Box<State>
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Run = EngineRun<Action, State>
  @usableFromInline typealias ViewModel = RxViewModel<Action, State>
  @usableFromInline typealias Shared = EngineState<Action, State>
  @usableFromInline typealias Removed = RemovedObjects<Action, State>

  @usableFromInline let inbox: Lock<Inbox<Action, State>>
  @usableFromInline let shared: Lock<EngineState<Action, State>>
  @usableFromInline weak var viewModel: ViewModel?
  /// Nil unless a recorder has made the view model.
  @usableFromInline let tap: (any EngineTap)?
  /// Whether a test wants to know which action's effect code runs for.
  @usableFromInline let isVirtual: Bool

  // Only the driver uses these.
  /// The state folded last.
  @exclusivity(unchecked) @usableFromInline var current: Box<State>?
  /// The delivery of a state to the subscribers.
  @exclusivity(unchecked) @usableFromInline var delivery = SubjectDelivery<Box<State>>()
  @exclusivity(unchecked) @usableFromInline var events = Queue<(run: Run, event: Event<Mapper>)>()
  @exclusivity(unchecked) @usableFromInline var jobs = Queue<Job>()
  /// The lanes that have unfinished actions, and the one that was emptied last, because its next action usually comes soon.
  @exclusivity(unchecked) @usableFromInline var lanes: [Lane.Key: Lane] = [:]
  @exclusivity(unchecked) @usableFromInline var emptied: Lane?
  /// The steps that the turn may still do.
  @exclusivity(unchecked) @usableFromInline var budget = 1_024
  /// Whether there is no initial state yet.
  @exclusivity(unchecked) @usableFromInline var isOpening = true
  /// Whether the driver is subscribing to an effect, and delivers nothing. Then it handles an event as soon as the event arrives.
  @exclusivity(unchecked) @usableFromInline var isSubscribing = false
  /// Whether a stream that emits more than the state for every action has had a subscriber. Each section reads it again.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// The action whose effect the driver is making.
  @exclusivity(unchecked) @usableFromInline var creating: Run?
  /// The children that have unfinished actions. Nil before the first.
  @exclusivity(unchecked) @usableFromInline var rootInstance: ChildInstance?
  /// Nil unless a change is unconfirmed or a snapshot unfinished.
  @exclusivity(unchecked) @usableFromInline var optimism: OptimisticSteps<State>?
  /// The number of actions that have begun while something was undecided.
  @exclusivity(unchecked) @usableFromInline var begun = 0
  /// The screens that are resumed.
  @exclusivity(unchecked) @usableFromInline var screens: Set<UInt64> = []

  /// What is left to do after the ends and the events.
  @usableFromInline
  enum Job {
    /// Starts the actions that waited in the lane, the first of them for the end of the action with this id, then stops counting the run,
    /// which has ended, as loading.
    case pass(Lane?, Run?, after: UInt64?)
    /// What has to wait until the ends that an action has caused are announced.
    case call((ViewModel) -> Void)
  }
  @usableFromInline typealias Lane = ActionLane<Action, State>

  @inlinable
  init(scheduler: any Scheduler) {
    tap = makeTap(Action.self, State.self)
    let (scheduler, isVirtual) = scheduler.referenced
    self.isVirtual = isVirtual
    inbox = Lock(Inbox(tap: tap, scheduler))
    shared = Lock(EngineState())
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Box<State>>) -> Result) -> Result {
    shared.withLock { body(&$0.states) }
  }

  /// Takes the locks in the only order in which one thread may take both.
  @inlinable
  func withBoth<Result>(_ body: (inout Shared, inout Inbox<Action, State>) -> Result) -> Result {
    shared.withLock { shared in inbox.withLock { body(&shared, &$0) } }
  }

  /// Makes the initial state, sends it to those that have subscribed meanwhile, and starts the accepted actions.
  ///
  /// The thread of `init` is the driver until this returns.
  @inlinable
  func open(_ viewModel: ViewModel, with initialState: State?) {
    self.viewModel = viewModel
    current = Box(initialState ?? viewModel.createInitialState())
    let sources = viewModel.createSources()
    // A source is followed as if it were the effect of an action, in a run with a number above those of all actions. What it sends on this
    // thread during the subscription becomes part of the initial state.
    for (index, source) in sources.enumerated() {
      let run = Run(id: .max - UInt64(sources.count - 1 - index))
      run.stage = .following
      shared.withLock { $0.add(run) }
      subscribe(run, to: source)
    }
    if let tap { current = Box(tap.open(current!.value)) }
    isOpening = false
    // If `clear()` has been called meanwhile, no stream emits the state, but `currentState` returns it.
    if isOver { _ = shared.withLock { $0.states.store(current!) } } else { send(current!) }
    // Unlike a turn, `init` does not go on as the driver: it may run on any thread.
    if !scheduleIfNeeded(shared.withLock { endTurn(&$0, staysDriver: false) }) { complete() }
  }

  /// Ends a source. Its error belongs to no action, and is reported after everything that was accepted before.
  @usableFromInline
  func unfollow(_ run: Run, _ error: (any Error)? = nil) {
    var removed = Removed()
    if !shared.withLock({ beginEnd(run, .completed, &$0, &removed) }) { return }
    removed.effect?.dispose()
    if run.stage != .released { release(run) }
    if let error { fail(error) }
  }

  /// Closes the engine, on any thread: from now on it accepts, begins and folds nothing. Disposes the effects here. Completes the streams
  /// here too or, if another call is at work as the driver, at the end of that call.
  @inlinable
  func close() {
    var (waiting, old, runs, effects) = (Inbox<Action, State>(tap: tap), Shared(), [Run](), [any Disposable]())
    let isFirst = withBoth { shared, inbox in
      if shared.isClosed { return false }
      runs = shared.all(&inbox)
      swap(&waiting, &inbox)
      inbox.reporters = waiting.reporters
      swap(&old.resumed, &shared.resumed)
      swap(&old.scopes, &shared.scopes)
      swap(&old.dismissed, &shared.dismissed)
      (shared.isClosed, shared.states.isClosed, inbox.driver) = (true, true, waiting.driver ?? .current)
      effects = runs.compactMap { $0.effect.take() }
      // The driver itself notifies the watchers of the actions whose end it has begun.
      runs.removeAll { $0.stage.isOver }
      return true
    }
    if !isFirst { return }
    tap?.close()
    for effect in effects { effect.dispose() }
    old.resumed?.close()
    for scope in old.scopes.values { scope.dispose() }
    for run in runs { run.watcher?.actionHasEnded(run, .failure(CancellationError())) }
    if waiting.driver == nil { complete() }
  }

  /// The driver's last act, also if the closing thread has become the driver for it: completes the streams, and releases everything but
  /// the state.
  @inlinable
  func complete() {
    (events, jobs, lanes, emptied, screens, optimism) = (Queue(), Queue(), [:], nil, [], nil)
    var (runs, inputs, ends) = ([Run](), Queue<EngineInput<Action, State>>(), Queue<Run>())
    let streams = shared.withLock { shared in
      swap(&runs, &shared.runs)
      swap(&inputs, &shared.inputs)
      swap(&ends, &shared.ends)
      return shared.streams
    }
    for run in runs {
      (run.link, run.lastState, run.deferred) = (LaneLink(), nil, Queue())
      move(run, to: nil, nil)
    }
    // A failure that is kept for the views, and a cancellation that has been dropped, still count as actions of their instances.
    rootInstance?.leave()
    // The loading streams emit false before any stream completes.
    streams.loading?.end(nil)
    end(nil)
    for stream in streams.all { stream.end(nil) }
    _ = streams.failure?.withSubject { $0.buffer.popFirst() }
    inbox.withLock { $0.driver = nil }
  }

  /// Releases the last state, which no reader can access any more.
  @inlinable
  func releaseState() {
    current = nil
    var buffer = Queue<Box<State>>()
    shared.withLock { swap(&buffer, &$0.states.buffer) }
  }
}
