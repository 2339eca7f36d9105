/// Decides what a view model does next: a state machine without locks, threads or user code.
///
/// The ``Engine`` asks ``next()`` for a step, does the step with no lock held, and reports the result to the machine.
/// User code that a step runs can only append to the machine's queues. So nothing of a view model happens inside
/// something else (contract 2.3).
///
/// The queues, in the order in which ``next()`` looks at them, and the invariant of each:
///
/// | queue           | holds                                    | invariant                                           |
/// |-----------------|------------------------------------------|-----------------------------------------------------|
/// | `ends`          | runs that the engine has yet to end      | no cancellation is handled while an end waits       |
/// | `cancellations` | requests to cancel                       | none waits when a fold, a commit or a begin starts  |
/// | `folding`       | the run whose mapper returned a state    | at most one; it is committed before another event   |
/// | `finishing`     | the run that has completed or failed     | at most one; waiting cancellations come before it   |
/// | `events`        | events from the view model's own work    | none waits when an action begins or a lane advances |
/// | `releasing`     | the run now first in the ordered lane    | its held events precede its later events            |
/// | `beginning`     | the run that is beginning                | at most one                                         |
/// | `jobs`          | work that follows an end or an admission | none waits when an input is taken                   |
/// | `inputs`        | actions, and events from elsewhere       | a turn takes at most `allowance` of them            |
///
/// A turn also takes at most `cancellationAllowance` requests to cancel. If no other step is unfinished, it leaves the others to the next
/// turn.
///
/// A method that changes the machine releases nothing of the user's: it hands such values to the driver.
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
    /// Make the state that the mapper of `folding` has returned the current one, and emit it.
    case commit
    /// Add the run in `finishing` to `ends`.
    case finish
    /// Handle the first of `events`.
    case receive
    /// Handle the first event that `releasing` has held.
    case release
    /// Find a place for `beginning`. The engine has asked for its mode and its spinner.
    case admit
    /// Announce the start of `beginning`.
    case begin
    /// Ask for the effect of `beginning`.
    case create
    /// Subscribe to the effect of `beginning`.
    case subscribe
    /// Stop counting the run that the first of `jobs` names as loading.
    case stopLoading
    /// Take the first of `inputs`.
    case input
    /// Nothing is left to do in this turn.
    case rest
  }

  /// The stage that the run in `beginning` has reached.
  @usableFromInline
  enum Beginning {
    case asked, admitted, announced, created
  }

  @usableFromInline
  enum Job {
    /// The first run of the lane has changed. The machine begins it, or releases the events that it has held.
    case advance(Lane)
    /// The actions that waited for the run have begun.
    case stopLoading(Run)
  }

  /// A request to cancel.
  @usableFromInline
  enum Cancellation {
    case one(Run)
    /// Accepted runs, in the order of acceptance.
    case several([Run])
    /// The matching actions among those accepted so far.
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

  /// Returns the next step. The engine does the step before it calls this again.
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
      guard case .advance(let lane) = job else { return .stopLoading }
      // A dropped action ends first. Then the same job handles the next one.
      if let first = lane.first, first.stage == .waiting, first.isDropped {
        end(first, .dropped)
      } else {
        _ = jobs.popFirst()
        advance(lane)
      }
    }
    return allowance > 0 && !inputs.isEmpty ? .input : .rest
  }

  /// Returns the next step that the engine may do while it subscribes to an effect (contract 2.3), or nil if there is
  /// none.
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

  /// Whether the machine has no unfinished step. Cancellations and inputs may wait.
  @inlinable
  var isAtRest: Bool {
    ends.isEmpty && folding == nil && finishing == nil && events.isEmpty && releasing == nil && beginning == nil
      && jobs.isEmpty
  }

  /// Whether the state that a mapper has returned may be committed: nothing that comes before it waits.
  @inlinable
  var mayCommit: Bool {
    ends.isEmpty && cancellations.isEmpty
  }

  /// Whether the current action may continue: nothing that comes before it waits.
  @inline(__always)
  @inlinable
  var isUndisturbed: Bool {
    ends.isEmpty && cancellations.isEmpty && events.isEmpty
  }
}

// MARK: Admission and lanes (contract: the table of modes)

extension Machine {
  /// Makes a run the current one, either to ask for its mode and spinner, or because its turn in its lane has come.
  @inlinable
  mutating func begin(_ run: Run, _ stage: Beginning) {
    beginning = run
    beginningStage = stage
  }

  /// Finds a place for the current run. Returns true if the run begins now.
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
      // The run takes its place before the earlier ones end, and begins after the streams have announced their ends.
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

  /// Begins a run whose quiet time is over.
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

  /// Moves the lane on, after its first run has ended.
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
  /// Adds a run to `ends`, unless it is there or has ended already.
  @inlinable
  mutating func end(_ run: Run, _ outcome: Run.Outcome) {
    if run.stage == .ending || run.stage == .over { return }
    run.stage = .ending
    run.outcome = outcome
    ends.append(run)
  }

  /// Records that a run has completed or failed. The run enters `ends` after the waiting cancellations.
  @inlinable
  mutating func finish(_ run: Run, _ outcome: Run.Outcome) {
    run.outcome = outcome
    finishing = run
  }

  /// Records that the engine has carried out the end of a run. First the runs that waited for it continue. Then it stops counting as
  /// loading.
  @inlinable
  mutating func hasEnded(_ run: Run) {
    run.stage = .over
    if folding === run { folding = nil }
    if finishing === run { finishing = nil }
    if releasing === run { releasing = nil }
    if beginning === run { beginning = nil }
    leaveLane(run)
    if run.hasStarted { jobs.append(.stopLoading(run)) }
  }

  @inlinable
  mutating func leaveLane(_ run: Run) {
    guard let lane = run.lane else { return }
    let wasFirst = lane.remove(run)
    if lane.isEmpty { lanes.remove(lane) } else if wasFirst { jobs.append(.advance(lane)) }
  }
}
