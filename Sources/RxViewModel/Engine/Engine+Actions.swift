// The way of an action: begin, start, fold, end. Each runs straight through, on the driver.

extension Engine {
  /// Asks for the child, the mode and the spinner of an action, and finds a place for it.
  @inlinable
  func begin(_ run: Run, _ viewModel: ViewModel) {
    // Cancelled while queued. It is still asked for its child and mode, because its phase carries the mode.
    let isOver = run.stage == .over
    if !isOver, run.isDropped { return finish(run, .dropped) }
    let child = viewModel.child(for: run.action)
    let refusal = isOver || child == nil && run.instance == nil ? nil : bind(run, to: child, viewModel)
    if case nil = run.mode {
      run.mode = child.map { $0.station.mode($0.station) } ?? viewModel.executionMode(for: run.action)
      run.hasOwnLanes = child != nil
    }
    if isOver { return end(run, .cancelled) }
    if let refusal { return finish(run, refusal) }
    run.showsSpinner =
      child.map { $0.station.showsSpinner($0.station, current!.value) } ?? viewModel.showSpinner(run.action)
    if run.mode!.usesLane { admit(run, viewModel) } else { start(run, viewModel) }
  }

  /// Finds a place for the action in its lane.
  @inlinable
  func admit(_ run: Run, _ viewModel: ViewModel) {
    let mode = run.mode!
    let key = Lane.Key(mode, of: run.hasOwnLanes ? run.instance.map { ObjectIdentifier($0) } : nil)
    let lane = lanes[key] ?? Lane(key)
    let isFree = lane.first == nil
    if !isFree, case .dropWhileBusy = mode.kind {
      let isEnding = shared.withLock { goesOn(run, &$0) && lane.runs.allSatisfy(\.isEnding) }
      if !isEnding { return finish(run, .dropped) }
      // Actions that are cancelled leave the lane first.
      while case .done = step(isInside: true) {}
      return goesOn(run) ? admit(run, viewModel) : ()
    }
    let waits = shared.withLock { shared -> Bool in
      if !goesOn(run, &shared) { return false }
      // The run takes its place before the earlier ones end, and starts after the streams have announced their ends.
      if mode.switches { for run in lane.runs { shared.end(run, .superseded) } }
      run.stage = .waiting
      return true
    }
    if !waits { return }
    if isFree { lanes[key] = lane }
    lane.append(run)
    if let quiet = mode.quiet { return startTimer(of: run, quiet) }
    if isFree || mode.isOrdered || !mode.switches && lane.candidate === run { start(run, viewModel) }
  }

  /// Starts the timer that debounces a `switchLatest(_:after:)`. The timer does not keep the view model alive.
  @usableFromInline
  func startTimer(of run: Run, _ quiet: Duration) {
    guard let scheduler = shared.withLock({ $0.held.scheduler }) else { return }
    let timer = inside(run.id) {
      scheduler.schedule(after: quiet) { [weak self, weak run] in if let self, let run { send(.quiet(run)) } }
    }
    keep(timer, for: run)
  }

  /// Announces the action, asks for its effect, and subscribes to the effect, unless it is a single mapper that can be folded now.
  @inlinable
  func start(_ run: Run, _ viewModel: ViewModel) {
    let starts = shared.withLock { shared -> Bool in
      if !goesOn(run, &shared) { return false }
      (run.stage, run.isLoading) = (.started, true)
      isObserved = shared.streams.isObserved
      return true
    }
    if !starts { return }
    run.lane?.pass(run)
    if run.showsSpinner || isObserved {
      emit((run.id, run, true)) { $0.loading }
      emit((.started, .none), of: run)
      if !goesOn(run) { return }
    }
    let effect = effect(of: run, viewModel)
    guard case .just(let mapper) = effect.representation else { return subscribe(run, to: effect) }
    if !run.isHeld, events.isEmpty { return fold(mapper, of: run, .completes) }
    // What was sent inside `createObservable` comes before the mapper.
    for event in [.next(mapper), .completed] as [Event<Mapper>] { events.append((run, event)) }
  }

