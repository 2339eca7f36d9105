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
    var earlier = Queue<Event<Mapper>>()
    let route = inbox.withLock { inbox -> Route in
      if inbox.isClosed || run.isOver { return .over }
      if inbox.isDrivenHere {
        // Mappers that wait in the ordered lane are not folded, and only a fold checks the gate.
        if !inbox.cancellations.isEmpty { isInterrupted = true }
        swap(&earlier, &run.mail.items)
        return .here
      }
      inbox.inputs.append(.event(run, number: run.mail.append(event)))
      return .inbox(needsTurn: inbox.needsTurn())
    }
    switch route {
    case .over:
      return false
    case .inbox(let needsTurn):
      if needsTurn { schedule(nil) }
      return true
    case .here:
      while let event = earlier.popFirst() { machine.events.append((run, event, isFromElsewhere: true)) }
      machine.events.append((run, event, isFromElsewhere: false))
      if isSubscribing {
        isSubscribing = false
        work(isInside: true)
        isSubscribing = true
      }
      return run.stage != .over && !isClosed
    }
  }

  @inlinable
  func receive() {
    guard let (run, event, isFromElsewhere) = machine.events.popFirst() else { return }
    if isFromElsewhere, machine.allowance > 0 { machine.allowance -= 1 }
    receive(run, event)
  }

  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>) {
    if run.stage != .started { return }
    if machine.isHeld(run) { run.held.append(event) } else { take(run, event) }
  }

  @inlinable
  func release() {
    machine.allowance -= 1
    if let run = machine.releasing, let event = run.held.popFirst() { take(run, event) }
  }

  @inlinable
  func take(_ run: Run, _ event: Event<Mapper>) {
    switch event {
    case .next(let mapper): fold(mapper, of: run, .more)
    case .error(let error): fail(run, error)
    case .completed: if run.lastState != nil { finish(run, .completed) } else { fold({ $0 }, of: run, .completes) }
    }
  }

  /// Continues with the step that has been put aside.
  @inlinable
  func fold() {
    guard let (run, step) = machine.folding.take() else { return }
    switch step {
    case .fold(let mapper, let end): fold(mapper, of: run, end)
    case .commit(let end): commit(run, end)
    case .ask(let error): ask(run, error)
    case .finish(let outcome): finish(run, outcome)
    }
  }

  /// Calls a mapper with the current state. The returned state waits until the machine has handled the cancellations that the mapper has
  /// requested.
  @inlinable
  func fold(_ mapper: @escaping Mapper, of run: Run, _ end: Machine<Action, State>.FoldEnd) {
    guard mayFold, look() else { return machine.setAside(run, .fold(mapper, end)) }
    // The action of the last mapper may have been cancelled after that had returned a state.
    latest.dropNext()
    do {
      try latest.makeNext { try mapper($0) }
    } catch {
      return fail(run, error, in: end)
    }
    commit(run, end)
  }

  /// Asks the view model for a mapper for the error of an action, which is folded before the action ends (contract 2.6).
  @inlinable
  func ask(_ run: Run, _ error: any Error) {
    guard mayFold, look(), let host else { return machine.setAside(run, .ask(error)) }
    guard let mapper = host._withUnsafeGuaranteedRef({ $0.stateMapper(for: error, action: run.action) }) else {
      return finish(run, .failed(error, mapperError: nil))
    }
    fold(mapper, of: run, .fails(error))
  }

  /// Queues the end of an action that has completed or failed.
  @inlinable
  func finish(_ run: Run, _ outcome: Run.Outcome) {
    guard mayFold, look() else { return machine.setAside(run, .finish(outcome)) }
    machine.end(run, outcome)
  }

  /// Makes the state that the mapper has returned the current one, and emits it.
  @inlinable
  func commit(_ run: Run, _ end: Machine<Action, State>.FoldEnd) {
    // Reporting the end of another action runs user code. Requests of that code come first.
    if finished != nil { finishDelivery() }
    var dropped = DroppedSubscribers()
    let isCommitted =
      mayFold
      && outputs.withLock { outputs in
        updateTables(&outputs, &dropped)
        if !passes(outputs.gate) { return false }
        accept(&outputs)
        return true
      }
    if !isCommitted { return machine.setAside(run, .commit(end)) }
    deliver()
    // Another thread may have subscribed to another stream meanwhile.
    if isDelivering { finishDelivery() }
    if isObserved { announceFold(of: run) }
    latest.dropNext()
    if case .completes = end, !isObserved, !isInterrupted, !run.needsEnd { return finishSilently(run) }
    run.lastState = Box(latest.current.pointee)
    switch end {
    case .more: break
    case .completes: finish(run, .completed)
    case .fails(let error): finish(run, .failed(error, mapperError: nil))
    }
  }

  /// Emits a fold on the streams other than the state stream. Meanwhile the other cell of `latest` holds the state before the fold.
  @inlinable
  func announceFold(of run: Run) {
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
    outputs.withLock { outputs in
      updateTables(&outputs, &dropped)
      _ = passes(outputs.gate)
    }
    recycle()
  }

  /// The driver calls this first after it has taken the lock of the outputs. If a state has been sent to all subscribers, adds new
  /// subscribers and removes disposed ones. Removes an action that has ended silently from the table.
  @inlinable
  func updateTables(_ outputs: inout Outputs<Action, State>, _ dropped: inout DroppedSubscribers) {
    isObserved = outputs.streams.isObserved
    if let finished { outputs.remove(finished) }
    if !isDelivering { return }
    _ = outputs.states.next(&delivery, &dropped)
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
