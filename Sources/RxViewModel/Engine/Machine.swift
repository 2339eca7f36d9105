/// What a view model has to do next: a state machine without locks, threads or user code.
///
/// The ``Engine`` asks ``next()`` for a step, does it with no lock held, and tells the machine what came of it. User code that a
/// step runs only ever appends to the machine's queues, so nothing of a view model happens inside something else (contract 2.3).
///
/// The queues in the order in which ``next()`` looks at them, and what is therefore true:
///
/// | queue           | holds                                             | invariant                                                |
/// |-----------------|---------------------------------------------------|----------------------------------------------------------|
/// | `ends`          | runs whose end has to be carried out              | no cancellation is looked at while an end waits          |
/// | `cancellations` | requests to cancel                                | none waits when a mapper is called, committed, or begun  |
/// | `folding`       | the run whose mapper has returned a state         | at most one; it is committed before another event        |
/// | `finishing`     | the run that has completed or failed              | at most one; a cancellation that waits comes before it   |
/// | `events`        | what the view model's own work has sent           | none waits when an action begins or a lane advances      |
/// | `releasing`     | a run that has become first in the ordered lane   | its held events precede every later event of its own     |
/// | `beginning`     | the run that is being begun                       | at most one                                              |
/// | `jobs`          | what follows an end or an admission               | none waits when an input is taken                        |
/// | `inputs`        | actions, and what comes from elsewhere            | the machine takes `allowance` of them in a turn          |
///
/// A turn takes `cancellationAllowance` requests to cancel, too. It leaves others to the next turn if nothing else is in hand.
///
/// A method that runs while the machine is being changed drops nothing of the user's: it hands it to the driver.
@usableFromInline
struct Machine<Action: Sendable, State: Sendable>: ~Copyable {
  @usableFromInline typealias Run = ActionRun<Action, State>
  @usableFromInline typealias Lane = ActionLane<Action, State>
  @usableFromInline typealias Mapper = StateMapper<State>

  @usableFromInline
  enum Step {
    /// Carry out the end of the first of `ends`.
    case end
    /// Ask the first of `cancellations` which actions it means.
    case cancel
    /// Make the state that the mapper of `folding` has returned the current one, and send it.
    case commit
    /// Put the end of `finishing` on the agenda.
    case finish
    /// Handle the first of `events`.
    case receive
    /// Handle the first event that `releasing` has held.
    case release
    /// Find a place for `beginning`, whose mode and spinner are known.
    case admit
    /// Announce the start of `beginning`.
    case begin
    /// Ask for the effect of `beginning`.
    case create
    /// Subscribe to the effect of `beginning`.
    case subscribe
    /// Count the run that the first of `jobs` names as loading no more.
    case settle
    /// Take the first of `inputs`.
    case input
    /// Nothing is left to do in this turn.
    case rest
  }

  /// How far the run in `beginning` has come.
  @usableFromInline
  enum Beginning {
    case asked, admitted, announced, created
  }

  @usableFromInline
  enum Job {
    /// The first run of the lane has changed: begin it, or release what it has held.
    case advance(Lane)
    /// What waited for the run has begun.
    case settle(Run)
  }

  /// A request to cancel.
  @usableFromInline
  enum Cancellation {
    case one(Run)
    /// Accepted ones, in the order of acceptance.
    case several([Run])
    /// Those of the actions accepted so far that match.
    case matching(@Sendable (Action) -> Bool, upTo: UInt64)
  }

  @usableFromInline var ends = Queue<Run>()
  @usableFromInline var cancellations = Queue<Cancellation>()
  @usableFromInline var folding: Run?
  @usableFromInline var finishing: Run?
  @usableFromInline var events = Queue<(run: Run, event: Event<Mapper>)>()
  @usableFromInline var releasing: Run?
  @usableFromInline var beginning: Run?
  @usableFromInline var jobs = Queue<Job>()
  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  @usableFromInline var lanes = Lanes()
  @usableFromInline var allowance: Int32 = 0
  @usableFromInline var cancellationAllowance: Int32 = 0
  @usableFromInline var beginningStage = Beginning.asked

  @inlinable
  init() {}

  /// The next step. The engine does it before it calls this again.
  @inlinable
  mutating func next() -> Step {
    while true {
      if cancellationAllowance <= 0, !cancellations.isEmpty, isAtRest { return .rest }
      if let step = nextInside() { return step }
      if beginning != nil {
        switch beginningStage {
        case .asked: return .admit
        case .admitted: return .begin
        case .announced: return .create
        case .created: return .subscribe
        }
      }
      guard let job = jobs.first else { break }
      guard case .advance(let lane) = job else { return .settle }
      // A dropped action ends first, and the job goes on with the next one.
      if let first = lane.first, first.stage == .waiting, first.isDropped {
        end(first, .dropped)
      } else {
        _ = jobs.popFirst()
        advance(lane)
      }
    }
    return allowance > 0 && !inputs.isEmpty ? .input : .rest
  }

