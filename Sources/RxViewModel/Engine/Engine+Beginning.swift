// What waits for its turn, and how an action begins (contract 2.2, 2.7, the table of modes).

extension Engine {
  @inlinable
  func handle(_ input: Input<Action, State>) {
    guard let host else { return }
    switch input {
    case .action(let id, let action, let ticket):
      let record = Record(
        id: id, action: action, mode: ticket?.mode ?? host._withUnsafeGuaranteedRef { $0.executionMode(for: action) },
        ticket: ticket)
      if record.mode.kind == .parallel { begin(record) } else { admit(Run(record)) }
    case .event(let run, let event):
      receive(run, event)
    case .failure(let error):
      report(error, of: nil)
    }
  }

  @inlinable
  func perform(_ job: Job) {
    switch job {
    case .advance(let mode): advance(mode)
    case .settle(let record): settle(record)
    case .end(let run, let phase):
      run.isEnding = false
      end(run, phase)
    }
  }

  /// False once closed. What is to be cancelled first has been then.
  @inlinable
  func mayGoOn() -> Bool {
    let (isClosed, mustCancel) = inbox.withLock { inbox in
      isObserved = inbox.streams.isObserved
      return (inbox.isClosed, !inbox.cancellations.isEmpty)
    }
    if mustCancel, !isClosed { cancelMatching() }
    return !isClosed
  }

  // MARK: Begin

  /// An action that waits for nothing. If a mapper is there at once, it needs no more than a fold.
  @inlinable
  func begin(_ record: ActionRecord) {
    flight = Flight(record)
    guard let effect = start() else {
      if flight!.isCancelled { endFlight(.cancelled, hasStarted: false) }
      return
    }
    guard case .just(let mapper) = effect.representation, !flight!.isCancelled else {
      return launch(Run(record), effect)
    }
    switch apply(mapper, of: nil) {
    case .folded(let state): flight!.state = state
    case .failed(let error): land(phase(for: error))
    case .rejected: land(.cancelled)
    }
  }

  @inlinable
  func begin(_ run: ActionRun) {
    run.hasStarted = true
    flight = Flight(run.record)
    if let effect = start() {
      launch(run, effect)
    } else if flight!.isCancelled {
      flight = nil
      run.hasStarted = false
      end(run, .cancelled)
    }
  }

  /// Subscribes to what the action in flight does, unless it has been cancelled meanwhile.
  @inlinable
  func launch(_ run: ActionRun, _ effect: Observable<Mapper>) {
    let isCancelled = flight!.isCancelled
    run.record = flight!.record
    run.hasStarted = true
    guard takeFlight(andRegister: isCancelled ? nil : run) else { return }
    if isCancelled { end(run, .cancelled) } else { connect(run, to: effect) }
  }

  /// Nothing is in flight any more; the run, if there is one, can be cancelled and cleared from here on. False once closed.
  @inlinable
  @discardableResult
  func takeFlight(andRegister run: ActionRun? = nil) -> Bool {
    var begun: (id: UInt64, action: Action)?
    flight = nil
    return inbox.withLock { inbox in
      swap(&begun, &inbox.begun)
      if let run, !inbox.isClosed { inbox.runs[run.record.id] = run }
      return !inbox.isClosed
    }
  }

  /// Ends the action in flight before its time.
  @inlinable
  func land(_ phase: Phase) {
    isFolding = false
    endFlight(phase)
    foldNested()
  }

  /// An action in a mode with an order.
  @inlinable
  func admit(_ run: ActionRun) {
    if run.record.isDropped { return end(run.record, .dropped, hasStarted: false) }
    switch lanes.admit(run) {
    case .begin:
      begin(run)
    case .wait:
      break
    case .drop:
      end(run.record, .dropped, hasStarted: false)
    case .replace(let previous):
      end(previous, .cancelled)
      // From inside that end the new one may have been cancelled.
      if mayGoOn(), !run.isOver, !run.isEnding { begin(run) }
    }
  }

  /// Whoever has the turn in the mode's lane begins, unless its batch has broken; or, if it is an ordered one, what it has
  /// sent meanwhile is folded.
  @inlinable
  func advance(_ mode: ExecutionMode) {
    while let run = lanes.first(in: mode) {
      if run.hasStarted { return unhold(run) }
      if !run.record.isDropped { return begin(run) }
      end(run, .dropped)
      if !mayGoOn() { return }
    }
  }

  /// Announces the action in flight and asks the view model what it does.
  ///
  /// Nil if it has been cancelled before it could start, or once `clear` has been called.
  @inlinable
  func start() -> Observable<Mapper>? {
    guard let host, !isCleared else { return nil }
    let action = flight!.record.action
    let showsSpinner = host._withUnsafeGuaranteedRef { $0.showSpinner(action) }
    guard let (core, activity) = noteStart(action) else { return nil }
    if showsSpinner {
      flight!.record.showsSpinner = true
      spinning += 1
      if spinning == 1 { setLoading(true) }
    }
    if let core, !isCleared { core.on(.next(activity)) }
    if isObserved { emit(.started, of: flight!.record) }
    if isCleared { return nil }
    let effect = host._withUnsafeGuaranteedRef { $0.createObservable(action) }
    return isCleared ? nil : effect
  }

  /// From here on the action in flight counts as started, unless it has been cancelled, or everything cleared, meanwhile.
  @inlinable
  func noteStart(_ action: Action) -> (SubjectCore<Activity<Action>>?, Activity<Action>)? {
    let id = flight!.record.id
    var started: (SubjectCore<Activity<Action>>?, Activity<Action>)?
    while !flight!.isCancelled {
      let mustCancel = inbox.withLock { inbox -> Bool in
        isObserved = inbox.streams.isObserved
        if inbox.isClosed { return false }
        if !inbox.cancellations.isEmpty { return true }
        inbox.begun = (id, action)
        started = inbox.streams.note(.started(id, action))
        return false
      }
      if !mustCancel { break }
      cancelMatching()
    }
    return started
  }

  @inlinable
  func connect(_ run: ActionRun, to effect: Observable<Mapper>) {
    let subscription = effect.connectChecked { [self] event in sink(run, event) }
    let isOver = inbox.withLock { inbox -> Bool in
      if run.isOver || inbox.isClosed { return true }
      run.effect = subscription
      return false
    }
    if isOver { subscription.dispose() }
  }
}
