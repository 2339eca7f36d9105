// The way of an action: begin, start, fold, end. Each runs straight through, on the driver.

extension Engine {
  /// Asks for the child, the mode and the spinner of an action, and finds a place for it.
  @inlinable
  func begin(_ run: Run, _ viewModel: ViewModel) {
    // Cancelled while queued. It is still asked for its child and mode, because its phase carries the mode.
    let isOver = run.stage.isOver
    if !isOver, let drop = run.drop { return finish(run, drop) }
    let child = viewModel.child(for: run.action)
    let refusal = isOver || child == nil && run.owner.instance == nil ? nil : bind(run, to: child, viewModel)
    if case nil = run.mode {
      run.mode = child?.mode ?? viewModel.executionMode(for: run.action)
      run.owner.hasOwnLanes = child != nil
    }
    if isOver { return announceEnd(of: run, Removed()) }
    if let refusal { return finish(run, refusal) }
    run.showsSpinner = child?.showsSpinner(in: current!.value) ?? viewModel.showSpinner(run.action)
    if run.mode!.usesLane { return admit(run, viewModel) }
    showUpdate(of: run, viewModel)
    start(run, viewModel)
  }

  /// Finds a place for the action in its lane.
  @inlinable
  func admit(_ run: Run, _ viewModel: ViewModel) {
    let mode = run.mode!
    let key = Lane.Key(mode, of: run.owner.hasOwnLanes ? run.owner.instance?.owner(of: mode.lane) : nil)
    let known = lanes[key]
    let lane = known ?? Lane(key)
    if known == nil { lanes[key] = lane }
    let (isFree, isJoining) = (lane.first == nil, mode.joins)
    var rival: Run?
    if !isFree, isJoining || mode.drops {
      let isRival = { (other: Run) in !isJoining || other.mode == mode }
      if !goesOn(run, { _ in rival = lane.runs.first { isRival($0) && $0.isUnfinished } }) { return }
      if let rival, !isJoining { return finish(run, .dropped(.busy(with: rival.id))) }
      // Actions that are cancelled leave the lane first.
      if rival == nil, lane.runs.contains(where: isRival) {
        return jobs.append(.call { [self] in if goesOn(run) { admit(run, $0) } })
      }
    }
    showUpdate(of: run, viewModel)
    if isFree {
      lane.append(run)
      return mode.quiet.map { wait(run, $0) } ?? start(run, viewModel)
    }
    let waits = goesOn(run) { shared in
      // The run takes its place before the earlier ones end, and starts after the streams have announced their ends.
      if mode.switches || mode.keepsLatest {
        for other in lane.runs where mode.switches || other.stage.isWaiting && other.mode!.keepsLatest {
          shared.interrupt(other, as: .cancelled(.superseded(by: run.id)))
        }
      }
      run.stage = rival == nil ? .waiting : .joined
    }
    if !waits { return }
    lane.append(run)
    if let rival {
      run.link.hasJoined = true
      lane.pass(run)
      return willWait(run, .joined(rival.id))
    }
    if let quiet = mode.quiet { return wait(run, quiet) }
    if mode.isOrdered || isJoining || !mode.switches && lane.candidate === run { return start(run, viewModel) }
    // One that switches starts as soon as the streams have announced the ends.
    if !mode.switches { willWait(run, nil) }
  }

  /// Announces that an action waits in its lane, unless it has started or ended meanwhile. The ends that it has caused come first.
  @usableFromInline
  func willWait(_ run: Run, _ cause: ExecutionCause?) {
    if !isObserved, tap == nil { return }
    jobs.append(
      .call { [self] _ in
        let cause = cause ?? run.link.previous.map { .busy(with: $0.id) }
        guard let cause, goesOn(run), run.stage != .started else { return }
        tap?.wait(run.id, cause)
        emit((.waiting, cause), of: run)
      })
  }

  /// Debounces an action that has its place in a lane. The timer does not keep the view model alive.
  @usableFromInline
  func wait(_ run: Run, _ quiet: Duration) {
    if !goesOn(run, { _ in run.stage = .debouncing }) { return }
    let scheduler = inbox.withLock { $0.scheduler }
    let timer = attributing(to: run.id) {
      scheduler?.schedule(
        after: quiet, inOrigin(isTimer: true) { [weak self, weak run] in if let self, let run { post(.quiet(run)) } })
    }
    if let timer { keep(timer, for: run) }
    willWait(run, .debounced)
  }

  /// Ends the debounces in the lanes with this name, in the order of the actions; if there is an instance, only in the lane that it uses.
  @usableFromInline
  func flush(_ name: ExecutionMode.Lane, of instance: ChildInstance? = nil) {
    let named = lanes.values.filter { lane in
      lane.key.name == name && instance.map { $0.owner(of: name) == lane.key.owner } ?? true
    }
    let runs = named.flatMap { $0.runs }.sorted { $0.id < $1.id }
    for run in runs where run.stage == .debouncing { endDebounce(run) }
  }

