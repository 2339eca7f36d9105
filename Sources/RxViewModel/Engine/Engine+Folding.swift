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
  /// An event from the view model's own work comes before everything from elsewhere but earlier events of its own action. It is handled when the user code that sends
  /// it has returned; but here and now if the engine is just subscribing to an effect, since it delivers nothing then.
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
  func receive(_ hand: inout Hand) {
    if let (run, event) = machine.events.popFirst() { receive(run, event, &hand) }
  }

  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>, _ hand: inout Hand) {
    if run.stage != .started { return }
    if machine.isHeld(run) { run.held.append(event) } else { take(run, event, &hand) }
  }

  @inlinable
  func release(_ hand: inout Hand) {
    if let run = machine.releasing, let event = run.held.popFirst() { take(run, event, &hand) }
  }

  @inlinable
  func take(_ run: Run, _ event: Event<Mapper>, _ hand: inout Hand) {
    switch event {
    case .next(let mapper):
      fold(mapper, of: run, &hand)
    case .error(let error):
      fail(run, error)
    case .completed:
      if run.lastState != nil { return machine.finish(run, .completed) }
      run.endsWithFold = true
      fold({ $0 }, of: run, &hand)
    }
  }

  /// Calls a mapper with the current state, and does nothing else: what it returns waits until the cancellations that it has
  /// asked for have been looked at.
  @inlinable
  func fold(_ mapper: Mapper, of run: Run, _ hand: inout Hand) {
    // Taken out for the call, because a mapper that is lent the field would be given a copy.
    let state = current.take()!
    let new: State
    do {
      new = try mapper(state)
    } catch {
      current = consume state
      return fail(run, error)
    }
    current = consume state
    if isUndisturbed { return commit(new, of: run, &hand) }
    machine.folding = run
    hand.state = consume new
  }

  /// Puts the end of a run that has completed or failed on the agenda.
  @inlinable
  func finish(_ hand: inout Hand) {
    guard mayGoOn(outputs.withLock({ $0.gate })), let run = machine.finishing else { return }
    if run.outcome == .failed, !foldFailure(of: run, &hand) { return }
    machine.finishing = nil
    machine.end(run, run.outcome)
  }

  /// Sets the state that a mapper has returned, and sends it on the streams.
  @inlinable
  func commit(_ hand: inout Hand) {
    if let run = machine.folding.take(), let state = hand.state.take() { commit(state, of: run, &hand) }
  }

  @inlinable
  func commit(_ state: consuming State, of run: Run, _ hand: inout Hand) {
    let state = consume state
    // To tell that another action has ended runs user code, and what that asks for comes first.
    if finished != nil { finishDelivery() }
    guard machine.mayCommit, !isInterrupted, !isClosed else {
      machine.folding = run
      hand.state = consume state
      return
    }
    var dropped = DroppedSubscribers()
    let gate = outputs.withLock { outputs in
      settleUp(&outputs, &dropped)
      if outputs.gate == .open { accept(state, &outputs) }
      return outputs.gate
    }
    guard mayGoOn(gate) else {
      machine.folding = run
      hand.state = consume state
      return
    }
    deliver(state)
    if isObserved { announceFold(state, of: run) }
    let isSilent = run.endsWithFold && !isObserved && !isInterrupted && !run.needsEnd
    if !isSilent { run.lastState = StateBox(state) }
    if !isClosed { current = consume state }
    if isSilent { return finishSilently(run) }
    if run.endsWithFold { machine.finish(run, .completed) }
  }

  /// What follows a folded state on the other streams.
  @inlinable
  func announceFold(_ state: State, of run: Run) {
    finishDelivery()
    if isClosed { return }
    let core = outputs.withLock { $0.streams.actionAndState }
    core?.on(.next(ActionAndState(action: run.action, state: state)))
    emit(.emitted(state), of: run)
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

  /// Makes a state the current one for readers and for replays. Under the lock of the outputs; drops nothing.
  @inline(__always)
  @inlinable
  func accept(_ state: State, _ outputs: inout Outputs<Action, State>) {
    isDelivering = Event.withNext(state) { event in
      Event.borrow(event) { event in
        if case .deliver = outputs.states.accept(event, &delivery) { true } else { false }
      }
    }
  }

  @inline(__always)
  @inlinable
  func deliver(_ state: State) {
    delivery.displaced = nil
    if isDelivering { Event.withNext(state) { event in Event.borrow(event) { delivery.send($0) } } }
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
