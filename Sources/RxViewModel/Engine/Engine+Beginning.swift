// How an input is taken, and how an action begins: from the queue to a running effect.

extension Engine {
  @inlinable
  func takeInput() {
    guard let host, let input = machine.inputs.popFirst() else { return }
    machine.allowance.pieces -= 1
    machine.waiting -= 1
    if tap != nil, !passesTap(input) { return }
    switch consume input {
    case .action(let id, let action):
      takenActions += 1
      resolve(ActionRun<Action, State>(action, id: id), action)
    case .run(let run):
      takenActions += 1
      if run.stage == .queued { resolve(run, run.action) }
    case .event(let run, let number):
      if let event = inbox.withLock({ _ in run.mail.take(number) }) { receive(run, event) }
    case .quiet(let run): machine.quietTimeIsOver(for: run)
    case .failure(let error): report(error, of: nil)
    case .resume(let screen): resume(screen, host)
    case .pause(let screen):
      takenActions += 1
      pause(screen, host)
    case .call(let body):
      takenActions += 1
      if !isCleared() { body() }
      _ = mayContinue()
    }
  }

  /// Continues with the step that has been put aside.
  @inlinable
  func continueBeginning() {
    guard let (run, step) = machine.beginning.take() else { return }
    switch step {
    case .bind(let child): bind(run, run.action, child)
    case .askForMode: askForMode(run, run.action)
    case .admit: admit(run, run.action)
    case .announce: announce(run, run.action)
    case .create: create(run, run.action)
    case .subscribe(let effect): subscribe(run, effect)
    }
  }

  // The steps hand on the action beside its run: reading it from the run retains it each time.

  /// Asks which child an action is for. Nothing comes before this step: the machine has just handed over the action.
  @inlinable
  func resolve(_ run: Run, _ action: Action) {
    guard let host else { return }
    if run.isDropped { return askForMode(run, action) }
    bind(run, action, host._withUnsafeGuaranteedRef { $0.child(for: action) })
  }

  /// Binds an action to the instance of its child that is present. Ends an action that none is present for.
  @inlinable
  func bind(_ run: Run, _ action: Action, _ child: ChildAction<Action, State>?) {
    guard machine.mayBegin, mayContinue(), let host else { return machine.setAside(run, .bind(child)) }
    if let child {
      if !bind(run, to: child) { return }
    } else {
      if case .none = run.binding {} else if !leavesOwner(run, host) { return }
      run.binding = .own
    }
    askForMode(run, action)
  }

  /// Asks the child, or the view model, for the mode and the spinner of an action.
  @inlinable
  func askForMode(_ run: Run, _ action: Action) {
    guard mayBegin, let host else { return machine.setAside(run, .askForMode) }
    if !run.isDropped {
      let binding = run.child
      if case nil = run.mode {
        if let binding {
          run.mode = binding.child.station.mode()
          binding.hasOwnLanes = true
        } else {
          run.mode = host._withUnsafeGuaranteedRef { $0.executionMode(for: action) }
        }
        if !mayContinue() { return machine.setAside(run, .askForMode) }
      }
      run.showsSpinner =
        binding?.child.station.showsSpinner() ?? host._withUnsafeGuaranteedRef { $0.showSpinner(action) }
    }
    admit(run, action)
  }

  /// Finds a place for the action in its lane.
  @inlinable
  func admit(_ run: Run, _ action: Action) {
    // An action in a lane may end others, so the driver looks after `showSpinner`. For any other action it looks at the start.
    guard !run.mode!.usesLane || machine.mayBegin && mayContinue(), tap == nil || passesTap(admitting: run) else {
      return machine.setAside(run, .admit)
    }
    if machine.admit(run) {
      announce(run, action)
    } else if run.stage == .waiting {
      outputs.withLock { $0.add(run) }
      if let quiet = run.mode!.quiet { startTimer(of: run, quiet) }
    }
  }

  /// Starts the timer for the quiet time of a `switchLatest(_:after:)`. The timer does not keep the view model alive.
  @usableFromInline
  func startTimer(of run: Run, _ quiet: Duration) {
    guard let scheduler = inbox.withLock({ $0.scheduler }) else { return }
    let timer = inside(run.id) {
      scheduler.schedule(after: quiet) { [weak self, weak run] in
        if let self, let run { send(.quiet(run)) }
      }
    }
    keep(timer, for: run)
  }