  /// The next step that may be done while the engine subscribes to an effect (contract 2.3). Nil if there is none.
  @inlinable
  mutating func nextInside() -> Step? {
    if !ends.isEmpty { return .end }
    if !cancellations.isEmpty { return .cancel }
    if folding != nil { return .commit }
    if finishing != nil { return .finish }
    if !events.isEmpty { return .receive }
    guard let run = releasing else { return nil }
    if !run.held.isEmpty { return .release }
    releasing = nil
    return nextInside()
  }

  /// Whether nothing is in hand, though cancellations and inputs may wait.
  @inlinable
  var isAtRest: Bool {
    ends.isEmpty && folding == nil && finishing == nil && events.isEmpty && releasing == nil && beginning == nil
      && jobs.isEmpty
  }

  /// Whether nothing has been asked for that comes before a state that a mapper has returned.
  @inlinable
  var mayCommit: Bool {
    ends.isEmpty && cancellations.isEmpty
  }

  /// Whether nothing has been asked for that comes before the action in hand.
  @inlinable
  var isUndisturbed: Bool {
    ends.isEmpty && cancellations.isEmpty && events.isEmpty
  }
}

// MARK: Admission and lanes (contract: the table of modes)

extension Machine {
  /// Takes a run in hand, to be asked about, or because its turn in its lane has come.
  @inlinable
  mutating func begin(_ run: Run, _ stage: Beginning) {
    beginning = run
    beginningStage = stage
  }

  /// Finds a place for the run in hand. True if it stays in hand, to be begun.
  @inlinable
  mutating func admit(_ run: Run) -> Bool {
    let mode = run.mode!
    beginningStage = .admitted
    run.stage = .waiting
    if run.isDropped {
      end(run, .dropped)
      return false
    }
    if mode.kind == .parallel { return true }
    let lane = lanes.lane(for: mode)
    let isBusy = !lane.isEmpty
    switch mode.kind {
    case .dropWhileBusy where isBusy:
      end(run, .dropped)
      return false
    case .switchLatest where isBusy:
      // The run takes its place before the earlier ones end, and begins when their ends have been announced.
      for earlier in lane.runs { end(earlier, .cancelled) }
    default: break
    }
    lane.append(run)
    let waits =
      switch mode.kind {
      case .parallelDeferred, .sequence: isBusy
      default: mode.quiet != nil
      }
    if waits { beginning = nil }
    return !waits
  }

  /// The quiet time of a run is over.
  @inlinable
  mutating func quietTimeIsOver(for run: Run) {
    if run.stage == .waiting { begin(run, .admitted) }
  }

  /// Whether the run's mappers wait for those of earlier actions.
  @inlinable
  func isHeld(_ run: Run) -> Bool {
    guard let lane = run.lane, run.mode!.kind == .parallelOrdered else { return false }
    return lane.first !== run || !run.held.isEmpty
  }

  /// Something at the head of the lane has ended.
  @inlinable
  mutating func advance(_ lane: Lane) {
    guard let first = lane.first else { return }
    switch first.stage {
    case .waiting:
      if first.mode!.quiet != nil { return }
      begin(first, .admitted)
    case .started:
      if !first.held.isEmpty { releasing = first }
    case .queued, .ending, .over: break
    }
  }
}

// MARK: Ends

extension Machine {
  /// Puts the end of a run on the agenda, unless it is there already.
  @inlinable
  mutating func end(_ run: Run, _ outcome: Run.Outcome) {
    if run.stage == .ending || run.stage == .over { return }
    run.stage = .ending
    run.outcome = outcome
    ends.append(run)
  }

  /// A run has completed or failed. Its end goes on the agenda when the cancellations that wait have been looked at.
  @inlinable
  mutating func finish(_ run: Run, _ outcome: Run.Outcome) {
    run.outcome = outcome
    finishing = run
  }

  /// The end of a run has been carried out: what it was in the way of goes on, and then it is settled.
  @inlinable
  mutating func hasEnded(_ run: Run) {
    run.stage = .over
    if folding === run { folding = nil }
    if finishing === run { finishing = nil }
    if releasing === run { releasing = nil }
    if beginning === run { beginning = nil }
    leaveLane(run)
    if run.hasStarted { jobs.append(.settle(run)) }
  }

  @inlinable
  mutating func leaveLane(_ run: Run) {
    guard let lane = run.lane else { return }
    let wasFirst = lane.remove(run)
    if lane.isEmpty { lanes.remove(lane) } else if wasFirst { jobs.append(.advance(lane)) }
  }
}
