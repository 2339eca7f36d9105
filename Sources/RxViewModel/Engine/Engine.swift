/// Turns accepted actions into folded states.
///
///     view model ──▶ engine ◀── effects        the effects hold the engine, and the engine holds the effects;
///          ▲           ┊                       a scheduled turn holds the view model as long as actions wait for it;
///          ┊╌╌╌╌╌╌╌╌╌╌╌┊  (weak)               the end of the view model closes the engine, which breaks the circle
///
/// What threads share is in the inbox, under the one lock. Everything else belongs to the drain: to the thread that is
/// working through the inbox, on the scheduler, one at a time even if the scheduler is concurrent.
@usableFromInline
// Sendable: the inbox is locked, and the rest is the drain's, as said above.
final class Engine<Action: Sendable, State: Sendable>: SubjectHost, @unchecked Sendable {
  @usableFromInline typealias Element = State
  @usableFromInline typealias ViewModel = RxViewModel<Action, State>
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias ActionRun = Run<Action, State>
  @usableFromInline typealias ActionRecord = Record<Action, State>
  @usableFromInline typealias Phase = Execution<Action, State>.Phase

  /// What the drain does once the work at hand is done, before it looks into the inbox again.
  @usableFromInline
  enum Job {
    /// Something of this mode's lane has ended: whoever has the turn now begins, or is folded.
    case advance(ExecutionMode)
    /// The action has ended, and what waited for it has begun: it does not count as loading any more.
    case settle(ActionRecord)
    /// The run has ended while another was being ended: one after the other, so that the stack does not grow.
    case end(ActionRun, Phase)
  }

  /// The action that is being begun, or has been answered by `just` and is not finished.
  @usableFromInline
  struct Flight: ~Copyable {
    @usableFromInline var record: ActionRecord
    /// What its mapper produced.
    @usableFromInline var state: State?
    @usableFromInline var isCancelled = false

    @inlinable
    init(_ record: consuming ActionRecord) {
      self.record = record
    }
  }

  @usableFromInline let inbox: Lock<Inbox<Action, State>>
  @usableFromInline weak var viewModel: ViewModel?

  // The drain's.
  /// The view model, as long as a turn lasts: the turn holds it.
  ///
  /// Unmanaged: it is known weakly too, so that each retain would take the slow way.
  @exclusivity(unchecked) @usableFromInline var host: Unmanaged<ViewModel>?
  /// The state folded last.
  @exclusivity(unchecked) @usableFromInline var current: State?
  /// A mapper is being applied, or what it made is being emitted.
  @exclusivity(unchecked) @usableFromInline var isFolding = false
  /// A step of an action is being sent on `executionObservable`.
  @exclusivity(unchecked) @usableFromInline var isAnnouncing = false
  /// What a fold made is to be announced behind the step that is being sent: the fold lasts until then.
  @exclusivity(unchecked) @usableFromInline var isFoldUnannounced = false
  /// An action is being ended.
  @exclusivity(unchecked) @usableFromInline var isEnding = false
  /// The emission of a state.
  @exclusivity(unchecked) @usableFromInline var delivery = Delivery<State>()
  @exclusivity(unchecked) @usableFromInline var isDelivering = false
  /// What effects sent from inside a fold: it follows right after.
  @exclusivity(unchecked) @usableFromInline var nested = Queue<(run: ActionRun, event: Event<Mapper>)>()
  @exclusivity(unchecked) @usableFromInline var agenda = Queue<Job>()
  @exclusivity(unchecked) @usableFromInline var lanes = Lanes<Action, State>()
  @exclusivity(unchecked) @usableFromInline var flight: Flight?
  /// How many started actions with a spinner are unfinished.
  @exclusivity(unchecked) @usableFromInline var spinning = 0
  /// Somebody listens to what every action emits beside the state.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// `clear` has been called on this thread, inside this turn.
  @exclusivity(unchecked) @usableFromInline var isCleared = false

  @inlinable
  init(scheduler: any Scheduler) {
    inbox = Lock(Inbox(scheduler: scheduler))
  }

  /// Takes the view model and its first state; called once, before anything else.
  @inlinable
  func open(_ viewModel: ViewModel, with state: State) {
    self.viewModel = viewModel
    current = state
    inbox.withLock { $0.states.buffer = ReplayBuffer(size: 1, [state]) }
  }
}