  /// Starts the action, and announces that.
  @inlinable
  func announce(_ run: Run, _ action: Action) {
    let begins =
      mayBegin
      && outputs.withLock { outputs in
        if !passes(outputs) { return false }
        outputs.addLoading(run)
        return true
      }
    if !begins { return machine.setAside(run, .announce) }
    if run.showsSpinner || isObserved {
      emitLoading(true, of: run)
      emit(.started, of: run)
    }
    create(run, action)
  }

  /// Asks the child, or the view model, for the effect of the action.
  @inlinable
  func create(_ run: Run, _ action: Action) {
    guard mayBegin, let host else { return machine.setAside(run, .create) }
    subscribe(run, effect(of: run, action, host))
  }

  @inlinable
  func effect(of run: Run, _ action: Action, _ host: Unmanaged<Host>) -> Observable<Mapper> {
    creating = run
    defer { creating = nil }
    guard let binding = run.child else {
      return inside(run.id) { host._withUnsafeGuaranteedRef { $0.createObservable(action) } }
    }
    let (port, state) = (port(of: run), current!)
    return inside(run.id) { binding.child.changingEffect(in: state.value, Uplink(port) { port.send($0) }) }
  }

  /// Subscribes to the effect of the run, unless that is a single mapper that may be folded now. Folds a mapper that arrives meanwhile at
  /// once (contract 2.3).
  @inlinable
  func subscribe(_ run: Run, _ effect: Observable<Mapper>) {
    guard mayBegin else { return machine.setAside(run, .subscribe(effect)) }
    if case .just(let mapper) = effect.representation, !machine.isHeld(run) { return fold(mapper, of: run, .completes) }
    // Kept before it is connected, so that another thread can end what the effect does meanwhile. The requests that
    // this thread has made before come first.
    let scope = Scope()
    keep(scope, for: run)
    let mayConnect = inbox.withLock { inbox in
      gate = inbox.gate
      if !isDisturbed { inbox.subscribing = run }
      return !isDisturbed
    }
    if !mayConnect { return machine.setAside(run, .subscribe(effect)) }
    isSubscribing = true
    if scope.isOpen {
      inside(run.id) { effect.connect({ [self] event in sink(run, event) ? .more : .noMore }, in: scope) }
    }
    isSubscribing = false
    inbox.withLock { $0.subscribing = nil }
    _ = mayContinue()
  }

  /// Retains the disposable that the end of the run disposes. Disposes it now if the run has ended in the meantime.
  @inlinable
  func keep(_ effect: any Disposable, for run: Run) {
    run.hasEffect = true
    // The effect replaces a timer that has fired. The timer is released after the lock.
    var other = RunEffect.active(effect)
    let isOver = inbox.withLock { inbox -> Bool in
      if run.effect.isOver || inbox.isClosed { return true }
      swap(&run.effect, &other)
      return false
    }
    if isOver {
      effect.dispose()
      _ = mayContinue()
    }
  }

  // MARK: Screens (contract 2.12)

  /// Counts a screen as resumed. Calls `onResume` if it is the first one.
  @usableFromInline
  func resume(_ screen: ScreenID, _ host: Unmanaged<Host>) {
    guard screens.insert(screen).inserted, screens.count == 1 else { return }
    let scope = DisposeBag()
    let isOpen = inbox.withLock { inbox -> Bool in
      if !inbox.isClosed { inbox.scopes.resumed = scope }
      return !inbox.isClosed
    }
    if isOpen { host._withUnsafeGuaranteedRef { $0.onResume(scope) } }
    _ = mayContinue()
  }

  /// Counts a screen as paused. If it is the last one, calls `onPause` and then disposes the scope.
  @usableFromInline
  func pause(_ screen: ScreenID, _ host: Unmanaged<Host>) {
    guard screens.remove(screen) != nil, screens.isEmpty, !isCleared() else { return }
    host._withUnsafeGuaranteedRef { $0.onPause() }
    inbox.withLock { $0.scopes.resumed.take() }?.close()
    _ = mayContinue()
  }
}
