/// Turns accepted actions into folded states: the driver of a ``Machine``.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a scheduled turn holds the view model while actions wait for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// A turn runs on the scheduler. It asks the machine for one step after the other and does each with no lock held: this is the
/// only place that calls user code. Three owners share the state: senders append to the `inbox`, readers look at the `outputs`,
/// and the thread that takes the turn, the *driver*, has all the rest to itself. A thread that holds both locks took that of the
/// inbox first.
@usableFromInline
// Sendable: the two locks, and the one turn at a time, as said above.
final class Engine<Host: EngineHost>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Action = Host.Action
  @usableFromInline typealias State = Host.State
  @usableFromInline typealias Element = State
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Run = ActionRun<Action, State>
  @usableFromInline typealias ActivityChange = Activity<Action>
  @usableFromInline typealias Phase = Execution<Action, State>.Phase

  /// What the driver is doing: what decides whether an event of an effect is handled as it comes.
  @usableFromInline
  enum DriverState {
    case working
    /// It is inside the subscription to an effect, and delivers nothing.
    case subscribing
  }

  @usableFromInline let inbox: Lock<Inbox<Action, State>>
  @usableFromInline let outputs: Lock<Outputs<Action, State>>
  @usableFromInline weak var viewModel: Host?

  // The driver's.
  @exclusivity(unchecked) @usableFromInline var machine = Machine<Action, State>()
  /// The view model, while a turn lasts, which holds it.
  ///
  /// Unmanaged: an object with weak references pays for each retain.
  @exclusivity(unchecked) @usableFromInline var host: Unmanaged<Host>?
  /// The state folded last, and the state that a mapper has returned for `machine.folding`. The driver alone replaces the current
  /// one, under the lock of the outputs, so that it may look at it without.
  @usableFromInline let latest = LatestElement<State>.make()
  /// The emission of a state.
  @exclusivity(unchecked) @usableFromInline var delivery = Delivery<State>()
  /// A run that has ended silently, and is still in the table of the outputs.
  @exclusivity(unchecked) @usableFromInline var finished: Run?
  /// A run to be used again.
  @exclusivity(unchecked) @usableFromInline var spare: Run?
  /// The screens that are resumed.
  @exclusivity(unchecked) @usableFromInline var screens: Set<ScreenID> = []
  /// How many started actions with a spinner are unfinished.
  @exclusivity(unchecked) @usableFromInline var spinning: Int32 = 0
  /// How many actions the machine has taken since the inbox was told.
  @exclusivity(unchecked) @usableFromInline var takenActions: Int32 = 0
  // Side by side: they share a word.
  @exclusivity(unchecked) @usableFromInline var driverState = DriverState.working
  /// `delivery` is under way.
  @exclusivity(unchecked) @usableFromInline var isDelivering = false
  /// A stream has had a subscriber that emits more than the state for every action.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// The inbox has cancellations that the machine does not know of.
  @exclusivity(unchecked) @usableFromInline var isInterrupted = false
  /// The driver knows that the engine has been closed.
  @exclusivity(unchecked) @usableFromInline var isClosed = false

  @inlinable
  init(scheduler: any Scheduler) {
    inbox = Lock(Inbox(scheduler: scheduler.reference))
    outputs = Lock(Outputs(latest))
  }

  /// The state folded last; nil before there is one, and once the view model has gone.
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

  /// Where the view model works; once it has been cleared, a scheduler that runs work at once.
  @usableFromInline
  var scheduler: any Scheduler {
    inbox.withLock { $0.scheduler }?.original ?? ImmediateScheduler()
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<State>) -> Result) -> Result {
    outputs.withLock { body(&$0.states) }
  }

  /// On the scheduler, where the streams emit (contract 2.1).
  @usableFromInline
  func continueReplay(_ work: @escaping @Sendable () -> Void) {
    if let scheduler = inbox.withLock({ $0.scheduler }) {
      scheduler.schedule(work)
    } else {
      continueOnGlobalQueue(work)
    }
  }

  /// What one loop has in hand between two steps.
  @usableFromInline
  struct Hand: ~Copyable {
    /// The effect of the machine's `beginning`.
    @usableFromInline var effect: Observable<Mapper>?
    /// What the error of the machine's `finishing` makes of the state.
    @usableFromInline var failureMapper: Mapper?

    @inlinable
    init() {}
  }

  /// Does one step after the other until the turn has nothing left to do, or the engine is closed.
  ///
  /// - Parameter isInside: whether the caller is inside the subscription to an effect. Then only what the view model's own work
  ///   has sent is handled.
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
      case .admit: admit(machine.beginning!, &hand)
      case .begin: begin(machine.beginning!, &hand)
      case .create: create(machine.beginning!, &hand)
      case .subscribe: subscribe(machine.beginning!, &hand)
      case .settle: settle()
      case .input: takeInput(&hand)
      case .rest: return
      }
    }
  }
}
