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
/// | `folding`       | the step at which a fold has been put aside | at most one; it comes before another event       |
/// | `events`        | events from the view model's own work    | none waits when an action begins or a lane advances |
/// | `releasing`     | the run now first in the ordered lane    | its held events precede its later events            |
/// | `beginning`     | the step at which a begin has been put aside | at most one                                     |
/// | `jobs`          | work that follows an end or an admission | none waits when an input is taken                   |
/// | `inputs`        | actions, and events from elsewhere       | a turn takes the inputs that were there at its begin |
///
/// A turn handles at most 1,024 requests to cancel. After these, the others no longer come before a fold or a begin (contract 2.11), but
/// for the requests that were there when the turn began: before them no input is taken, and no lane goes on. Inputs, held events and lanes
/// that advance share another 1,024. A turn ends at most 1,024 actions; the consequences of the other ends wait with them. The rest waits
/// for the next turn (contract 1.10). A turn may end between any two steps.
///
/// A method that changes the machine releases nothing of the user's: it hands such values to the driver.
@usableFromInline
struct Machine<Action: Sendable, State: Sendable>: ~Copyable {
  @usableFromInline typealias Run = EngineRun<Action, State>
  @usableFromInline typealias Lane = ActionLane<Action, State>
  @usableFromInline typealias Mapper = StateMapper<State>
  @usableFromInline typealias Outcome = RunOutcome

  @usableFromInline
  enum Step {
    /// Carry out the end of the first of `ends`.
    case end
    /// Ask the first of `cancellations` which actions it means.
    case cancel
    /// Continue with `folding`.
    case fold
    /// Handle the first of `events`.
    case receive
    /// Handle the first event that `releasing` has held.
    case release
    /// Continue with `beginning`.
    case begin
    /// Stop counting the run that the first of `jobs` names as loading.
    case stopLoading
    /// Take the first of `inputs`.
    case input
    /// Nothing is left to do in this turn.
    case finishTurn
  }

  /// The steps from a mapper to the end of its run.
  @usableFromInline
  enum Folding {
    /// Call the mapper with the current state.
    case fold(Mapper, FoldEnd)
    /// Make the state that the mapper has returned the current one, and emit it.
    case commit(Box<State>, FoldEnd)
    /// Ask a level of the run's child for a mapper for the error. Those below have none.
    case askForErrorMapper(any Error, at: Int)
    /// End the run.
    case finish(Outcome)
  }

  /// The step after a fold.
  @usableFromInline
  enum FoldEnd {
    case more
    /// The effect sends nothing more.
    case completes
    /// The mapper is that of a source.
    case ofSource
    /// The fold is that of `stateMapper(for:action:)`.
    case fails(any Error)

    /// Whether the action ends with the fold.
    @inlinable
    var isLast: Bool {
      switch self {
      case .completes, .fails: true
      case .more, .ofSource: false
      }
    }
  }

  /// The steps from an accepted action to its running effect.
  @usableFromInline
  enum Beginning {
    /// Bind the run to the instance of this child, or to the view model itself.
    case bind(ChildAction<Action, State>?)
    /// Ask for the mode and the spinner of the run.
    case askForMode
    /// Find a place for the run.
    case admit
    /// Announce the start of the run.
    case announce
    /// Ask for the effect of the run.
    case create
    /// Subscribe to the effect.
    case subscribe(Observable<Mapper>)
  }

  @usableFromInline
  enum Job {
    /// A run has started or left the lane: others may start, or the events that the first one has held may be released.
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
    /// The matching actions among those accepted so far. Some of them have been asked about already.
    case matching(@Sendable (Action) -> Bool, upTo: UInt64, [Answer])
  }

  @usableFromInline typealias Answer = (run: Run, isMatch: Bool)

