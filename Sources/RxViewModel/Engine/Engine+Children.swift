// The instance of a child that an action belongs to, its end, and what its effect asks for (contract 2.19).

extension Engine {
  /// The instance that stands for the view model itself. Only the driver uses it.
  @usableFromInline
  var root: ChildInstance {
    if let rootInstance { return rootInstance }
    let root = ChildInstance()
    rootInstance = root
    return root
  }

  /// Binds an action to the instance of its child that is present. Returns how the action ends if there is no such instance, or if an
  /// effect has executed the action for another instance.
  @inlinable
  func bind(_ run: Run, to child: ChildAction<Action, State>?, _ viewModel: ViewModel) -> Outcome? {
    if run.instance?.isOver == true { return .cancelled }
    let state = current!
    let found: FoundChild = child.map { $0.station.find($0.station, state.value, root) } ?? (root, nil)
    let isBound = run.instance == nil && found.absent == nil
    let refusal = isBound ? nil : refusal(of: run, found, viewModel)
    if refusal == nil { move(run, to: child, child == nil ? nil : found.instance) } else { prune(found.instance) }
    return refusal
  }

  /// How an action ends that can't belong to the found instance: its child is absent, or another instance has executed the action. Nil if
  /// it can. Calls `diagnose`.
  @usableFromInline
  func refusal(of run: Run, _ found: FoundChild, _ viewModel: ViewModel) -> Outcome? {
    guard let owner = run.instance else {
      viewModel.diagnose(.absentChild(run.action))
      return found.absent.map { .refused($0) }
    }
    let isSame = run.isRetry ? found.instance.isSame(as: owner) : found.instance.way.contains { $0 === owner }
    if !isSame, !run.isRetry { viewModel.diagnose(.misplacedChild(run.action)) }
    return isSame && found.absent == nil ? nil : .dropped
  }

  /// Moves an action to another instance or, at its end, to none.
  @inlinable
  func move(_ run: Run, to child: ChildAction<Action, State>?, _ instance: ChildInstance?) {
    if run.instance == nil, instance == nil { return }
    let (earlier, former) = (run.instance, run.child)
    let isUnused = shared.withLock { _ in
      earlier?.uses -= 1
      instance?.uses += 1
      (run.instance, run.child) = (instance, child)
      return earlier?.uses == 0
    }
    // Releases the user's closures only here, without the lock.
    withExtendedLifetime(former) {}
    if let earlier { prune(earlier, isUnused: isUnused) }
  }

  /// Forgets an instance that has no unfinished actions and contains no other instance, then its parent in the same way. The caller may
  /// know whether it has unfinished actions.
  @usableFromInline
  func prune(_ instance: ChildInstance, isUnused: Bool? = nil) {
    guard let parent = instance.parent, instance.places.isEmpty else { return }
    if isUnused ?? shared.withLock({ _ in instance.uses == 0 }) {
      instance.leave()
      prune(parent)
    }
  }

  /// Ends the actions of the children that the current state no longer has. Called after each fold; if a fold ends its action, called once
  /// that action has left its instance.
  @inlinable
  func endRemoved() {
    guard let rootInstance, !rootInstance.places.isEmpty else { return }
    var removed: [ChildInstance] = []
    rootInstance.findRemoved(in: current!.value, &removed)
    if !removed.isEmpty { end(removed) }
  }

  @usableFromInline
  func end(_ removed: [ChildInstance]) {
    let orphans = shared.withLock { shared in
      for instance in removed { instance.isRemoved = true }
      return shared.runs { $0.isUnfinished && $0.instance?.isOver == true }
    }
    for instance in removed { instance.leave() }
    shared.withLock { shared in for orphan in orphans { shared.end(orphan, .cancelled) } }
  }

  /// The child that an action in the table belongs to, until the action ends. Nil for the view model's own. Called on any thread.
  func child(of run: Run) -> ChildInstance? { shared.withLock { _ in run.child == nil ? nil : run.instance } }

  // MARK: What an effect asks for

  /// The port of the action whose effect this thread is making. Nil on another thread, and at another time.
  @usableFromInline
  func portOfCurrentAction() -> ActionPort<Action, State>? {
    shared.withLock { $0.isDrivenHere } ? creating.map { port(of: $0) } : nil
  }

