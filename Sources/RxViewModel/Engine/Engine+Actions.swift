// The life of one action, on the drain: begun, folded, ended (contract 2.7).

extension Engine {
  @inlinable
  func handle(_ input: Input<Action, State>) {
    guard let host else { return }
    switch input {
    case .action(let id, let action, let ticket):
      let record = Record(id: id, action: action, mode: ticket?.mode ?? host.executionMode(for: action), ticket: ticket)
      if record.mode.kind == .parallel { begin(record) } else { admit(Run(record)) }
    case .event(let run, let event):
      receive(run, event)
    case .failure(let error):
      report(error, of: nil)
    }
  }

  @inlinable
  func perform(_ job: Job) {
    isObserved = inbox.withLock { $0.streams.isObserved }
    switch job {
    case .begin(let run): begin(run)
    case .unhold(let run): unhold(run)
    case .settle(let record): settle(record)
    }
  }

  // MARK: Begin

  /// An action that waits for nothing. If a mapper is there at once, it needs no more than a fold.
  @inlinable
  func begin(_ record: ActionRecord) {
    flight = Flight(record)
    guard let effect = start(&flight!.record) else { return }
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
    if run.isOver || isCleared { return }
    if run.record.ticket?.batch?.isBroken == true { return end(run, .dropped) }
    run.hasStarted = true
    flight = Flight(run.record)
    guard let effect = start(&flight!.record) else { return }
    launch(run, effect)
  }

  /// Subscribes to what the action in flight does, unless it has been cancelled meanwhile.
  @inlinable
  func launch(_ run: ActionRun, _ effect: Observable<Mapper>) {
    guard let flight = flight.take() else { return }
    run.record = flight.record
    run.hasStarted = true
    if flight.isCancelled {
      end(run, .cancelled)
    } else if register(run) {
      connect(run, to: effect)
    }
  }

  /// Ends the action in flight before its time.
  @inlinable
  func land(_ phase: Phase) {
    guard let flight = flight.take() else { return }
    isFolding = false
    end(flight.record, phase)
    foldNested()
  }

  /// An action in a mode with an order.
  @inlinable
  func admit(_ run: ActionRun) {
    if run.record.ticket?.batch?.isBroken == true { return end(run.record, .dropped) }
    switch lanes.admit(run) {
    case .begin:
      begin(run)
    case .wait:
      break
    case .drop:
      end(run.record, .dropped)
    case .replace(let previous):
      end(previous, .cancelled)
      begin(run)
    }
  }

  /// Announces the action and asks the view model what it does; nil once `clear` has been called.
  @inlinable
  func start(_ record: inout ActionRecord) -> Observable<Mapper>? {
    guard let host, !isCleared else { return nil }
    if host.showSpinner(record.action) {
      record.showsSpinner = true
      spinning += 1
      if spinning == 1 { setLoading(true) }
    }
    if isObserved {
      emitActivity(record, isStarted: true)
      emit(.started, of: record)
    }
    if isCleared { return nil }
    let effect = host.createObservable(record.action)
    return isCleared ? nil : effect
  }

  /// From here on the run can be cancelled and cleared. False once closed.
  @inlinable
  func register(_ run: ActionRun) -> Bool {
    inbox.withLock { inbox in
      if inbox.isClosed { return false }
      inbox.runs[run.record.id] = run
      return true
    }
  }

  @inlinable
  func connect(_ run: ActionRun, to effect: Observable<Mapper>) {
    let subscription = effect.connect { [self] event in sink(run, event) }
    let isOver = inbox.withLock { inbox -> Bool in
      if run.isOver || inbox.isClosed { return true }
      run.effect = subscription
      return false
    }
    if isOver { subscription.dispose() }
  }

  // MARK: Fold

  @usableFromInline
  enum Route {
    case here(cancelFirst: Bool)
    case inbox(needsTurn: Bool)
    case over
  }

  /// Takes what an effect sends, on any thread: folds it here and now if this is the view model's own work, and leaves it
  /// in the inbox if not (contract 2.3). An event never overtakes an earlier one of its action.
  @inlinable
  func sink(_ run: ActionRun, _ event: Event<Mapper>) -> Bool {
    let route = inbox.withLock { inbox -> Route in
      if inbox.isClosed || run.isOver { return .over }
      if inbox.isDrainedHere, run.queued == 0 { return .here(cancelFirst: !inbox.cancellations.isEmpty) }
      run.queued += 1
      inbox.inputs.append(.event(run, event))
      return .inbox(needsTurn: inbox.needsTurn())
    }
    switch route {
    case .over:
      return false
    case .inbox(let needsTurn):
      if needsTurn { schedule() }
      return true
    case .here(let cancelFirst):
      if cancelFirst { cancelMatching() }
      if isFolding {
        nested.append((run, event))
      } else {
        receive(run, event)
      }
      return !run.isOver && !isCleared
    }
  }

  @inlinable
  func receive(_ run: ActionRun, _ event: Event<Mapper>) {
    take(run, event)
    foldNested()
  }

  @inlinable
  func foldNested() {
    while !isFolding, let (run, event) = nested.popFirst() { take(run, event) }
  }