  @inlinable
  func effect(of run: Run, _ viewModel: ViewModel) -> Observable<Mapper> {
    creating = run
    defer { creating = nil }
    guard let child = run.child else { return inside(run.id) { viewModel.createObservable(run.action) } }
    let (state, port) = (current!, port(of: run))
    return inside(run.id) { child.effect(in: state.value, port) }
  }

  /// Subscribes to an effect, or to a source. The driver handles an event that arrives meanwhile immediately (contract 2.3).
  @inlinable
  func subscribe(_ run: Run, to effect: Observable<Mapper>) {
    let scope = Scope()
    if !keep(scope, for: run, isSubscribing: true) { return }
    isSubscribing = true
    inside(run.id) { effect.connect(Sink { [self] in sink(run, $0) }, closing: scope) }
    isSubscribing = false
    shared.withLock { $0.subscribing = nil }
  }

  /// Retains the disposable that the end of the run disposes. Disposes it now, and returns false, if the run has ended in the meantime.
  @inlinable
  @discardableResult
  func keep(_ effect: any Disposable, for run: Run, isSubscribing: Bool = false) -> Bool {
    // The effect replaces a timer that has fired, which is released after the lock.
    var kept: (any Disposable)? = effect
    let isKept = shared.withLock { shared in
      if !goesOn(run, &shared) { return false }
      run.hasResources = true
      swap(&run.effect, &kept)
      if isSubscribing { shared.subscribing = run }
      return true
    }
    if !isKept { effect.dispose() }
    return isKept
  }

  // MARK: From an event to the next state

  /// Receives an event of an effect, on any thread. Returns whether the effect should continue.
  ///
  /// An event that is sent inside the view model's own work comes before everything from elsewhere, except earlier events of the same
  /// effect.
  @inlinable
  func sink(_ run: Run, _ event: Event<Mapper>) -> Demand {
    var isFirst = false
    let turn = shared.withLock { shared -> Turn? in
      if !goesOn(run, &shared) { return .refused }
      if !shared.isDrivenHere {
        tap?.send(run.id)
        return shared.append(.event(run, event))
      }
      if run.waitingEvents > 0 { takeAlong(run, &shared) }
      // Nothing was sent before it, so it skips the queue: a million mappers take no memory.
      isFirst = isSubscribing && events.isEmpty && shared.held.ends.isEmpty
      if !isFirst { events.append((run, event)) }
      return nil
    }
    switch turn {
    case .refused?: return .noMore
    case let turn? where turn > .unneeded: schedule(turn)
    case nil where isSubscribing:
      isSubscribing = false
      if isFirst { receive(run, event, isChecked: true) }
      if !isOpening || !events.isEmpty { while case .done = step(isInside: true) {} }
      isSubscribing = true
      return run.stage == .over ? .noMore : .more
    default: break
    }
    return .more
  }