  @usableFromInline
  func port(of run: Run) -> ActionPort<Action, State> { ActionPort(self, run, run.instance ?? root) }

  /// Accepts the actions that follow one that has completed, unless its instance has been removed.
  @usableFromInline
  func accept(_ followers: [Run], after run: Run) {
    // The fold that has completed the action may have removed its instance.
    endRemoved()
    // The turn that is under way takes them later, or schedules another one.
    shared.withLock { shared in for follower in followers { _ = shared.accept(follower, of: run.instance ?? root) } }
  }
}

extension EngineState {
  /// Accepts an action that belongs to an instance, or to the view model. If the instance has been removed, a retry ends when its turn
  /// comes, and another action isn't accepted.
  mutating func accept(_ run: Run, of instance: ChildInstance?, isRetry: Bool = false) -> Turn {
    if !isRetry, instance?.isOver == true { return .unneeded }
    (run.instance, run.isRetry) = (instance, isRetry)
    instance?.uses += 1
    return accept(run)
  }
}

/// The requests that an effect may make to its view model, from any thread, while its action is unfinished.
///
/// It retains the engine, which doesn't retain the view model. An app that keeps a context longer keeps a closed engine without a state.
@usableFromInline
final class ActionPort<Action: Sendable, State: Sendable>: ContextPort {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// The run and the instance are nil if the effect was not made for an action of the view model.
  private let (engine, run, instance): (Engine<Action, State>, Run?, ChildInstance?)

  @usableFromInline
  init(_ engine: Engine<Action, State>, _ run: Run? = nil, _ instance: ChildInstance? = nil) {
    (self.engine, self.run, self.instance) = (engine, run, instance)
  }

  @usableFromInline
  var scheduler: any Scheduler { engine.scheduler }

  @usableFromInline
  func send(_ action: Action, _ request: ContextRequest) {
    // An action that comes too late to follow is reported below.
    if case .follow = request, follow(action) { return }
    guard let viewModel = engine.viewModel, let run, let instance else { return }
    let turn = engine.shared.withLock { shared -> Turn? in
      if shared.isClosed { return .unneeded }
      if case .completed? = run.outcome { return nil }
      if case .failed? = run.outcome { return nil }
      if !run.isUnfinished { return .unneeded }
      return switch request {
      case .execute, .follow: shared.accept(ActionRun(action), of: instance)
      case .output: shared.accept(ActionRun(action), of: instance.parent ?? instance)
      case .emit(let body): shared.append(.call(body))
      }
    }
    if let turn { engine.scheduleIfNeeded(turn) } else { engine.report(.executedAfterEnd(action), for: viewModel) }
  }

  @usableFromInline
  func cancel(where matches: @escaping @Sendable (any Sendable) -> Bool) {
    guard let run, let instance else { return }
    // Counts as an action of the instance, so that the actions that wait in the inputs belong to the same one.
    let isUnfinished = engine.shared.withLock { _ in
      if run.isUnfinished { instance.uses += 1 }
      return run.isUnfinished
    }
    if !isUnfinished { return }
    let cancel = { @Sendable [engine] in
      engine.cancel { run in
        let (stage, owner, child) = engine.shared.withLock { _ in (run.stage, run.instance, run.child) }
        let isOwn = owner === instance || owner == nil && instance.parent == nil
        guard isOwn, stage == .waiting || stage == .started else { return false }
        return matches(child.map { $0.station.innermostAction($0.station) } ?? run.action)
      }
    }
    cancel()
    // Once more for the actions that wait in the inputs: they are taken before this call.
    engine.send(
      .call { [engine] in
        cancel()
        engine.shared.withLock { _ in instance.uses -= 1 }
        engine.prune(instance)
      })
  }

  /// Executes an action after the port's own action, if that completes. Returns false if it has completed already.
  func follow(_ action: Action) -> Bool {
    guard let run else { return true }
    return engine.shared.withLock { shared in
      if case .completed? = run.outcome { return false }
      if shared.isClosed || run.isEnding || run.stage == .over { return true }
      run.followers.append(ActionRun(action))
      run.hasResources = true
      return true
    }
  }
}
