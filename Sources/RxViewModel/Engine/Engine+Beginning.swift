// How an action begins: from an input to a running effect.

extension Engine {
  @inlinable
  func takeInput(_ hand: inout Hand) {
    machine.allowance -= 1
    guard let host, let input = machine.inputs.popFirst() else { return }
    switch consume input {
    case .action(let id, let action):
      takenActions += 1
      ask(makeRun(action, id), action, host, &hand)
    case .run(let run):
      takenActions += 1
      if run.stage == .queued { ask(run, run.action, host, &hand) }
    case .event(let run, let event):
      inbox.withLock { _ in run.waitingEvents -= 1 }
      receive(run, event)
    case .quiet(let run): machine.quietTimeIsOver(for: run)
    case .failure(let error): report(error, of: nil)
    case .resume(let screen): resume(screen, host)
    case .pause(let screen): pause(screen, host)
    case .nothing: takenActions += 1
    }
  }

  @inlinable
  func makeRun(_ action: Action, _ id: UInt64) -> Run {
    guard let run = spare.take() else { return Run(action, id: id) }
    run.reuse(for: action, id: id)
    return run
  }

  // The steps that begin an action follow each other without a call of `next()`, unless another request has arrived. This makes the simple
  // case cheap.

  /// Whether the machine's next step can only be the next step of the current action.
  @inline(__always)
  @inlinable
  var isUndisturbed: Bool {
    machine.isUndisturbed && !isInterrupted && !isClosed
  }

  //
  // They hand on the action beside its run: reading it from the run retains it each time.

  /// Asks the view model for the mode and the spinner of an action.
  @inlinable
  func ask(_ run: Run, _ action: Action, _ host: Unmanaged<Host>, _ hand: inout Hand) {
    machine.begin(run, .asked)
    if run.isDropped { return }
    if run.mode == nil { run.mode = host._withUnsafeGuaranteedRef { $0.executionMode(for: action) } }
    run.showsSpinner = host._withUnsafeGuaranteedRef { $0.showSpinner(action) }
    if isUndisturbed { admit(run, action, &hand) }
  }

  @inlinable
  func admit(_ run: Run, _ action: Action, _ hand: inout Hand) {
    if machine.admit(run) {
      // The actions that it supersedes end first.
      if machine.ends.isEmpty { begin(run, action, &hand) }
    } else if run.stage == .waiting {
      outputs.withLock { $0.add(run) }
      if let quiet = run.mode!.quiet { startTimer(of: run, quiet) }
    }
  }

  /// Starts the timer for the quiet time of a `switchLatest(_:after:)`. The timer does not keep the view model alive.
  @usableFromInline
  func startTimer(of run: Run, _ quiet: Duration) {
    guard let scheduler = inbox.withLock({ $0.scheduler }) else { return }
    let timer = scheduler.schedule(after: quiet) { [weak self, weak run] in
      if let self, let run { send(.quiet(run)) }
    }
    keep(timer, for: run)
  }

  /// Announces the current run, unless a cancellation comes before it.
  @inlinable
  func begin(_ run: Run, _ action: Action, _ hand: inout Hand) {
    var dropped = DroppedSubscribers()
    let gate = outputs.withLock { outputs in
      updateTables(&outputs, &dropped)
      if outputs.gate == .open { outputs.begin(run) }
      return outputs.gate
    }
    recycle()
    // Reporting the end of another action runs user code. Requests of that code come first.
    guard mayGoOn(gate), isUndisturbed else { return }
    machine.beginningStage = .announced
    run.stage = .started
    run.hasStarted = true
    if run.showsSpinner || isObserved {
      announceStart(of: run)
      if !isUndisturbed { return }
    }
    create(run, action, &hand)
  }

  @inlinable
  func announceStart(of run: Run) {
    if run.showsSpinner {
      spinning += 1
      if spinning == 1 { setLoading(true) }
    }
    if !isObserved { return }
    track(.started(run.id, run.action))
    emit(.started, of: run)
  }

  /// Asks the view model for the effect of the action. If the effect is a single mapper that may be folded now, it needs no subscription.
  @inlinable
  func create(_ run: Run, _ action: Action, _ hand: inout Hand) {
    guard let host else { return }
    let effect = host._withUnsafeGuaranteedRef { $0.createObservable(action) }
    if case .just(let mapper) = effect.representation, isUndisturbed, !machine.isHeld(run) {
      machine.beginning = nil
      run.endsWithFold = true
      return fold(mapper, of: run)
    }
    machine.beginningStage = .created
    hand.effect = effect
  }

  /// Subscribes to the effect of the current run. Folds a mapper that arrives meanwhile at once (contract 2.3).
  @inlinable
  func subscribe(_ run: Run, _ hand: inout Hand) {
    machine.beginning = nil
    let effect = hand.effect.take()!
    // The same as in `create`, now that everything before it has been done.
    if case .just(let mapper) = effect.representation, !machine.isHeld(run) {
      run.endsWithFold = true
      return fold(mapper, of: run)
    }
    run.hasEffect = true
    outputs.withLock { $0.add(run) }
    driverState = .subscribing
    let subscription = effect.connectChecked { [self] event in sink(run, event) ? .more : .noMore }
    driverState = .working
    keep(subscription, for: run)
  }

  /// Retains the disposable that the end of the run disposes. Disposes it now if the run has ended in the meantime.
  @inlinable
  func keep(_ effect: any Disposable, for run: Run) {
    run.hasEffect = true
    // The effect replaces a timer that has fired. The timer is released after the lock.
    var other: (any Disposable)? = effect
    let isOver = inbox.withLock { inbox -> Bool in
      if run.isOver || inbox.isClosed { return true }
      swap(&run.effect, &other)
      return false
    }
    if isOver { effect.dispose() }
  }

  /// Whether the driver may continue past this gate. If not, it must first handle the cancellations or the end that have closed the gate.
  @inlinable
  func mayGoOn(_ gate: Outputs<Action, State>.Gate) -> Bool {
    switch gate {
    case .open: return true
    case .interrupted: isInterrupted = true
    case .closed: isClosed = true
    }
    return false
  }
}