  /// Lets a debounced action start as soon as its lane lets it.
  @usableFromInline
  func endDebounce(_ run: Run) {
    var timer: (any Disposable)?
    let waits = goesOn(run) { _ in
      run.stage = .waiting
      swap(&timer, &run.effect)
    }
    timer?.dispose()
    if waits { jobs.append(.pass(run.link.lane, nil, after: nil)) }
  }

  /// Announces the action, asks for its effect, and subscribes to the effect, unless it is a single mapper that can be folded now.
  ///
  /// - Parameter cause: What the action has waited for.
  @inlinable
  func start(_ run: Run, _ viewModel: ViewModel, _ cause: @autoclosure () -> ExecutionCause? = nil) {
    let starts = goesOn(run) { shared in
      run.stage = .started
      shared.subscribing = run.id
    }
    if !starts { return }
    run.link.lane?.pass(run)
    if let tap { tap.start(run.id, cause()) }
    if run.steps != nil || optimism != nil, !beginSteps(run) { return }
    if run.showsSpinner || isObserved {
      emit((run.id, run, true)) { $0.loading }
      emit((.started, cause()), of: run)
      if !goesOn(run) { return }
    }
    let effect = effect(of: run, viewModel)
    guard case .just(let mapper) = effect.representation else { return subscribe(run, to: effect) }
    if !run.isDeferred, events.isEmpty { return goesOn(run) ? fold(mapper, of: run, .completes(isEmpty: false)) : () }
    // What was sent inside `createObservable` comes before the mapper, which waits for nothing else.
    if !run.isDeferred { run.steps?.startsOnTop = true }
    for event in [.next(mapper), .completed] as [Event<Mapper>] { events.append((run, event)) }
  }

  @inlinable
  func effect(of run: Run, _ viewModel: ViewModel) -> Observable<Mapper> {
    creating = run
    defer { creating = nil }
    guard let child = run.owner.child else { return attributing(to: run.id) { viewModel.createObservable(run.action) } }
    let (state, port) = (optimism.map { self.state(for: run, $0) } ?? current!, port(of: run))
    return attributing(to: run.id) { child.effect(in: state.value, port) }
  }

  /// Subscribes to an effect, or to a source. The driver handles an event that arrives meanwhile immediately (contract 2.3).
  @inlinable
  func subscribe(_ run: Run, to effect: Observable<Mapper>) {
    let scope = Scope()
    if !keep(scope, for: run) { return }
    isSubscribing = true
    attributing(to: run.id) { effect.connect(Sink { [self] in sink(run, $0) }, closing: scope) }
    isSubscribing = false
  }

  /// Retains the disposable that the end of the run disposes. Disposes it now, and returns false, if the run has ended in the meantime.
  @inlinable
  @discardableResult
  func keep(_ effect: any Disposable, for run: Run) -> Bool {
    let isKept = goesOn(run) { _ in run.effect = effect }
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
    var hasEarlier = false
    let turn = inbox.withLock { inbox -> Turn? in
      if inbox.isClosed { return .refused }
      if inbox.isDrivenHere {
        hasEarlier = run.sent != run.taken
        return nil
      }
      run.sent &+= 1
      return inbox.append(.event(run, event))
    }
    if let turn { return scheduleIfNeeded(turn) ? .more : .noMore }
    if hasEarlier || !isSubscribing, !goesOn(run) { return .noMore }
    if hasEarlier { takeAlong(run) }
    tap?.handle(run.id)
    if !isSubscribing {
      events.append((run, event))
      return .more
    }
    isSubscribing = false
    let goesOn = receiveWaiting(before: run)
    if goesOn { receive(run, event) }
    isSubscribing = true
    return goesOn && !run.stage.isOver ? .more : .noMore
  }

  /// Moves the waiting events of a run from the inputs to the events. O(n) for n inputs.
  @usableFromInline
  func takeAlong(_ run: Run) {
    withBoth { shared, inbox in
      run.taken = run.sent
      let isTaken = { [self] (input: EngineInput<Action, State>) in
        guard case .event(let other, let event) = input, other === run else { return false }
        events.append((run, event))
        tap?.handle(run.id)
        return true
      }
      shared.inputs.removeAll(where: isTaken)
      inbox.inputs.removeAll(where: isTaken)
      inbox.parked.removeAll(where: isTaken)
    }
  }

