// The instance of a child that an action belongs to, its end, and what its effect asks for (contract 2.19).

extension Engine {
  /// The instance that stands for the view model itself. Only the driver uses it.
  @usableFromInline
  var root: ChildInstance {
    let root = rootInstance ?? ChildInstance()
    rootInstance = root
    return root
  }

  /// Binds an action to the instance of its child that is present. Returns how the action ends if there is no such instance, or if an
  /// effect has executed the action for another instance.
  @inlinable
  func bind(_ run: Run, to child: ChildAction<Action, State>?, _ viewModel: ViewModel) -> Outcome? {
    if run.owner.instance?.isOver == true { return .cancelled(.removedChild) }
    let state = current!
    let found: FoundChild = child?.find(in: state.value, below: root) ?? (root, nil)
    let isBound = run.owner.instance == nil && found.absent == nil
    let refusal = isBound ? nil : refusal(of: run, found, viewModel)
    if refusal == nil { move(run, to: child, child == nil ? nil : found.instance) } else { prune(found.instance) }
    return refusal
  }

  /// How an action ends that can't belong to the found instance: its child is absent, or another instance has executed the action. Nil if
  /// it can. Calls `diagnose`.
  @usableFromInline
  func refusal(of run: Run, _ found: FoundChild, _ viewModel: ViewModel) -> Outcome? {
    guard let owner = run.owner.instance else {
      viewModel.diagnose(.absentChild(run.action))
      return found.absent.map { .dropped(.absentChild($0)) }
    }
    // Hidden by an unconfirmed change.
    if optimism != nil, !isPresent(owner, in: current!.value) { return .dropped(.removedChild) }
    let isSame = run.owner.isRetry ? found.instance.isSame(as: owner) : found.instance.way.contains { $0 === owner }
    if !isSame, !run.owner.isRetry { viewModel.diagnose(.misplacedChild(run.action)) }
    if isSame, found.absent == nil { return nil }
    return .dropped(isSame || run.owner.isRetry ? .removedChild : .misplacedChild)
  }

  /// Moves an action to another instance or, at its end, to none.
  @inlinable
  func move(_ run: Run, to child: ChildAction<Action, State>?, _ instance: ChildInstance?) {
    if run.owner.instance == nil, instance == nil { return }
    var owner = RunOwner<Action, State>()
    (owner.instance, owner.child) = (instance, child)
    let isUnused = shared.withLock { _ in
      swap(&owner, &run.owner)
      owner.instance?.uses -= 1
      instance?.uses += 1
      return owner.instance?.uses == 0
    }
    if let earlier = owner.instance { prune(earlier, isUnused: isUnused) }
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
    let removed = rootInstance.removed(in: current!.value)
    if !removed.isEmpty { endActions(of: removed) }
  }

  @usableFromInline
  func endActions(of absent: [ChildInstance]) {
    var removed = absent
    if let optimism {
      // While the change that removes a child is unconfirmed, its actions go on. A kept failure goes.
      let failures = shared.withLock { $0.streams.failure }
      var kept: KeptFailure<Action>?
      func isBusy(_ child: ChildInstance) -> Bool {
        child.uses > (child === kept?.failure.retrying?.instance ? 1 : 0)
          || child.places.contains { $0.children.contains(where: isBusy) }
      }
      // A failure that is dismissed meanwhile stops counting under this lock.
      let busy = shared.withLock { _ in
        kept = failures?.withSubject { $0.buffer.last }
        return absent.map(isBusy)
      }
      removed = zip(absent, busy).flatMap { $1 ? removedForGood($0, optimism) : [$0] }
      if removed.isEmpty { return }
    }
    let orphans = withBoth { shared, inbox in
      for instance in removed { instance.isRemoved = true }
      return shared.all(&inbox).filter { $0.isUnfinished && $0.owner.instance?.isOver == true }
    }
    for instance in removed { instance.leave() }
    shared.withLock { shared in for orphan in orphans { shared.interrupt(orphan, as: .cancelled(.removedChild)) } }
  }

  /// The child that an action in the table belongs to, until the action ends. Nil for the view model's own. Called on any thread.
  func child(of run: Run) -> ChildInstance? {
    shared.withLock { _ in run.owner.child == nil ? nil : run.owner.instance }
  }

  // MARK: What an effect asks for

  /// The port of the action whose effect this thread is making. Nil on another thread, and at another time.
  @usableFromInline
  func portOfCurrentAction() -> ActionPort<Action, State>? {
    inbox.withLock { $0.isDrivenHere } ? creating.map { port(of: $0) } : nil
  }

