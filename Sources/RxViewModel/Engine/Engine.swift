import Dispatch

/// Turns accepted actions into folded states: the driver of a ``Machine``.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a scheduled turn holds the view model while actions wait for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// A turn runs on the scheduler. It asks the machine for one step after the other, and does each step with no lock held. Only a turn calls
/// user code. Three owners share the state. Senders append to the `inbox`. Readers read the `outputs`. The thread that takes the turn, the
/// *driver*, owns everything else. A thread that holds both locks has taken that of the inbox first. It takes the lock of a stream last.
@usableFromInline
// Sendable: the two locks guard what senders and readers share. One turn at a time uses everything else.
final class Engine<Host: EngineHost>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Action = Host.Action
  @usableFromInline typealias State = Host.State
  @usableFromInline typealias Element = Box<State>
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Run = EngineRun<Action, State>
  @usableFromInline typealias Phase = Execution<Action, State>.Phase

  @usableFromInline let inbox: Lock<Inbox<Action, State>>
  @usableFromInline let outputs: Lock<Outputs<Action, State>>
  @usableFromInline weak var viewModel: Host?
  /// Nil unless a recorder has made the view model.
  @usableFromInline let tap: (any EngineTap)?

  // Only the driver uses these.
  @exclusivity(unchecked) @usableFromInline var machine = Machine<Action, State>()
  /// The view model during a turn, which retains it.
  ///
  /// Unmanaged, because each retain of an object with weak references costs more.
  @exclusivity(unchecked) @usableFromInline var host: Unmanaged<Host>?
  /// The state folded last.
  @exclusivity(unchecked) @usableFromInline var current: Box<State>?
  /// The delivery of a state to the subscribers.
  @exclusivity(unchecked) @usableFromInline var delivery = SubjectDelivery<Box<State>>()
  /// The screens that are resumed.
  @exclusivity(unchecked) @usableFromInline var screens: Set<ScreenID> = []
  /// The number of actions that the machine has taken since the inbox last learned that number.
  @exclusivity(unchecked) @usableFromInline var takenActions: Int32 = 0
  /// The gate, as the driver saw it last.
  @exclusivity(unchecked) @usableFromInline var gate = Outputs<Action, State>.Gate.open
  /// Whether a stream has had a subscriber that emits more than the state for every action, as of the driver's last check of the outputs.
  /// The driver checks them after all user code that it has called.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// Whether the driver is inside the subscription to an effect, and delivers nothing. It handles an event as soon as it arrives then.
  @exclusivity(unchecked) @usableFromInline var isSubscribing = false

  /// The action whose effect the driver is making.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var creating: Run?
  /// The children that have unfinished actions. Nil before the first.
  @exclusivity(unchecked) @usableFromInline var rootNode: ChildNode?

  /// Whether the driver knows that the engine has been closed.
  @inlinable
  var isClosed: Bool { gate == .closed }

  @inlinable
  init(scheduler: any Scheduler) {
    tap = makeTap(Action.self, State.self)
    inbox = Lock(Inbox(scheduler: scheduler.reference, tap: tap))
    outputs = Lock(Outputs())
  }

  /// The state folded last. Nil before there is one, and after the release of the view model.
  @inlinable
  var lastState: Box<State>? {
    outputs.withLock { $0.states.buffer.last }
  }

  /// The state that the calling thread is delivering or has delivered last, if the view model's own work runs on that thread.
  var stateDeliveredHere: Box<State>? {
    inbox.withLock { $0.isDrivenHere } ? lastState : nil
  }

  @inlinable
  var currentState: Box<State> {
    guard let state = lastState else {
      let name = viewModel.map { "\(type(of: $0))" } ?? "\(Host.self)"
      let place = "createInitialState(), which makes it, or createSources(), whose mappers get it"
      fatalError("\(name): currentState was read inside \(place)")
    }
    return state
  }

  /// The scheduler on which the view model works. After `clear`, a scheduler that runs work at once.
  @usableFromInline
  var scheduler: any Scheduler {
    inbox.withLock { $0.scheduler }?.original ?? ImmediateScheduler()
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Box<State>>) -> Result) -> Result {
    outputs.withLock { body(&$0.states) }
  }

  /// The state stream, with the numbers of the states.
  var boxes: Observable<Box<State>> {
    Observable(.subject { [self] in connect($0, $1) })
  }

  /// The state stream. Its replay and its deliveries share the boxes, so that none copies a state.
  @inlinable
  var states: Observable<State> {
    Observable(
      .subject { [self] sink, scope in
        connect(
          { event in
            switch event {
            case .next(let state): Event.withNext(state.value) { Event.borrow($0) { sink($0) } }
            case .error, .completed: sink(.completed)
            }
          }, scope)
      })
  }
}

// MARK: The beginning and the end: the initial state, `clear`, and the end of the view model (contract 2.4, 2.9)