  /// Moves the waiting events of a run from the inputs to the events. O(n) for n inputs.
  @usableFromInline
  func takeAlong(_ run: Run, _ shared: inout EngineState<Action, State>) {
    run.waitingEvents = 0
    var left = quota
    let isTaken = { [self] (input: EngineInput<Action, State>) in
      left -= 1
      guard case .event(let other, let event) = input, other === run else { return false }
      events.append((run, event))
      if left >= 0 { quota -= 1 }
      return true
    }
    shared.held.inputs.removeAll(where: isTaken)
    shared.held.parked.removeAll(where: isTaken)
    tap?.forward(run.id)
  }

  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>, isChecked: Bool = false) {
    if run.isHeld { return run.held.append(event) }
    switch event {
    case .next(let mapper):
      // The single mapper of an action and the completion count as one event, even if they have waited.
      if run.stage != .following, case nil = run.lastState, case (let next, .completed)? = events.first, next === run {
        _ = events.popFirst()
        return fold(mapper, of: run, .completes, isChecked: isChecked)
      }
      fold(mapper, of: run, .more, isChecked: isChecked)
    case .error(let error): fail(run, error, isChecked: isChecked)
    case .completed where run.stage == .following: unfollow(run)
    case .completed: if run.lastState != nil { finish(run, .completed) } else { fold({ $0 }, of: run, .completes) }
    }
  }

  /// What a fold means for its action.
  @usableFromInline
  enum Fold {
    case more
    /// The mapper is the effect's last event.
    case completes
    /// The mapper is that of `stateMapper(for:action:)`.
    case fails(any Error)
  }

  /// Calls a mapper with the current state, makes its result the current one, and emits it.
  @inlinable
  func fold(_ mapper: Mapper, of run: Run, _ kind: Fold, isChecked: Bool = false) {
    if !isChecked, !goesOn(run) { return }
    let state: Box<State>
    do {
      state = if tap?.player?.isFrozen == true { current! } else { try current!.next(mapper) }
    } catch {
      guard case .fails(let first) = kind else { return fail(run, error) }
      return finish(run, .failed(first, mapperError: error is CancellationError ? nil : error))
    }
    if !commit(state, of: run, kind) || run.stage == .following { return }
    if isObserved {
      emit(ActionAndState(action: run.action, state: state.value)) { $0.actionAndState }
      emit((.emitted(state.value), .none), of: run)
    }
    switch kind {
    case .more:
      run.lastState = state
      run.watcher?.actionHasFolded(run)
    case .completes: finish(run, .completed)
    case .fails(let error): finish(run, .failed(error, mapperError: nil))
    }
  }

  /// Makes a state the current one, and delivers it. Also ends the actions of the children that the state no longer has, unless the fold
  /// ends its own action: then the end of that action does so.
  @inlinable
  func commit(_ state: Box<State>, of run: Run, _ kind: Fold) -> Bool {
    if isOpening {
      current = state
      return true
    }
    let isDelivering = shared.withLock { shared -> Bool? in
      if !goesOn(run, &shared) { return nil }
      isObserved = shared.streams.isObserved
      return shared.states.accept(state, &delivery)
    }
    guard let isDelivering else { return false }
    current = state
    if case .more = kind { endRemoved() }
    tap?.fold(state.value)
    if isDelivering {
      deliver(state, &delivery)
      // A subscriber may have subscribed to another stream meanwhile.
      if !isObserved { isObserved = shared.withLock { $0.streams.isObserved } }
    }
    delivery.displaced = nil
    return true
  }

  // MARK: The end

  /// Whether the run goes on after user code, because nothing has ended it on any thread.
  @inlinable
  func goesOn(_ run: Run) -> Bool {
    shared.withLock { goesOn(run, &$0) }
  }

  @inlinable
  func goesOn(_ run: Run, _ shared: inout EngineState<Action, State>) -> Bool {
    look(&shared)
    return !shared.isClosed && !run.isEnding && run.stage != .over
  }

  /// Ends an action that has failed. A `CancellationError` ends it as cancelled. For another error, first folds the mapper that the
  /// action's child or, if no level of the child has one, the view model returns for it.
  @inlinable
  func fail(_ run: Run, _ error: any Error, isChecked: Bool = false) {
    if run.stage == .following { return unfollow(run, error) }
    if error is CancellationError { return finish(run, .cancelled) }
    guard isChecked || goesOn(run), let viewModel else { return }
    if let mapper = run.child?.mapper(for: error) { return fold(mapper, of: run, .fails(error)) }
    guard let mapper = viewModel.stateMapper(for: error, action: run.action) else {
      return finish(run, .failed(error, mapperError: nil))
    }
    fold(run.child?.changingAll(mapper) ?? mapper, of: run, .fails(error))
  }

  /// Ends an action, unless something else has ended it.
  @inlinable
  func finish(_ run: Run, _ outcome: Outcome) {
    let isOver = shared.withLock { shared -> Bool in
      if !goesOn(run, &shared) { return false }
      (run.stage, run.outcome) = (.over, outcome)
      isObserved = shared.streams.isObserved
      return true
    }
    if isOver { end(run, outcome) }
  }

  /// Disposes the effect of a run that is over, reports its error, announces the end, and notifies the watcher.
  @inlinable
  func end(_ run: Run, _ outcome: Outcome) {
    let followers = run.hasResources ? dispose(run, outcome) : []
    switch outcome {
    case .completed: tap?.forward(run.id)
    case .dropped, .refused: break
    case .cancelled, .superseded: if let batch = run.batch { shared.withLock { _ in batch.stop(at: run.id) } }
    case .failed(let error, let mapperError):
      tap?.forward(run.id)
      if let batch = run.batch { shared.withLock { _ in batch.stop(at: run.id) } }
      report(error, of: run, isThrown: run.watcher is Awaiter<State>)
      if let mapperError { report(mapperError, of: run) }
      isObserved = shared.withLock { $0.streams.isObserved }
    }
    if isObserved { emit(phase(of: run, outcome), of: run) }
    tap?.end(run.id)
    if let tap, let batch = run.batch, let id = batch.stoppedAt { tap.stop(batch.first, at: id) }
    if let watcher = run.watcher { watcher.actionHasEnded(run, result(of: run, outcome)) }
    if !followers.isEmpty { accept(followers, after: run) }
    move(run, to: nil, nil)
    endRemoved()
    run.lastState = nil
    if let lane = run.lane {
      lane.remove(run)
      if lane.first == nil {
        lanes[lane.key] = nil
        if lanes.isEmpty, lanes.capacity > 64 { lanes = [:] }
      }
      jobs.append((lane, run))
    } else if jobs.isEmpty, events.isEmpty {
      release(run)
    } else {
      jobs.append((nil, run))
    }
  }

  /// Disposes the effect, and releases what it has sent. Returns the actions that follow.
  @inlinable
  func dispose(_ run: Run, _ outcome: Outcome) -> [Run] {
    run.held = Queue()
    var followers: [Run] = []
    let effect = shared.withLock { _ -> (any Disposable)? in
      swap(&followers, &run.followers)
      return run.effect.take()
    }
    effect?.dispose()
    isObserved = shared.withLock { $0.streams.isObserved }
    return if case .completed = outcome { followers } else { [] }
  }

  @inlinable
  func phase(of run: Run, _ outcome: Outcome) -> Phase {
    switch outcome {
    case .completed: (.completed((run.lastState ?? current!).value), .none)
    case .failed(let error, _): (.failed(error), .none)
    case .cancelled: (.cancelled, .none)
    case .superseded: (.cancelled, .superseded)
    case .dropped: (.dropped, .none)
    case .refused(let absent): (.dropped, .refused(absent))
    }
  }

  @usableFromInline
  func result(of run: Run, _ outcome: Outcome) -> Result<AnyObject, any Error> {
    switch outcome {
    case .completed: .success(run.lastState ?? current!)
    case .failed(let error, _): .failure(error)
    case .cancelled, .superseded, .dropped, .refused: .failure(CancellationError())
    }
  }

  /// Calls `handleError`, and sends the error if that returns false. Calls `diagnose` if the error reaches no subscriber, no view shows the
  /// failures, and no `perform` throws it.
  @usableFromInline
  func report(_ error: any Error, of run: Run?, isThrown: Bool = false) {
    let action = run?.action
    guard let viewModel, !isOver, !viewModel.handleError(error, action: action) else { return }
    let failure = ActionAndError(action: action, error: error, retrying: run.map { FailedAction($0, of: self) })
    // What was held before is released without the lock.
    var held = (failure: Optional(failure), readers: Held<Action, State>().readers)
    let streams = shared.withLock { shared -> Streams<Action, State>? in
      if shared.isClosed { return nil }
      // The failure keeps its instance, so that the end of the child ends the failure too.
      failure.retrying?.instance?.uses += 1
      swap(&held.failure, &shared.held.failure)
      swap(&held.readers, &shared.held.readers)
      held.failure?.retrying?.instance?.uses -= 1
      return shared.streams
    }
    guard let streams else { return }
    if let instance = held.failure?.retrying?.instance { prune(instance) }
    emit(failure) { $0.failure }
    if streams.error?.hasObservers == true || streams.actionAndError?.hasObservers == true {
      emit(error) { $0.error }
      // A subscriber of the first stream may have subscribed to the second.
      emit(failure) { $0.actionAndError }
    } else if !isThrown, !held.readers.values.contains(where: { $0(failure) }) {
      viewModel.diagnose(.unobservedError(error, action))
    }
  }
}