// MARK: Turns

extension Engine {
  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<State>) -> Result) -> Result {
    inbox.withLock { body(&$0.states) }
  }

  @inlinable
  func execute(_ action: Action, _ ticket: Ticket<State>?, for viewModel: ViewModel) {
    if inbox.withLock({ $0.accept(action, ticket) }) { schedule(viewModel) }
  }

  /// Accepts the actions together, so that nothing comes between them.
  @usableFromInline
  func execute(batch actions: [Action], for viewModel: ViewModel) {
    let batch = Batch()
    let tickets = actions.map { _ in Ticket<State>(mode: .sequence, batch: batch) }
    let needsTurn = inbox.withLock { inbox in
      zip(actions, tickets).reduce(false) { inbox.accept($1.0, $1.1) || $0 }
    }
    if needsTurn { schedule(viewModel) }
  }

  /// Reports an error that is not an action's, on the scheduler. Cancellation is none (contract 2.6).
  func fail(_ error: any Error) {
    if error is CancellationError { return }
    let needsTurn = inbox.withLock { inbox -> Bool in
      if inbox.isClosed { return false }
      inbox.inputs.append(.failure(error))
      return inbox.needsTurn()
    }
    if needsTurn { schedule() }
  }

  /// Schedules a turn that keeps the view model alive.
  @inlinable
  func schedule(_ viewModel: ViewModel) {
    inbox.withLock { $0.scheduler }?.schedule { viewModel.engine.turn(viewModel, isStrong: true) }
  }

  /// Schedules a turn that does not.
  @inlinable
  func schedule() {
    inbox.withLock { $0.scheduler }?.schedule { [self] in turn(viewModel, isStrong: false) }
  }

  /// Works through the inbox, unless a thread is doing so.
  @inlinable
  func turn(_ viewModel: ViewModel?, isStrong: Bool) {
    let isMine = inbox.withLock { inbox -> Bool in
      if isStrong { inbox.hasStrongTurn = false } else { inbox.hasWeakTurn = false }
      if inbox.drainer != nil { return false }
      inbox.drainer = .current
      host = viewModel.map { .passUnretained($0) }
      return true
    }
    if isMine { drain() }
    withExtendedLifetime(viewModel) {}
  }

  @inlinable
  func drain() {
    while true {
      if flight == nil, !agenda.isEmpty, mayGoOn() {
        perform(agenda.popFirst()!)
        continue
      }
      var input: Input<Action, State>?
      switch next(&input) {
      case .input: handle(input!)
      case .finishFlight: finishFlight()
      case .cancel: cancelMatching()
      case .end: end()
      case .land: break
      case .idle: return
      }
    }
  }

  @usableFromInline
  enum Step {
    case input, finishFlight, land, cancel, end, idle
  }

  /// What is to be done next. Where a flight needs no more than to be forgotten, the lock that ends it also takes the
  /// next input.
  @inlinable
  func next(_ input: inout Input<Action, State>?) -> Step {
    let isFlying = flight != nil
    let hasMore = isFlying && (flight!.record.needsEnd || !nested.isEmpty || !agenda.isEmpty)
    var dropped: [Subscriber<State>?] = []
    var begun: (id: UInt64, action: Action)?
    let step = inbox.withLock { inbox -> Step in
      if isDelivering { finishDelivery(&inbox, &dropped) }
      isObserved = inbox.streams.isObserved
      if inbox.isClosed, !inbox.hasEnded {
        inbox.hasEnded = true
        return .end
      }
      if isFlying, hasMore || isObserved || !inbox.cancellations.isEmpty { return .finishFlight }
      if isFlying { swap(&begun, &inbox.begun) }
      if !inbox.cancellations.isEmpty { return .cancel }
      input = inbox.inputs.popFirst()
      if case .event(let run, _)? = input { run.queued -= 1 }
      if input != nil { return .input }
      if isFlying { return .land }
      inbox.drainer = nil
      host = nil
      return .idle
    }
    if isFlying, step != .finishFlight {
      flight = nil
      isFolding = false
    }
    return step
  }
}