  @usableFromInline
  func port(of run: Run) -> ActionPort<Action, State> { ActionPort(self, run, run.owner.instance ?? root) }

  /// Accepts the actions that follow one that has completed, unless its instance has been removed.
  @usableFromInline
  func acceptFollowers(_ followers: [Run], of run: Run) {
    // The fold that has completed the action may have removed its instance.
    endRemoved()
    // The turn that is under way takes them later, or schedules another one.
    shared.withLock { _ in for follower in followers { _ = accept(follower, of: run.owner.instance ?? root) } }
  }

  /// Accepts an action that belongs to an instance, or to the view model. If the instance has been removed, a retry ends when its turn
  /// comes, and another action isn't accepted. Called under the lock.
  @usableFromInline
  func accept(_ run: Run, of instance: ChildInstance?, isRetry: Bool = false) -> Turn {
    if !isRetry, instance?.isOver == true { return .unneeded }
    (run.owner.instance, run.owner.isRetry) = (instance, isRetry)
    let turn = inbox.withLock { $0.accept(run) }
    if turn > .refused { instance?.uses += 1 }
    return turn
  }
}

/// The requests that an effect may make to its view model, from any thread, while its action is unfinished.
///
/// It retains the engine, which doesn't retain the view model. An app that keeps a context longer keeps a closed engine without a state.
@usableFromInline
final class ActionPort<Action: Sendable, State: Sendable>: ContextPort {
  @usableFromInline typealias Run = EngineRun<Action, State>

  private let (engine, run, instance): (Engine<Action, State>, Run, ChildInstance)

  @usableFromInline
  init(_ engine: Engine<Action, State>, _ run: Run, _ instance: ChildInstance) {
    (self.engine, self.run, self.instance) = (engine, run, instance)
  }

  @usableFromInline
  var scheduler: any Scheduler { engine.scheduler }

  @usableFromInline
  func send(_ action: Action, _ request: ContextRequest) {
    // An action that comes too late to follow is reported below.
    if case .follow = request, then(action) { return }
    guard let viewModel = engine.viewModel else { return }
    let turn = engine.shared.withLock { shared -> Turn? in
      if shared.isClosed { return .unneeded }
      if let outcome = run.outcome { return outcome.isOwn ? nil : .unneeded }
      return switch request {
      case .execute, .follow: engine.accept(ActionRun(action), of: instance)
      case .output: engine.accept(ActionRun(action), of: instance.parent ?? instance)
      case .emit(let body): engine.inbox.withLock { $0.append(.call(body)) }
      }
    }
    if let turn { engine.scheduleIfNeeded(turn) } else { engine.report(.executedAfterEnd(action), for: viewModel) }
  }

  @usableFromInline
  func cancel(where matches: @escaping @Sendable (any Sendable) -> Bool) {
    let last = engine.inbox.withLock { $0.lastID }
    let cancel = { @Sendable [engine, run, instance] in
      engine.cancel(.effect(of: run.id)) { other in
        let (stage, owner, child) = engine.shared.withLock { _ in
          (other.stage, other.owner.instance, other.owner.child)
        }
        let isOwn = owner === instance || owner == nil && instance.parent == nil
        guard isOwn, other.id <= last, stage != .queued, stage != .taken else { return false }
        return matches(child?.innermostAction ?? other.action)
      }
    }
    // Now, and once more for the actions that wait in the inputs.
    post(cancel, now: cancel)
  }

  @usableFromInline
  func flush(_ lane: ExecutionMode.Lane) { post { [engine, instance] in engine.flush(lane, of: instance) } }

  /// Makes a call after the actions that wait in the inputs have been taken. Until then it counts as an action of the instance, so that
  /// those actions belong to the same one. Makes another call before. Does nothing if the port's own action has ended.
  private func post(_ call: @escaping @Sendable () -> Void, now: () -> Void = {}) {
    let isUnfinished = engine.shared.withLock { _ in
      instance.uses += run.isUnfinished ? 1 : 0
      return run.isUnfinished
    }
    if !isUnfinished { return }
    now()
    engine.post(
      .call { [engine, instance] in
        call()
        engine.shared.withLock { _ in instance.uses -= 1 }
        engine.prune(instance)
      })
  }

  /// Executes an action after the port's own action, if that completes. Returns false if it has completed already.
  func then(_ action: Action) -> Bool {
    engine.shared.withLock { shared in
      if case .completed? = run.outcome { return false }
      if case nil = run.outcome, !shared.isClosed { run.followers.append(ActionRun(action)) }
      return true
    }
  }
}
