/// Turns accepted actions into folded states: the driver of a ``Machine``.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a scheduled turn holds the view model while actions wait for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// A turn runs on the scheduler. It asks the machine for one step after the other, and does each step with no lock held. Only a turn calls
/// user code. Three owners share the state. Senders append to the `inbox`. Readers read the `outputs`. The thread that takes the turn, the
/// *driver*, owns everything else. A thread that holds both locks has taken that of the inbox first.
@usableFromInline
// Sendable: the two locks guard what senders and readers share. One turn at a time uses everything else.
final class Engine<Host: EngineHost>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Action = Host.Action
  @usableFromInline typealias State = Host.State
  @usableFromInline typealias Element = State
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Run = ActionRun<Action, State>
  @usableFromInline typealias ActivityChange = Activity<Action>
  @usableFromInline typealias Phase = Execution<Action, State>.Phase

  /// What the driver is doing. This decides whether the driver handles an effect's event as soon as it arrives.
  @usableFromInline
  enum DriverState {
    case working
    /// The driver is inside the subscription to an effect, and delivers nothing.
    case subscribing
  }

  @usableFromInline let inbox: Lock<Inbox<Action, State>>
  @usableFromInline let outputs: Lock<Outputs<Action, State>>
  @usableFromInline weak var viewModel: Host?

  // Only the driver uses these.
  @exclusivity(unchecked) @usableFromInline var machine = Machine<Action, State>()
  /// The view model during a turn, which retains it.
  ///
  /// Unmanaged, because each retain of an object with weak references costs more.
  @exclusivity(unchecked) @usableFromInline var host: Unmanaged<Host>?
  /// The state folded last, and the state that the mapper of `machine.folding` has returned. Only the driver replaces
  /// the current state, under the lock of the outputs, so it may read the state without the lock.
  @usableFromInline let latest = LatestElement<State>.make()
  /// The delivery of a state to the subscribers.
  @exclusivity(unchecked) @usableFromInline var delivery = Delivery<State>()
  /// A run that has ended silently, and that is still in the table of the outputs.
  @exclusivity(unchecked) @usableFromInline var finished: Run?
  /// A run that the engine keeps to use again.
  @exclusivity(unchecked) @usableFromInline var spare: Run?
  /// The screens that are resumed.
  @exclusivity(unchecked) @usableFromInline var screens: Set<ScreenID> = []
  /// The number of unfinished actions with a spinner.
  @exclusivity(unchecked) @usableFromInline var spinning: Int32 = 0
  /// The number of actions that the machine has taken since the inbox last learned that number.
  @exclusivity(unchecked) @usableFromInline var takenActions: Int32 = 0
  // These share one word of memory.
  @exclusivity(unchecked) @usableFromInline var driverState = DriverState.working
  /// Whether `delivery` is under way.
  @exclusivity(unchecked) @usableFromInline var isDelivering = false
  /// Whether a stream has had a subscriber that emits more than the state for every action.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// Whether the inbox has cancellations that the machine has not received yet.
  @exclusivity(unchecked) @usableFromInline var isInterrupted = false
  /// Whether the driver knows that the engine has been closed.
  @exclusivity(unchecked) @usableFromInline var isClosed = false

  @inlinable
  init(scheduler: any Scheduler) {
    inbox = Lock(Inbox(scheduler: scheduler.reference))
    outputs = Lock(Outputs(latest))
  }

  /// The state folded last. Nil before there is one, and after the release of the view model.
  @inlinable
  var lastState: State? {
    outputs.withLock { $0.states.buffer.last }
  }

  @inlinable
  var currentState: State {
    guard let state = lastState else {
      let name = viewModel.map { "\(type(of: $0))" } ?? "\(Host.self)"
      fatalError("\(name): currentState was read inside createInitialState(), which makes it")
    }
    return state
  }

  /// The scheduler on which the view model works. After `clear`, a scheduler that runs work at once.
  @usableFromInline
  var scheduler: any Scheduler {
    inbox.withLock { $0.scheduler }?.original ?? ImmediateScheduler()
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<State>) -> Result) -> Result {
    outputs.withLock { body(&$0.states) }
  }

  /// Continues a replay on the scheduler, where the streams emit (contract 2.1), after the work that waits there (1.10).
  @usableFromInline
  func continueReplay(_ work: @escaping @Sendable () -> Void) {
    if let scheduler = inbox.withLock({ $0.scheduler }) {
      ((scheduler as? MainScheduler)?.waiting ?? scheduler).schedule(work)
    } else {
      continueOnGlobalQueue(work)
    }
  }

  /// The data that one loop carries from one step to the next.
  @usableFromInline
  struct Hand: ~Copyable {
    /// The effect of the machine's `beginning`.
    @usableFromInline var effect: Observable<Mapper>?
    /// The mapper of `stateMapper(for:action:)` for the machine's `finishing`.
    @usableFromInline var failureMapper: Mapper?

    @inlinable
    init() {}
  }

  /// Does one step after the other, until the turn has nothing left to do or the engine is closed.
  ///
  /// - Parameter isInside: Whether the caller is inside the subscription to an effect. If so, the engine only handles events that the view
  ///   model's own work has sent.
  @inlinable
  func work(isInside: Bool = false) {
    var hand = Hand()
    while !isClosed {
      if isInterrupted { takeCancellations() }
      guard let step = isInside ? machine.nextInside() : machine.next() else { return }
      switch step {
      case .end: end()
      case .cancel: cancel()
      case .commit: commit()
      case .finish: finish(&hand)
      case .receive: receive()
      case .release: release()
      case .admit: admit(machine.beginning!, machine.beginning!.action, &hand)
      case .begin: begin(machine.beginning!, machine.beginning!.action, &hand)
      case .create: create(machine.beginning!, machine.beginning!.action, &hand)
      case .subscribe: subscribe(machine.beginning!, &hand)
      case .stopLoading: stopLoading()
      case .input: takeInput(&hand)
      case .rest: return
      }
    }
  }
}
