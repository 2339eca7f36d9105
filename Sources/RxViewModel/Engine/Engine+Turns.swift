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
    guard var scheduler = inbox.withLock({ $0.scheduler }) else { return true }
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
    let isDriver = withBoth { shared, inbox -> Bool in
      inbox.scheduled = .unneeded
      if inbox.driver != nil || inbox.isClosed { return false }
      inbox.driver = .current
      beginTurn(&shared, &inbox)
      return true
    }
    if isDriver { drive(viewModel) }
  }

  /// Takes the inputs that are there now, unless an earlier turn has left some.
  @inlinable
  func beginTurn(_ shared: inout Shared, _ inbox: inout Inbox<Action, State>) {
    budget = 1_024
    if !shared.inputs.isEmpty { return }
    swap(&shared.inputs, &inbox.inputs)
    inbox.queued = 0
  }

  /// Does one step after the other, until the turn ends. If the scheduler runs the next turn synchronously, does that turn too.
  @inlinable
  func drive(_ viewModel: ViewModel) {
    var needed: Turn?
    repeat {
      needed = attributing(to: 0) { work(viewModel) }
      while let turn = needed, turn > .unneeded {
        schedule(turn, after: 1_024 - budget)
        needed = withBoth { shared, inbox in
          if inbox.isClosed { return .refused }
          // The scheduler has run the turn synchronously, and it has found this thread at work.
          if inbox.scheduled == .unneeded {
            beginTurn(&shared, &inbox)
            return nil
          }
          inbox.driver = nil
          // An action that has been accepted meanwhile needs a turn that keeps the view model alive.
          return inbox.queued > 0 ? inbox.drive(.strong) : .unneeded
        }
      }
    } while needed == nil
    if needed == .refused { attributing(to: 0) { complete() } }
  }

  /// Returns the turn that is needed after this one.
  @inlinable
  func work(_ viewModel: ViewModel) -> Turn {
    while true {
      var removed = Removed()
      switch shared.withLock({ next(&$0, &removed) }) {
      case .finish(let turn): return turn
      case .end(let run): announceEnd(of: run, removed)
      case .event: receiveNext()
      case .job: doJob(viewModel)
      case .input: take(removed.input!, viewModel)
      case .outdated: break
      }
    }
  }

  @usableFromInline
  enum Step {
    case event, job
    case end(Run)
    /// The input that is among the removed.
    case input
    /// An event or a timer of an action that has ended.
    case outdated
    /// The turn is over. The caller schedules the one that is needed now.
    case finish(Turn)
  }

  /// Finds the next step: everything that needs the lock between two calls of user code. See the table of ``Engine``.
  @inlinable
  func next(_ shared: inout Shared, _ removed: inout Removed) -> Step {
    if shared.isClosed || budget == 0 { return .finish(endTurn(&shared)) }
    budget -= 1
    shared.subscribing = 0
    isObserved = shared.streams.isObserved
    if let urgent = urgent(&shared, &removed) { return urgent }
    if !jobs.isEmpty { return .job }
    guard let input = shared.inputs.popFirst()?.withRun else { return .finish(endTurn(&shared)) }
    removed.input = input
    switch input {
    case .action(let run):
      shared.add(run)
      if case nil = run.outcome { run.stage = .taken } else { run.beginEnd(&removed) }
    case .event(let run, _):
      run.taken &+= 1
      if run.stage.isOver { return .outdated }
    case .quiet(let run):
      if run.stage != .debouncing { return .outdated }
    case .plain, .flush, .failure, .call, .resume, .pause: break
    }
    if let tap { tap.take(input.tapped, in: current!, after: current!.number) }
    return .input
  }

  /// Finds an end or an event, which come before everything else.
  @inlinable
  func urgent(_ shared: inout Shared, _ removed: inout Removed) -> Step? {
    if !shared.ends.isEmpty, let run = shared.ends.popFirst() {
      run.beginEnd(&removed)
      return .end(run)
    }
    return events.isEmpty ? nil : .event
  }

  @inlinable
  func take(_ input: EngineInput<Action, State>, _ viewModel: ViewModel) {
    switch input {
    case .plain: break
    case .action(let run): begin(run, viewModel)
    case .event(let run, let event): receive(run, event)
    case .quiet(let run): endDebounce(run)
    case .flush(let lane, _): flush(lane)
    case .failure(let error): report(error, of: nil)
    case .call(let body): body()
    case .resume(let screen): resume(screen, viewModel)
    case .pause(let screen): pause(screen, viewModel)
    }
  }

  /// Starts the next action of a lane. If none can start, releases the events of an ordered action that were deferred, and the run that has
  /// ended.
  @inlinable
  func doJob(_ viewModel: ViewModel) {
    guard case .pass(let lane, let run, let ended) = jobs.first else {
      if case .call(let body) = jobs.popFirst() { body(viewModel) }
      return
    }
    if let next = lane?.candidate {
      if let drop = next.drop {
        finish(next, drop)
      } else {
        let isReplacing =
          if ended == run?.id, case .cancelled(.superseded(by: next.id)) = run?.outcome { true } else { false }
        start(next, viewModel, next.mode!.switches || isReplacing ? nil : ended.map { .waited(for: $0) })
      }
      return
    }
    _ = jobs.popFirst()
    if let first = lane?.first, first.stage == .started {
      while let event = first.deferred.popFirst() { events.append((first, event)) }
    }
    if let run { release(run) }
  }

  /// Stops counting an ended run as loading.
  @inlinable
  func release(_ run: Run) {
    let wasLoading = run.stage.isLoading
    shared.withLock { shared in
      isObserved = shared.streams.isObserved
      if !shared.isClosed { shared.release(run) }
    }
    if wasLoading, run.showsSpinner || isObserved { emit((run.id, run, false)) { $0.loading } }
  }

  /// Ends the turn: there is no driver from now on, unless something waits. Returns the turn that is needed; the caller schedules it, while
  /// it still is the driver if it stays that.
  @inlinable
  func endTurn(_ shared: inout Shared, staysDriver: Bool = true) -> Turn {
    if shared.isClosed { return .refused }
    let isDone = shared.ends.isEmpty && events.isEmpty && jobs.isEmpty && shared.inputs.isEmpty
    return inbox.withLock { inbox in
      inbox.driver = nil
      let turn: Turn = !isDone || inbox.queued > 0 ? .strong : inbox.inputs.isEmpty ? .unneeded : .weak
      if turn == .unneeded, tap != nil { tap!.rest(in: current!) }
      return staysDriver ? inbox.drive(turn) : inbox.turn(turn)
    }
  }
}