extension Engine {
  /// Makes the initial state, sends it to the subscribers that have subscribed meanwhile, and starts the accepted actions.
  @inlinable
  func open(_ viewModel: Host, with initialState: State?) {
    self.viewModel = viewModel
    var initialState = initialState ?? viewModel.createInitialState()
    if let tap { initialState = tap.open(initialState, isFollowed: false) }
    let sources = viewModel.createSources()
    if !sources.isEmpty { initialState = follow(sources, from: initialState) }
    if let tap { initialState = tap.open(initialState, isFollowed: true) }
    let state = Box(initialState)
    current = state
    let isDelivering = outputs.withLock { outputs in
      if outputs.gate != .closed { return outputs.states.accept(.next(state), &delivery) }
      outputs.states.buffer.last = state
      return false
    }
    if isDelivering { delivery.send(.next(state)) }
    settle(isDelivering: isDelivering)
    let next = inbox.withLock { inbox -> TurnEnd in
      // `close` has left its last turn to this method.
      if inbox.isClosed { return .complete }
      inbox.status = .open
      if inbox.inputs.isEmpty && inbox.cancellations.isEmpty {
        tap?.rest()
        return .idle
      }
      let isStrong = inbox.queuedActions > 0
      if isStrong { inbox.hasStrongTurn = true } else { inbox.hasWeakTurn = true }
      return .reschedule(isStrong: isStrong)
    }
    switch next {
    case .reschedule(let isStrong): schedule(isStrong ? viewModel : nil)
    case .complete: scheduleLastTurn()
    case .continue, .idle: break
    }
  }

  /// Closes the engine, on any thread: from now on it accepts, begins and folds nothing, and a new subscriber only gets a completion.
  /// Disposes the effects on the calling thread. The streams complete on the scheduler.
  @inlinable
  func close() {
    var contents: Inbox<Action, State>?
    var effects: [(id: UInt64, effect: any Disposable)] = []
    var needsTurn = false
    inbox.withLock { inbox in
      if inbox.isClosed { return }
      needsTurn = inbox.driver == nil && inbox.status != .opening
      contents = inbox.close()
      outputs.withLock { effects = $0.close() }
      if inbox.isDrivenHere { gate = .closed }
    }
    if contents != nil { tap?.close() }
    if effects.count > 1 { effects.sort { $0.id < $1.id } }
    for (_, effect) in effects { effect.dispose() }
    contents?.scopes.dispose()
    for case .continuation(let continuation)? in (contents?.awaiting ?? [:]).values {
      continuation.resume(throwing: CancellationError())
    }
    if needsTurn { scheduleLastTurn() }
  }

  /// Inlinable, because the whole turn is specialized where the closure that takes it is made.
  @inlinable
  func scheduleLastTurn() {
    guard let scheduler = inbox.withLock({ $0.scheduler.take() }) else { return }
    // A dispatch queue runs all its work. Another scheduler may release the turn without running it, when it is released itself.
    // A closure that captures nothing but the engine is not allocated.
    if scheduler is DispatchQueue { return scheduler.schedule { [self] in turn(viewModel, isStrong: false) } }
    let drop = AtRelease { [self] in releaseStreams() }
    scheduler.schedule { [self] in
      turn(viewModel, isStrong: false)
      withExtendedLifetime(drop) {}
    }
  }

  /// Completes the streams, in the last turn, and releases the remaining objects.
  @inlinable
  func complete() {
    gate = .closed
    let streams = releaseRuns()
    // The loading streams emit false before any stream completes.
    streams.loading?.complete()
    on(.completed)
    for stream in streams.all { stream.complete() }
  }

  /// Releases what the machine and the tables hold. Returns the streams.
  @inlinable
  func releaseRuns() -> Streams<Action, State> {
    var last = Machine<Action, State>()
    var runs: [Run] = []
    swap(&last, &machine)
    let streams = outputs.withLock { outputs in
      swap(&runs, &outputs.runs)
      return outputs.streams
    }
    for run in runs {
      _ = closePort(of: run, .cancelled)
      run.lane = nil
      // A subscriber of the loading streams may be asking for the child, which is released after the lock.
      var binding = Run.Binding.none
      outputs.withLock { _ in swap(&binding, &run.binding) }
    }
    rootNode.take()?.forget()
    return streams
  }

  /// Releases the subscribers of streams that will not complete, because the scheduler has been released and has dropped the last turn.
  @inlinable
  func releaseStreams() {
    let isOver = inbox.withLock { inbox -> Bool in
      if inbox.status == .ended || inbox.driver != nil { return true }
      inbox.status = .ended
      // Keeps a turn that was scheduled earlier from running meanwhile.
      inbox.driver = .current
      return false
    }
    if isOver { return }
    var subscribers: [Subscriber<Box<State>>?] = []
    let streams = releaseRuns()
    outputs.withLock { $0.states.releaseAll(&subscribers) }
    inbox.withLock { $0.driver = nil }
    for stream in streams.all { stream.releaseAll() }
  }

  /// Releases the last state, which no reader can access any more.
  @inlinable
  func releaseState() {
    current = nil
    _ = outputs.withLock { $0.states.buffer.last.take() }
  }
}

/// The overrides that the engine calls on a view model.
@usableFromInline
protocol EngineHost<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable

  func createInitialState() -> State
  func createSources() -> [Observable<StateMapper<State>>]
  func child(for action: Action) -> ChildAction<Action, State>?
  func createObservable(_ action: Action) -> Observable<StateMapper<State>>
  func showSpinner(_ action: Action) -> Bool
  func executionMode(for action: Action) -> ExecutionMode
  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>?
  func handleError(_ error: any Error, action: Action?) -> Bool
  func diagnose(_ diagnostic: Diagnostic<Action>)
  func onResume(_ scope: DisposeBag)
  func onPause()
}
