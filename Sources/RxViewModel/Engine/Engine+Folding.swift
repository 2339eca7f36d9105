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
      if inbox.isClosed || run.effect.isOver { return .over }
      if inbox.isDrivenHere {
        // Mappers that wait in the ordered lane are not folded, and only a fold checks the gate.
        if !inbox.cancellations.isEmpty { gate = .interrupted }
        swap(&earlier, &run.mail.items)
        return .here
      }
      let number = run.mail.append(event)
      tap?.send(run.id)
      inbox.inputs.append(.event(run, number: number))
      return .inbox(needsTurn: inbox.needsTurn())
    }
    switch route {
    case .over:
      return false
    case .inbox(let needsTurn):
      if needsTurn { schedule(nil) }
      return true
    case .here:
      while let event = earlier.popFirst() { machine.events.append((run, event, isFromOutside: true)) }
      machine.events.append((run, event, isFromOutside: false))
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
    guard let (run, event, isFromOutside) = machine.events.popFirst() else { return }
    if isFromOutside, machine.allowance.pieces > 0 { machine.allowance.pieces -= 1 }
    receive(run, event)
  }

  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>) {
    switch run.stage {
    case .started: if machine.isHeld(run) { run.held.append(event) } else { take(run, event) }
    case .following: takeFromSource(run, event)
    case .queued, .waiting, .ending, .over: break
    }
  }

  @inlinable
  func release() {
    machine.allowance.pieces -= 1
    guard let run = machine.releasing, let event = run.held.popFirst() else { return }
    // An effect that is a single mapper ends with its fold, held or not.
    if case .next(let mapper) = event, run.lastState == nil, case .completed? = run.held.first {
      _ = run.held.popFirst()
      fold(mapper, of: run, .completes)
    } else {
      take(run, event)
    }
  }

  @inlinable
  func take(_ run: Run, _ event: Event<Mapper>) {
    switch event {
    case .next(let mapper): fold(mapper, of: run, .more)
    case .error(let error): fail(run, error)
    case .completed: if run.lastState != nil { finish(run, .completed) } else { fold({ $0 }, of: run, .completes) }
    }
  }

  /// Whether a request that waits for the next turn has ended the effect of the run (contract 2.11).
  @inlinable
  func isCancelled(_ run: Run) -> Bool {
    machine.allowance.cancellations == 0 && inbox.withLock { _ in run.effect.isOver }
  }

  /// Continues with the step that has been put aside.
  @inlinable
  func continueFolding() {
    guard let (run, step) = machine.folding.take() else { return }
    switch step {
    case .fold(let mapper, let end): fold(mapper, of: run, end)
    case .commit(let state, let end): commit(state, of: run, end)
    case .askForErrorMapper(let error, let level): askForErrorMapper(run, error, at: level)
    case .finish(let outcome): finish(run, outcome)
    }
  }

  /// Calls a mapper with the current state. The returned state waits until the machine has handled the cancellations that the mapper has
  /// requested.
  @inlinable
  func fold(_ mapper: @escaping Mapper, of run: Run, _ end: Machine<Action, State>.FoldEnd) {
    if isCancelled(run) { return }
    guard machine.mayFold, mayContinue(), tap?.arrive(counts: false) ?? true else {
      return machine.setAside(run, .fold(mapper, end))
    }
    do {
      commit(try current!.next(mapper), of: run, end)
    } catch {
      fail(run, error, in: end)
    }
  }

  /// Asks a level of the action's child, or the view model at level 0, for a mapper for the error of the action. Without one, asks the
  /// level above. The first mapper is folded before the action ends (contract 2.6).
  @inlinable
  func askForErrorMapper(_ run: Run, _ error: any Error, at level: Int) {
    if isCancelled(run) { return }
    guard machine.mayFold, mayContinue(), let host else {
      return machine.setAside(run, .askForErrorMapper(error, at: level))
    }
    let child = run.child?.child
    let mapper: Mapper?
    if level > 0 {
      mapper = child?.mapper(for: error, at: level)
    } else {
      let own = host._withUnsafeGuaranteedRef { $0.stateMapper(for: error, action: run.action) }
      mapper = own.map { child?.changingAll($0) ?? $0 }
    }
    if let mapper {
      fold(mapper, of: run, .fails(error))
    } else if level > 0 {
      askForErrorMapper(run, error, at: level - 1)
    } else {
      finish(run, .failed(error, mapperError: nil))
    }
  }

  /// Ends an action that has completed or failed, after user code.
  @inlinable
  func finish(_ run: Run, _ outcome: RunOutcome) {
    _ = mayContinue()
    conclude(run, outcome)
  }

  /// Ends an action, after a look at the gate.
  ///
  /// - Parameter isFirst: Whether other actions are about to end with it.
  @inlinable
  func conclude(_ run: Run, _ outcome: RunOutcome, isFirst: Bool = false) {
    if isCancelled(run) {
      if let node = run.node { readLater(node) }
      return
    }
    guard mayFold, tap?.arrive(counts: true) ?? true else { return machine.setAside(run, .finish(outcome)) }
    if machine.mayEnd, !isFirst { end(run, outcome) } else { machine.end(run, outcome) }
  }

  /// Makes the state that the mapper has returned the current one, and emits it.
  @inlinable
  func commit(_ state: Box<State>, of run: Run, _ end: Machine<Action, State>.FoldEnd) {
    if isCancelled(run) { return }
    let isLast = end.isLast
    let changes = childChanges(in: state.value, completing: isLast ? run : nil)
    let gone = changes?.gone ?? []
    guard mayFold, let isDelivering = send(state, changes) else { return machine.setAside(run, .commit(state, end)) }
    tap?.fold(state.value)
    settle(isDelivering: isDelivering)
    if case .ofSource = end { return endActions(of: gone, but: nil) }
    if isObserved { announceFold(state.value, of: run) }
    switch end {
    case .ofSource: break
    case .more:
      run.lastState = state
      if case .watcher(let watcher) = run.listener {
        watcher.actionHasFolded(run)
        _ = mayContinue()
      }
    case .completes: conclude(run, .completed, isFirst: !gone.isEmpty)
    case .fails(let error): conclude(run, .failed(error, mapperError: nil), isFirst: !gone.isEmpty)
    }
    endActions(of: gone, but: isLast ? run : nil)
  }

  /// Emits a fold on the streams other than the state stream.
  @inlinable
  func announceFold(_ state: State, of run: Run) {
    core { $0.actionAndState }?.on(.next(ActionAndState(action: run.action, state: state)))
    emit(.emitted(state), of: run)
  }

  /// Sends a state, and makes it the current one. Notes the changes of the children. Returns whether there are subscribers, and nil
  /// if the gate is closed.
  @inline(__always)
  @inlinable
  func send(_ state: Box<State>, _ changes: ChildChanges?) -> Bool? {
    let event = Event.next(state)
    let isDelivering = outputs.withLock { outputs -> Bool? in
      if !passes(outputs) { return nil }
      changes?.apply()
      return outputs.states.accept(event, &delivery)
    }
    if isDelivering == nil { return nil }
    current = state
    if isDelivering == true { delivery.send(event) }
    return isDelivering
  }

  /// Ends the delivery of a state: adds new subscribers and removes disposed ones.
  @inlinable
  func settle(isDelivering: Bool) {
    var dropped: [Subscriber<Box<State>>?] = []
    delivery.displaced = nil
    outputs.withLock { outputs in
      if isDelivering { _ = outputs.states.next(&delivery, &dropped) }
      _ = passes(outputs)
    }
  }
}