  @inlinable
  func take(_ run: ActionRun, _ event: Event<Mapper>) {
    if run.isOver || isCleared { return }
    if lanes.isHeld(run) { return run.held.append(event) }
    switch event {
    case .next(let mapper):
      fold(mapper, of: run)
    case .error(let error):
      end(run, phase(for: error))
    case .completed:
      if run.lastState == nil { fold({ $0 }, of: run) }
      if let state = run.lastState { end(run, .completed(state)) }
    }
  }

  @inlinable
  func fold(_ mapper: Mapper, of run: ActionRun) {
    switch apply(mapper, of: run) {
    case .folded(let state):
      run.lastState = state
      finishDelivery()
      emit(state, of: run.record)
      isFolding = false
    case .failed(let error):
      isFolding = false
      end(run, phase(for: error))
    case .rejected:
      isFolding = false
    }
  }

  @usableFromInline
  enum Outcome {
    case folded(State)
    case failed(any Error)
    /// The action has been cancelled, or everything cleared, before the state was set.
    case rejected
  }

  /// Applies a mapper of the run, or of the flight, and sends the new state on the state stream.
  ///
  /// The caller ends the fold: what follows the state on the other streams belongs to it.
  @inlinable
  func apply(_ mapper: Mapper, of run: ActionRun?) -> Outcome {
    isFolding = true
    let state: State
    do {
      state = try mapper(current!)
    } catch {
      return .failed(error)
    }
    while true {
      switch commit(state) {
      case .closed:
        return .rejected
      case .cancelFirst:
        cancelMatching()
        if run?.isOver ?? flight!.isCancelled { return .rejected }
      case .committed:
        current = state
        if isDelivering {
          delivery.send(.next(state))
          delivery.displaced = nil
        }
        return .folded(state)
      }
    }
  }

  @usableFromInline
  enum Commit {
    case committed, cancelFirst, closed
  }

  @inlinable
  func commit(_ state: State) -> Commit {
    inbox.withLock { inbox in
      if inbox.isClosed { return .closed }
      if !inbox.cancellations.isEmpty { return .cancelFirst }
      isDelivering = inbox.states.accept(.next(state), &delivery)
      return .committed
    }
  }

  @inlinable
  func finishDelivery() {
    var dropped: [Subscriber<State>?] = []
    inbox.withLock { inbox in
      if isDelivering { finishDelivery(&inbox, &dropped) }
      isObserved = inbox.streams.isObserved
    }
  }

  @inlinable
  func finishDelivery(_ inbox: inout Inbox<Action, State>, _ dropped: inout [Subscriber<State>?]) {
    var next: Event<State>?
    _ = inbox.states.finish(&delivery, next: &next, dropped: &dropped)
    isDelivering = false
  }

  /// Folds what an ordered run has held back until its turn.
  @inlinable
  func unhold(_ run: ActionRun) {
    while let event = run.held.popFirst() { receive(run, event) }
  }

  // MARK: End

  @inlinable
  func finishFlight() {
    emit(flight!.state!, of: flight!.record)
    isFolding = false
    foldNested()
    if inbox.withLock({ !$0.cancellations.isEmpty }) { cancelMatching() }
    guard let flight = flight.take() else { return }
    end(flight.record, flight.isCancelled ? .cancelled : .completed(flight.state!))
  }

  @inlinable
  func phase(for error: any Error) -> Phase {
    error is CancellationError ? .cancelled : .failed(error)
  }

  /// Ends a run that is not over: its effect, its events, its place in the lane.
  @inlinable
  func end(_ run: ActionRun, _ phase: Phase) {
    if run.isOver || isCleared { return }
    let effect = inbox.withLock { inbox -> (any Disposable)? in
      run.isOver = true
      inbox.runs[run.record.id] = nil
      if inbox.runs.isEmpty, inbox.runs.capacity > 64 { inbox.runs = [:] }
      return run.effect.take()
    }
    effect?.dispose()
    run.held = Queue()
    emitEnd(phase, of: run.record)
    if let next = lanes.release(run) { agenda.append(next.hasStarted ? .unhold(next) : .begin(next)) }
    if run.hasStarted { agenda.append(.settle(run.record)) }
  }

  /// Ends an action that has no place in a lane.
  @inlinable
  func end(_ record: ActionRecord, _ phase: Phase, hasStarted: Bool = true) {
    emitEnd(phase, of: record)
    if hasStarted { agenda.append(.settle(record)) }
  }

  @inlinable
  func emitEnd(_ phase: Phase, of record: ActionRecord) {
    var hasBroken = false
    if case .failed(let error) = phase { report(error, of: record.action) }
    if case .failed = phase { hasBroken = true }
    if case .cancelled = phase { hasBroken = true }
    if hasBroken { record.ticket?.batch?.isBroken = true }
    emit(phase, of: record)
    resume(record.ticket, phase)
  }

  /// The action does not count as loading any more.
  @inlinable
  func settle(_ record: ActionRecord) {
    if isCleared { return }
    if record.showsSpinner {
      spinning -= 1
      if spinning == 0 { setLoading(false) }
    }
    if isObserved { emitActivity(record, isStarted: false) }
  }
}
