// From an event of an effect to the next state (contract 2.3).

extension Engine {
  @usableFromInline
  enum Route {
    /// The caller is inside the view model's own work.
    case here
    case inbox(needsTurn: Bool)
    case over
  }

  /// Receives an event of an effect, on any thread. Returns whether the effect should continue.
  ///
  /// An event from the view model's own work comes before everything from elsewhere, except earlier events of its own action. The engine
  /// handles it after the user code that sends it has returned. While the engine subscribes to an effect, it handles the event at once,
  /// because it is delivering nothing.
  @inlinable
  func sink(_ run: Run, _ event: Event<Mapper>) -> Bool {
    let route = inbox.withLock { inbox -> Route in
      if inbox.isClosed || run.isOver { return .over }
      if inbox.isDrivenHere, run.waitingEvents == 0 {
        // Mappers that wait in the ordered lane are not folded, and only a fold checks the gate.
        if !inbox.cancellations.isEmpty { isInterrupted = true }
        return .here
      }
      run.waitingEvents += 1
      inbox.inputs.append(.event(run, event))
      return .inbox(needsTurn: inbox.needsTurn())
    }
    switch route {
    case .over:
      return false
    case .inbox(let needsTurn):
      if needsTurn { schedule() }
      return true
    case .here:
      machine.events.append((run, event))
      if driverState == .subscribing {
        driverState = .working
        work(isInside: true)
        driverState = .subscribing
      }
      return run.stage != .over && !isClosed
    }
  }

  @inlinable
  func receive() {
    if let (run, event) = machine.events.popFirst() { receive(run, event) }
  }

  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>) {
    if run.stage != .started { return }
    if machine.isHeld(run) { run.held.append(event) } else { take(run, event) }
  }

  @inlinable
  func release() {
    if let run = machine.releasing, let event = run.held.popFirst() { take(run, event) }
  }

  @inlinable
  func take(_ run: Run, _ event: Event<Mapper>) {
    switch event {
    case .next(let mapper):
      fold(mapper, of: run)
    case .error(let error):
      fail(run, error)
    case .completed:
      if run.lastState != nil { return machine.finish(run, .completed) }
      run.endsWithFold = true
      fold({ $0 }, of: run)
    }
  }

  /// Calls a mapper with the current state. The returned state waits until the machine has handled the cancellations that the mapper has
  /// requested.
  @inlinable
  func fold(_ mapper: Mapper, of run: Run) {
    do {
      try makeNextState(with: mapper)
    } catch {
      return fail(run, error)
    }
    if isUndisturbed { return commit(run) }
    machine.folding = run
  }

  /// Queues the end of a run that has completed or failed.
  @inlinable
  func finish(_ hand: inout Hand) {
    guard mayGoOn(outputs.withLock({ $0.gate })), let run = machine.finishing else { return }
    if run.outcome == .failed, !foldFailure(of: run, &hand) { return }
    machine.finishing = nil
    machine.end(run, run.outcome)
  }

  /// Calls a mapper with the current state, and stores its result in the other cell of `latest`.
  @inline(__always)
  @inlinable
  func makeNextState(with mapper: Mapper) throws {
    // An action may have been cancelled after its mapper had returned a state.
    latest.dropNext()
    try latest.makeNext { try mapper($0) }
  }

  /// Makes the state that the mapper of `machine.folding` has returned the current one, and emits it.
  @inlinable
  func commit() {
    if let run = machine.folding.take() { commit(run) }
  }

  @inlinable
  func commit(_ run: Run) {
    // Reporting the end of another action runs user code. Requests of that code come first.
    if finished != nil { finishDelivery() }
    guard machine.mayCommit, !isInterrupted, !isClosed else {
      machine.folding = run
      return
    }
    var dropped = DroppedSubscribers()
    let gate = outputs.withLock { outputs in
      updateTables(&outputs, &dropped)
      if outputs.gate == .open { accept(&outputs) }
      return outputs.gate
    }
    guard mayGoOn(gate) else {
      machine.folding = run
      return
    }
    deliver()
    if isObserved { announceFold(of: run) }
    latest.dropNext()
    let isSilent = run.endsWithFold && !isObserved && !isInterrupted && !run.needsEnd
    if isSilent { return finishSilently(run) }
    run.lastState = StateBox(latest.current.pointee)
    if run.endsWithFold { machine.finish(run, .completed) }
  }

  /// Emits a fold on the streams other than the state stream. Meanwhile the other cell of `latest` holds the state before the fold.
  @inlinable
  func announceFold(of run: Run) {
    finishDelivery()
    if isClosed { return }
    let core = outputs.withLock { $0.streams.actionAndState }
    core?.on(.next(ActionAndState(action: run.action, state: latest.current.pointee)))
    emit(.emitted(latest.current.pointee), of: run)
  }

  /// Ends an action without an effect and without a spinner, whose end no stream emits and no task awaits.
  ///
  /// The driver removes it from the table when it takes the lock of the outputs next.
  @inlinable
  func finishSilently(_ run: Run) {
    run.stage = .over
    machine.leaveLane(run)
    finished = run
  }

  // MARK: The delivery of a state

  @usableFromInline typealias DroppedSubscribers = [Subscriber<State>?]

  /// Makes the next state the current one for readers and for replays. Called with the lock of the outputs held. Releases nothing.
  @inline(__always)
  @inlinable
  func accept(_ outputs: inout Outputs<Action, State>) {
    latest.advance()
    isDelivering = outputs.states.acceptLatest(latest, &delivery)
  }

  /// Sends the current state to the subscribers. The state does not change meanwhile.
  @inline(__always)
  @inlinable
  func deliver() {
    if isDelivering { Event.withNext(at: latest.current) { event in Event.borrow(event) { delivery.send($0) } } }
  }

  @inlinable
  func finishDelivery() {
    var dropped = DroppedSubscribers()
    outputs.withLock { updateTables(&$0, &dropped) }
    recycle()
  }

  /// The driver calls this first after it has taken the lock of the outputs. If a state has been sent to all subscribers, adds new
  /// subscribers and removes disposed ones. Removes an action that has ended silently from the table.
  @inlinable
  func updateTables(_ outputs: inout Outputs<Action, State>, _ dropped: inout DroppedSubscribers) {
    isObserved = outputs.streams.isObserved
    if let finished { outputs.remove(finished) }
    if !isDelivering { return }
    var next: Event<State>?
    _ = outputs.states.finish(&delivery, next: &next, dropped: &dropped)
    isDelivering = false
  }

  /// Keeps a run that has left the table for reuse by the next action, unless it has other references.
  @inlinable
  func recycle() {
    guard var run = finished.take() else { return }
    // A new subscriber may have counted the action as loading.
    if isObserved { track(.finished(run.id)) }
    var action: Action?
    if run.batch == nil, !run.isAwaited, isKnownUniquelyReferenced(&run) {
      swap(&action, &run.storedAction)
      spare = run
    }
  }
}
