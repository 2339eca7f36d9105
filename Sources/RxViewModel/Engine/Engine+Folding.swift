// From what an effect sends to the next state (contract 2.3).

extension Engine {
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
      // True while its end is on the agenda: the effect is disposed then, and not on top of what is being ended.
      return !run.isOver && !isCleared
    }
  }

  @inlinable
  func receive(_ run: ActionRun, _ event: Event<Mapper>) {
    takeOrHold(run, event)
    foldNested()
  }

  /// What was sent from inside the last fold, and from inside these: one after the other, so that the stack does not grow.
  @inlinable
  func foldNested() {
    while !isFolding, !nested.isEmpty, mayGoOn(), let (run, event) = nested.popFirst() { takeOrHold(run, event) }
  }

  @inlinable
  func takeOrHold(_ run: ActionRun, _ event: Event<Mapper>) {
    if lanes.isHeld(run) || !run.held.isEmpty {
      if !run.isOver { run.held.append(event) }
    } else {
      take(run, event)
    }
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
      if case .deliver = inbox.states.accept(.next(state), &delivery) {
        isDelivering = true
      } else {
        isDelivering = false
      }
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
}
