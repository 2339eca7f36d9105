// How the engine gets its turns on the scheduler, and what it does in a turn: one step after the other.

extension Engine {
  /// Schedules a turn, after `done` steps of the turn under way. Inside the `deinit` of the view model, nothing may retain the view model,
  /// so this closes the engine instead and returns false.
  @inlinable
  @discardableResult
  func schedule(_ turn: Turn, after done: Int = 0) -> Bool {
    guard let viewModel else {
      close()
      return false
    }
    guard var scheduler = shared.withLock({ $0.held.scheduler }) else { return true }
    // A `MainScheduler` runs work synchronously until a turn's worth has been done.
    if done > 0, let main = scheduler as? MainScheduler { scheduler = main.yielding(after: done) }
    if turn == .strong {
      scheduler.schedule { viewModel.engine.turn(viewModel) }
    } else {
      scheduler.schedule { [self] in if let viewModel = self.viewModel { self.turn(viewModel) } }
    }
    return true
  }

  /// Takes a turn. If another thread is the driver, that one does this turn's work.
  @inlinable
  func turn(_ viewModel: ViewModel) {
    let isDriver = shared.withLock { shared -> Bool in
      shared.scheduled = .unneeded
      if shared.driver != nil || shared.isClosed { return false }
      shared.driver = .current
      renew(shared)
      return true
    }
    if isDriver { drive(viewModel) }
  }

  /// Does what waits. If the scheduler then runs the next turn synchronously, does that turn too.
  @inlinable
  func drive(_ viewModel: ViewModel) {
    repeat {
      inside(0) {
        while budget > 0 {
          switch step(isInside: false) {
          case .none: return
          case .job: doJob(viewModel)
          case .input(let input): take(input, viewModel)
          case .done, .event, .end: break
          }
        }
      }
    } while finishTurn()
  }

  /// Begins a turn: it takes the inputs that are there now.
  @inlinable
  func renew(_ shared: borrowing EngineState<Action, State>) {
    (budget, quota) = (1_024, shared.held.inputs.count)
  }

  @usableFromInline
  enum Step {
    case none, event, job, done
    case end(Run, Outcome)
    case input(EngineInput<Action, State>)
  }

  /// Finds the next step. See the table of ``Engine``.
  @inlinable
  func next(_ shared: inout EngineState<Action, State>, isInside: Bool) -> Step {
    if shared.isClosed { return .none }
    look(&shared)
    isObserved = shared.streams.isObserved
    if !shared.held.ends.isEmpty, let (run, outcome) = shared.held.ends.popFirst() {
      run.stage = .over
      return .end(run, outcome)
    }
    if !events.isEmpty { return .event }
    if isInside { return .none }
    if !jobs.isEmpty { return .job }
    // Not counted, because how often a turn finds nothing depends on the scheduler.
    if tap != nil { looks -= 1 }
    guard quota > 0, var input = shared.held.inputs.popFirst() else { return .none }
    quota -= 1
    if input.keepsAlive { shared.queued -= 1 }
    if case .plain(let id, let action) = input { input = .action(shared.makeRun(id, action)) }
    switch input {
    case .action(let run): run.stage = run.isEnding ? .over : .taken
    case .event(let run, _):
      run.waitingEvents -= 1
      if run.stage == .over { return .done }
    case .quiet(let run): if run.stage != .waiting { return .done }
    case .plain, .failure, .call, .resume, .pause: break
    }
    looks = 0
    tap?.take(input.tapped, in: current!)
    return .input(input)
  }

  /// Does the next step. Returns a job or an input instead of doing it, because neither may run inside the subscription to an effect.
  @inlinable
  func step(isInside: Bool) -> Step {
    budget -= 1
    let step = shared.withLock { next(&$0, isInside: isInside) }
    switch step {
    case .none, .job, .input, .done: return step
    case .end(let run, let outcome): end(run, outcome)
    case .event: if let (run, event) = events.popFirst() { receive(run, event) }
    }
    return .done
  }

  @inlinable
  func take(_ input: EngineInput<Action, State>, _ viewModel: ViewModel) {
    switch input {
    case .plain: break
    case .action(let run): begin(run, viewModel)
    case .event(let run, let event): receive(run, event)
    case .quiet(let run):
      jobs.append((run.lane, nil))
      start(run, viewModel)
    case .failure(let error): report(error, of: nil)
    case .call(let body): body()
    case .resume(let screen): resume(screen, viewModel)
    case .pause(let screen): pause(screen, viewModel)
    }
  }

  /// Starts the next action of a lane. If none can start, releases the events that an ordered action has held, and the run that has ended.
  @inlinable
  func doJob(_ viewModel: ViewModel) {
    guard let (lane, run) = jobs.first else { return }
    if let next = lane?.candidate { return next.isDropped ? finish(next, .dropped) : start(next, viewModel) }
    _ = jobs.popFirst()
    if let first = lane?.first, first.stage == .started {
      while let event = first.held.popFirst() { events.append((first, event)) }
    }
    if let run { release(run) }
  }

  /// Stops counting an ended run as loading.
  @inlinable
  func release(_ run: Run) {
    let wasLoading = run.isLoading
    shared.withLock { shared in
      if shared.isClosed { return }
      run.isLoading = false
      shared.remove(run)
      isObserved = shared.streams.isObserved
    }
    if wasLoading, run.showsSpinner || isObserved { emit((run.id, run, false)) { $0.loading } }
  }

  /// Ends the turn, and schedules another one if something waits. Returns true if this thread has to do that one itself, because the
  /// scheduler has run it synchronously and it has found this thread at work.
  @inlinable
  func finishTurn() -> Bool {
    let done = 1_024 - budget
    let turn = shared.withLock { shared -> Turn in
      if shared.isClosed { return .refused }
      let isDone = shared.held.ends.isEmpty && events.isEmpty && jobs.isEmpty
      shared.driver = nil
      if isDone { tap?.rest(in: current!) }
      if isDone, shared.held.inputs.isEmpty { return .unneeded }
      let next = shared.turn(isDone && shared.queued == 0 ? .weak : .strong)
      if next > .unneeded { shared.driver = .current }
      return next
    }
    switch turn {
    case .weak, .strong: schedule(turn, after: done)
    case .unneeded: return false
    case .refused:
      inside(0) { complete() }
      shared.withLock { $0.driver = nil }
      return false
    }
    return shared.withLock { shared in
      if shared.scheduled != .unneeded, !shared.isClosed {
        shared.driver = nil
        return false
      }
      renew(shared)
      return true
    }
  }
}
