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
    do {
      hand.state = try mapper(current!)
      machine.folding = run
    } catch {
      fail(run, error)
    }
  }

  /// An error ends the action, as a failure or, if it says so, as a cancellation (contract 2.6).
  @usableFromInline
  func fail(_ run: Run, _ error: any Error) {
    if !(error is CancellationError) { run.error = error }
    machine.finish(run, error is CancellationError ? .cancelled : .failed)
  }

  /// Puts the end of a run that has completed or failed on the agenda.
  @inlinable
  func finish() {
    guard mayGoOn(outputs.withLock({ $0.gate })), let run = machine.finishing.take() else { return }
    machine.end(run, run.outcome)
  }

  /// Sets the state that a mapper has returned, and sends it on the streams.
  @inlinable
  func commit(_ hand: inout Hand) {
    var dropped = DroppedSubscribers()
    let gate = outputs.withLock { outputs in
      finishDelivery(&outputs, &dropped)
      isObserved = outputs.streams.isObserved
      if outputs.gate == .open { isDelivering = outputs.states.accept(.next(hand.state!), &delivery) }
      return outputs.gate
    }
    guard mayGoOn(gate), let run = machine.folding.take() else { return }
    current = hand.state.take()
    delivery.displaced = nil
    if isDelivering { delivery.send(.next(current!)) }
    if isObserved { announceFold(of: run) }
    if run.endsWithFold, !isObserved, !isInterrupted, !run.needsEnd, finishSilently(run) { return }
    run.lastState = current
    if run.endsWithFold { machine.finish(run, .completed) }
  }

  /// What follows a folded state on the other streams.
  @inlinable
  func announceFold(of run: Run) {
    finishDelivery()
    if isClosed { return }
    let core = outputs.withLock { $0.streams.actionAndState }
    core?.on(.next(ActionAndState(action: run.action, state: current!)))
    emit(.emitted(current!), of: run)
  }

  /// Ends an action that has no effect, whose end no stream tells of and no task awaits, and that shows no spinner.
  ///
  /// False if a stream has got a subscriber meanwhile that is to be told: the lock that the subscriber takes decides.
  @inlinable
  func finishSilently(_ run: Run) -> Bool {
    isObserved = outputs.withLock { outputs in
      if !outputs.streams.isObserved { outputs.remove(run) }
      return outputs.streams.isObserved
    }
    if isObserved { return false }
    run.stage = .over
    machine.leaveLane(run)
    return true
  }

  // MARK: The delivery of a state

  @usableFromInline typealias DroppedSubscribers = [Subscriber<State>?]

  @inlinable
  func finishDelivery() {
    var dropped = DroppedSubscribers()
    outputs.withLock { outputs in
      finishDelivery(&outputs, &dropped)
      isObserved = outputs.streams.isObserved
    }
  }

  /// Lets subscribers join and leave again, once a state has been sent to all.
  @inlinable
  func finishDelivery(_ outputs: inout Outputs<Action, State>, _ dropped: inout DroppedSubscribers) {
    if !isDelivering { return }
    var next: Event<State>?
    _ = outputs.states.finish(&delivery, next: &next, dropped: &dropped)
    isDelivering = false
  }
}