  /// Handles the ends and the events that wait, inside the subscription to the effect of a run. Returns whether the run goes on then: its
  /// next event needn't wait, so a million mappers take no memory.
  @inlinable
  func receiveWaiting(before run: Run) -> Bool {
    while true {
      var removed = Removed()
      switch shared.withLock({ goesOn(run, &$0) ? urgent(&$0, &removed) : .outdated }) {
      case .end(let run)?: announceEnd(of: run, removed)
      case .event?: receiveNext()
      case nil: return true
      default: return false
      }
    }
  }

  @inlinable
  func receiveNext() { if let (run, event) = events.popFirst(), goesOn(run) { receive(run, event) } }

  /// Handles an event of a run that goes on.
  @inlinable
  func receive(_ run: Run, _ event: Event<Mapper>) {
    if run.isDeferred { return run.deferred.append(event) }
    switch event {
    case .next(let mapper):
      // The single mapper of an action and the completion count as one event, even if they have waited.
      if run.stage != .following, case nil = run.lastState, case (let next, .completed)? = events.first, next === run {
        _ = events.popFirst()
        return fold(mapper, of: run, .completes(isEmpty: false))
      }
      fold(mapper, of: run, .more)
    case .error(let error): fail(run, error)
    case .completed where run.stage == .following: unfollow(run)
    case .completed:
      if run.lastState != nil { finish(run, .completed) } else { fold({ $0 }, of: run, .completes(isEmpty: true)) }
    }
  }

  /// What a fold means for its action.
  @usableFromInline
  enum Fold {
    case more
    /// The mapper is the effect's last event. Empty if there is none: the action emits the current state.
    case completes(isEmpty: Bool)
    /// The mapper is that of `stateMapper(for:action:)`.
    case fails(any Error)
  }

  /// Calls a mapper of a run that goes on with the current state, makes the result the current one, and delivers it.
  @inlinable
  func fold(_ mapper: @escaping Mapper, of run: Run, _ kind: Fold) {
    let state: Box<State>
    tap?.willFold()
    do {
      state = if let optimism { try next(mapper, of: run, kind, optimism) } else { try current!.next(mapper) }
    } catch {
      guard case .fails(let first) = kind else { return goesOn(run) ? fail(run, error) : () }
      return finish(run, .failed(first, mapperError: error is CancellationError ? nil : error))
    }
    if isOpening {
      current = state
      return
    }
    var isDelivering = false
    if !goesOn(run, { isDelivering = $0.states.accept(state, &delivery) }) { return }
    current = state
    if let optimism { acceptStep(optimism) }
    // If the fold ends its own action, the end of that action looks for removed children.
    if case .more = kind { endRemoved() }
    tap?.fold(state.value)
    if isDelivering { delivery.send(state) }
    var removed = Removed()
    endDelivery(of: run, kind, isDelivering, &removed)
    return run.stage.isOver ? announceEnd(of: run, removed) : announce(state, of: run, kind)
  }

  /// Ends the delivery of a state. If that completes its action, and nothing observes actions, the action's end begins in the same section.
  @inlinable
  func endDelivery(of run: Run, _ kind: Fold, _ isDelivering: Bool, _ removed: inout Removed) {
    func nextEvent(_ shared: inout Shared) -> Event<Box<State>>? {
      if isDelivering, let event = shared.states.next(&delivery) { return event }
      isObserved = shared.streams.isObserved
      if case .completes = kind, !isObserved { _ = beginEnd(run, .completed, &shared, &removed) }
      return nil
    }
    while let event = shared.withLock({ nextEvent(&$0) }) { delivery.send(event) }
    delivery.displaced = nil
  }

  /// Emits what follows the state of a fold.
  @inlinable
  func announce(_ state: Box<State>, of run: Run, _ kind: Fold) {
    if run.stage == .following { return }
    if isObserved {
      emit(ActionAndState(action: run.action, state: state.value)) { $0.actionAndState }
      emit((.emitted(state.value), nil), of: run)
    }
    switch kind {
    case .more:
      run.lastState = state
      run.watcher?.actionHasFolded(run)
    case .completes: finish(run, .completed)
    case .fails(let error): finish(run, .failed(error, mapperError: nil))
    }
  }

  // MARK: The check after user code

  /// Whether the run goes on after user code, because nothing has ended it on any thread. If so, makes a change in the same section.
  @inline(__always)
  @inlinable
  func goesOn(_ run: Run, _ change: (inout Shared) -> Void = { _ in }) -> Bool {
    shared.withLock { shared in
      if !goesOn(run, &shared) { return false }
      change(&shared)
      return true
    }
  }

  @inline(__always)
  @inlinable
  func goesOn(_ run: Run, _ shared: inout Shared) -> Bool {
    isObserved = shared.streams.isObserved
    return if !shared.isClosed, case nil = run.outcome { true } else { false }
  }
}
