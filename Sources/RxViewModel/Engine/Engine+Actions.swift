// The life of one action, on the drain: begun, folded, ended (contract 2.7).

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
      replace(previous, by: run)
    }
  }

  /// The new one can be cancelled from inside the end of the previous one.
  @inlinable
  func replace(_ previous: ActionRun, by run: ActionRun) {
    flight = Flight(run.record)
    end(previous, .cancelled)
    let isOpen = mayGoOn()
    guard let flight = flight.take(), isOpen else { return }
    if flight.isCancelled { end(run, .cancelled) } else { begin(run) }
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
      if isFolding {
        nested.append((run, event))
      } else {
        if cancelFirst { cancelMatching() }
        receive(run, event)
      }
      return !run.isOver && !isCleared
    }
  }

  @inlinable
  func receive(_ run: ActionRun, _ event: Event<Mapper>) {
    if lanes.isHeld(run) || !run.held.isEmpty {
      if !run.isOver { run.held.append(event) }
    } else {
      take(run, event)
      foldNested()
    }
  }

  @inlinable
  func foldNested() {
    while !isFolding, !nested.isEmpty, mayGoOn(), let (run, event) = nested.popFirst() { receive(run, event) }
  }

  @inlinable
  func take(_ run: ActionRun, _ event: Event<Mapper>) {
    if run.isOver || run.isEnding || isCleared { return }
    switch event {
    case .next(let mapper):
      fold(mapper, of: run)
    case .error(let error):
      end(run, phase(for: error))
    case .completed:
      if let state = run.lastState { return end(run, .completed(state)) }
      fold({ $0 }, of: run)
      if let state = run.lastState { finish(run, .completed(state)) }
    }
  }

  @inlinable
  func fold(_ mapper: Mapper, of run: ActionRun) {
    switch apply(mapper, of: run) {
    case .folded(let state):
      run.lastState = state
      finishDelivery()
      emit(state, of: run.record)
      if isAnnouncing { isFoldUnannounced = true } else { isFolding = false }
    case .failed(let error):
      isFolding = false
      finish(run, phase(for: error))
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
        delivery.displaced = nil
        if isDelivering { delivery.send(.next(state)) }
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
    while mayGoOn(), let event = run.held.popFirst() {
      take(run, event)
      foldNested()
    }
  }

  // MARK: End

  @inlinable
  func finishFlight() {
    emit(flight!.state!, of: flight!.record)
    isFolding = false
    foldNested()
    endFlight(.completed(flight!.state!))
  }

  @inlinable
  func endFlight(_ phase: Phase, hasStarted: Bool = true) {
    let isOpen = mayGoOn()
    let (record, isCancelled) = (flight!.record, flight!.isCancelled)
    takeFlight()
    if isOpen { end(record, isCancelled ? .cancelled : phase, hasStarted: hasStarted) }
  }

  @inlinable
  func phase(for error: any Error) -> Phase {
    error is CancellationError ? .cancelled : .failed(error)
  }

  /// Ends a run by itself, unless it has been cancelled, or everything cleared, meanwhile.
  @inlinable
  func finish(_ run: ActionRun, _ phase: Phase) {
    if mayGoOn() { end(run, phase) }
  }

  /// Ends a run that is not over: its effect, its events, its place in the lane.
  @inlinable
  func end(_ run: ActionRun, _ phase: Phase) {
    if run.isOver || run.isEnding || isCleared { return }
    if isEnding {
      run.isEnding = true
      return agenda.append(.end(run, phase))
    }
    isEnding = true
    let effect = inbox.withLock { inbox -> (any Disposable)? in
      run.isOver = true
      inbox.runs[run.record.id] = nil
      if inbox.runs.isEmpty, inbox.runs.capacity > 64 { inbox.runs = [:] }
      return run.effect.take()
    }
    effect?.dispose()
    run.held = Queue()
    emitEnd(phase, of: run.record)
    isEnding = false
    if lanes.release(run) { agenda.append(.advance(run.record.mode)) }
    if run.hasStarted { agenda.append(.settle(run.record)) }
  }

  /// Ends an action that has no place in a lane.
  @inlinable
  func end(_ record: ActionRecord, _ phase: Phase, hasStarted: Bool = true) {
    let wasEnding = isEnding
    isEnding = true
    emitEnd(phase, of: record)
    isEnding = wasEnding
    if hasStarted { agenda.append(.settle(record)) }
  }

  @inlinable
  func emitEnd(_ phase: Phase, of record: ActionRecord) {
    switch phase {
    case .failed(let error):
      record.ticket?.batch?.breaks(at: record.id)
      report(error, of: record.action)
    case .cancelled:
      record.ticket?.batch?.breaks(at: record.id)
    default:
      break
    }
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
    if !isObserved { return }
    let (core, activity) = inbox.withLock { $0.streams.note(.finished(record.id)) }
    if !isCleared { core?.on(.next(activity)) }
  }
}
