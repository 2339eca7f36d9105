// From what an effect sends to the next state (contract 2.3).

extension Engine {
  @usableFromInline
  enum Route {
    /// The caller is inside the view model's own work.
    case here
    case inbox(needsTurn: Bool)
    case over
  }

  /// Takes what an effect sends, on any thread. Returns whether the effect is still wanted.
  ///
  /// An event from the view model's own work comes before everything from elsewhere but earlier events of its own action. The engine
  /// handles it when the user code that sends it has returned. If the engine is just subscribing to an effect, it handles the event at
  /// once, because it delivers nothing then.
  @inlinable
  func sink(_ run: Run, _ event: Event<Mapper>) -> Bool {
    let route = inbox.withLock { inbox -> Route in
      if inbox.isClosed || run.isOver { return .over }
      if inbox.isDrivenHere, run.waitingEvents == 0 {
        // Mappers that wait in the ordered lane fold nothing that would look at the gate.
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

  /// Calls a mapper with the current state, and does nothing else: what it returns waits until the cancellations that it has
  /// asked for have been looked at.
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

  /// Calls a mapper with the current state, and leaves what it returns in the other cell of `latest`.
  @inline(__always)
  @inlinable
  func makeNextState(with mapper: Mapper) throws {
    // An action may have been cancelled after its mapper had returned a state.
    latest.dropNext()
    try latest.makeNext { try mapper($0) }
  }

  /// Makes the state that the mapper of `machine.folding` has returned the current one, and sends it on the streams.
  @inlinable
  func commit() {
    if let run = machine.folding.take() { commit(run) }
  }

  @inlinable
  func commit(_ run: Run) {
    // To tell that another action has ended runs user code, and what that asks for comes first.
    if finished != nil { finishDelivery() }
    guard machine.mayCommit, !isInterrupted, !isClosed else {
      machine.folding = run
      return
    }
    var dropped = DroppedSubscribers()
    let gate = outputs.withLock { outputs in
      settleUp(&outputs, &dropped)
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

  /// What follows a folded state on the other streams. Until it is over, the other cell of `latest` holds the state before the fold.
  @inlinable
  func announceFold(of run: Run) {
    finishDelivery()
    if isClosed { return }
    let core = outputs.withLock { $0.streams.actionAndState }
    core?.on(.next(ActionAndState(action: run.action, state: latest.current.pointee)))
    emit(.emitted(latest.current.pointee), of: run)
  }

  /// Ends an action that has no effect, whose end no stream tells of and no task awaits, and that shows no spinner.
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

  /// Makes the next state the current one for readers and for replays. Under the lock of the outputs; drops nothing.
  @inline(__always)
  @inlinable
  func accept(_ outputs: inout Outputs<Action, State>) {
    latest.advance()
    isDelivering = outputs.states.acceptLatest(latest, &delivery)
  }

  /// Sends the current state to the subscribers. No other state takes its place meanwhile.
  @inline(__always)
  @inlinable
  func deliver() {
    if isDelivering { Event.withNext(at: latest.current) { event in Event.borrow(event) { delivery.send($0) } } }
  }

  @inlinable
  func finishDelivery() {
    var dropped = DroppedSubscribers()
    outputs.withLock { settleUp(&$0, &dropped) }
    recycle()
  }

  /// What the driver does first when it has the lock of the outputs: subscribers join and leave once a state has been sent to all,
  /// and an action that has ended silently leaves the table.
  @inlinable
  func settleUp(_ outputs: inout Outputs<Action, State>, _ dropped: inout DroppedSubscribers) {
    isObserved = outputs.streams.isObserved
    if let finished { outputs.remove(finished) }
    if !isDelivering { return }
    var next: Event<State>?
    _ = outputs.states.finish(&delivery, next: &next, dropped: &dropped)
    isDelivering = false
  }

  /// Keeps a run that has left the table for the next action, unless something else refers to it.
  @inlinable
  func recycle() {
    guard var run = finished.take() else { return }
    // A subscriber may have come while the action counted as loading.
    if isObserved { track(.finished(run.id)) }
    var action: Action?
    if run.batch == nil, !run.isAwaited, isKnownUniquelyReferenced(&run) {
      swap(&action, &run.storedAction)
      spare = run
    }
  }
}