  @usableFromInline var ends = Queue<(run: Run, outcome: Outcome)>()
  @usableFromInline var cancellations = Queue<Cancellation>()
  @usableFromInline var folding: (run: Run, step: Folding)?
  /// An event from elsewhere is here if one from the view model's own work has taken it along.
  @usableFromInline var events = Queue<(run: Run, event: Event<Mapper>, isFromOutside: Bool)>()
  @usableFromInline var releasing: Run?
  @usableFromInline var beginning: (run: Run, step: Beginning)?
  @usableFromInline var jobs = Queue<Job>()
  @usableFromInline var inputs = Queue<EngineInput<Action, State>>()
  /// The lanes that have unfinished actions.
  @usableFromInline var lanes: [Lane.Key: Lane] = [:]
  /// The number of inputs that this turn may take.
  @usableFromInline var waiting = 0
  /// The number of `cancellations` that were there when a turn began. They come before the inputs that waited then.
  @usableFromInline var backlog = 0
  @usableFromInline var allowance = Allowance()
  /// The work of this turn that the scheduler has counted.
  @usableFromInline var counted = 0

  /// The amounts that a turn may still do (contract 1.10).
  @usableFromInline
  struct Allowance {
    /// The amount of each kind that a turn may do.
    @usableFromInline static var full: Int { 1_024 }

    /// Inputs, held events and lanes that advance.
    @usableFromInline var pieces = full
    @usableFromInline var cancellations = full
    @usableFromInline var ends = full
    /// Ended actions that the table no longer keeps.
    @usableFromInline var releases = full

    @inlinable
    init() {}

    /// The remaining amount of the kind of which this turn has done most.
    @inlinable
    var least: Int { min(pieces, cancellations, ends, releases) }
  }

  @inlinable
  init() {}

  /// Returns the next step. The engine does the step before it calls this again.
  ///
  /// - Parameter isInside: Whether the engine is inside the subscription to an effect. Then nothing begins (contract 2.3).
  @inlinable
  mutating func next(isInside: Bool) -> Step {
    while true {
      // A turn cannot end inside a subscription, where an effect may send without end. So the actions do.
      if !ends.isEmpty { return mayEnd || isInside ? .end : .finishTurn }
      if hasUrgentCancellations { return .cancel }
      if folding != nil { return .fold }
      if let first = events.first {
        return first.isFromOutside && allowance.pieces == 0 && !isInside ? .finishTurn : .receive
      }
      if let run = releasing {
        if run.held.isEmpty {
          releasing = nil
          continue
        }
        return allowance.pieces > 0 && backlog == 0 ? .release : .finishTurn
      }
      if isInside { return .finishTurn }
      if beginning != nil { return .begin }
      guard let job = jobs.first else { break }
      guard case .advance(let lane) = job else { return allowance.releases > 0 ? .stopLoading : .finishTurn }
      if lane.candidate == nil, !lane.holdsEvents {
        _ = jobs.popFirst()
        continue
      }
      if allowance.pieces == 0 || backlog > 0 { return .finishTurn }
      allowance.pieces -= 1
      advance(lane)
    }
    return backlog == 0 && waiting > 0 && allowance.pieces > 0 && !inputs.isEmpty ? .input : .finishTurn
  }

  @inlinable
  var isExhausted: Bool { allowance.least == 0 }

  @inlinable
  mutating func renew() {
    (allowance, counted) = (Allowance(), 0)
  }

  /// The amount of work that this turn has done since the last call.
  mutating func takeAmount() -> Int {
    let amount = Allowance.full - allowance.least
    defer { counted = amount }
    return amount - counted
  }

  @inlinable
  mutating func setAside(_ run: Run, _ step: Folding) {
    folding = (run, step)
  }

  @inlinable
  mutating func setAside(_ run: Run, _ step: Beginning) {
    beginning = (run, step)
  }

  /// Whether requests to cancel come before everything but the ends.
  @inlinable
  var hasUrgentCancellations: Bool {
    allowance.cancellations > 0 && !cancellations.isEmpty
  }

  /// Whether the machine has no unfinished step. Cancellations and inputs may wait.
  @inlinable
  var isIdle: Bool {
    ends.isEmpty && folding == nil && events.isEmpty && releasing == nil && beginning == nil && jobs.isEmpty
  }

  /// Whether an action waits for nothing but its turn, or a mapper for the ends before it (contract 2.9). O(n) in the number of lanes, or
  /// in that of jobs and ends if these are fewer.
  @usableFromInline
  var keepsAlive: Bool {
    if beginning != nil || folding?.run.stage == .started { return true }
    if lanes.count < jobs.count + ends.count { return lanes.values.contains { $0.isReady } }
    var seen: Set<ObjectIdentifier> = []
    func isReady(_ lane: Lane?) -> Bool {
      lane.map { seen.insert(ObjectIdentifier($0)).inserted && $0.isReady } ?? false
    }
    return jobs.indices.contains { if case .advance(let lane) = jobs[$0] { isReady(lane) } else { false } }
      || ends.indices.contains { isReady(ends[$0].run.lane) }
  }

  /// Whether this turn may end another action.
  @inlinable
  var mayEnd: Bool { min(allowance.ends, allowance.releases) > 0 }

  /// Whether a fold may continue: nothing that comes before it waits.
  @inline(__always)
  @inlinable
  var mayFold: Bool {
    ends.isEmpty && !hasUrgentCancellations
  }

  /// Whether the current action may continue: nothing that comes before it waits.
  @inline(__always)
  @inlinable
  var mayBegin: Bool {
    mayFold && folding == nil && events.isEmpty && releasing == nil
  }
}

// MARK: Admission and lanes (contract: the table of modes)

extension Machine {
  /// Finds a place for a run. Returns true if the run begins now.
  @inlinable
  mutating func admit(_ run: Run) -> Bool {
    let mode = run.mode!
    run.stage = .waiting
    if run.isDropped {
      end(run, .dropped)
      return false
    }
    if case .parallel = mode.kind {
      run.stage = .started
      return true
    }
    let lane = lane(for: run)
    switch mode.kind {
    case .dropWhileBusy where !lane.isEmpty:
      end(run, .dropped)
      return false
    case .switchLatest:
      // The run takes its place before the earlier ones end, and begins after the streams have announced their ends.
      var next = lane.first
      while let earlier = next {
        end(earlier, .superseded)
        next = earlier.next
      }
    default: break
    }
    lane.append(run)
    let starts = mode.isOrdered || lane.candidate === run
    if starts { run.stage = .started }
    return starts
  }

  /// Begins a run whose quiet time is over.
  @inlinable
  mutating func quietTimeIsOver(for run: Run) {
    if run.stage != .waiting { return }
    begin(run)
    if let lane = run.lane { jobs.append(.advance(lane)) }
  }

  /// Whether the run's mappers wait for those of earlier actions.
  @inlinable
  func isHeld(_ run: Run) -> Bool {
    guard let lane = run.lane, run.mode!.isOrdered else { return false }
    return lane.first !== run || !run.held.isEmpty
  }

  /// Begins a run that has waited.
  @inlinable
  mutating func begin(_ run: Run) {
    run.stage = .started
    beginning = (run, .announce)
  }

  /// Moves a lane on by one step. The first job stays the first while further runs may start.
  @inlinable
  mutating func advance(_ lane: Lane) {
    if let run = lane.candidate {
      // A dropped action ends first. Then the same job handles the next one.
      if run.isDropped { return end(run, .dropped) }
      begin(run)
      if lane.candidate != nil { return }
    } else {
      releasing = lane.first
    }
    _ = jobs.popFirst()
  }
}

// MARK: Ends

extension Machine {
  /// Adds a run to `ends`, unless it is there or has ended already.
  @inlinable
  mutating func end(_ run: Run, _ outcome: Outcome) {
    if run.stage == .ending || run.stage == .over { return }
    run.stage = .ending
    ends.append((run, outcome))
  }

  /// Records that the engine has carried out the end of a run. Returns whether the run counts as loading until other work is done: that of
  /// the view model itself, and the runs that waited for this one.
  ///
  /// - Parameter isDisturbed: Whether there may be requests that come first.
  @inlinable
  mutating func hasEnded(_ run: Run, isDisturbed: Bool) -> Bool {
    run.stage = .over
    if folding?.run === run { folding = nil }
    if releasing === run { releasing = nil }
    if beginning?.run === run { beginning = nil }
    leaveLane(run)
    if !run.isLoading || !isDisturbed && mayFold && isIdle { return false }
    jobs.append(.stopLoading(run))
    return true
  }
}
