// The instance of a child that an action belongs to, its end, and what its effect asks for (contract 2.19).

extension Engine {
  /// The node of the view model itself. Only the driver uses it.
  @usableFromInline
  var root: ChildNode {
    if let rootNode { return rootNode }
    let root = ChildNode(in: nil)
    rootNode = root
    return root
  }

  /// Binds an action to the instance of its child that is present. Returns how the action ends if there is none, or another one than that
  /// whose effect has executed it.
  @inlinable
  func bind(_ run: Run, to child: ChildAction<Action, State>?, _ viewModel: ViewModel) -> Outcome? {
    child == nil && run.node == nil ? nil : find(child, for: run, viewModel)
  }

  @usableFromInline
  func find(_ child: ChildAction<Action, State>?, for run: Run, _ viewModel: ViewModel) -> Outcome? {
    if run.node?.isOver == true { return .cancelled }
    let state = current!
    let found = child?.station.find(state.value, root) ?? FoundChild(node: root, isPresent: true)
    var refusal: Outcome? = found.isPresent ? nil : .dropped
    if let owner = run.node {
      let isSame = run.isRetry ? found.node.isSame(as: owner) : found.node.isWithin(owner)
      if !isSame { refusal = .dropped }
      if !isSame, !run.isRetry { viewModel.diagnose(.misplacedChild(run.action)) }
    } else if refusal != nil {
      refusal = .refused
      viewModel.diagnose(.absentChild(run.action))
    }
    if refusal == nil { move(run, to: child, child == nil ? nil : found.node) }
    prune(found.node)
    return refusal
  }

  /// Moves an action to another instance or, at its end, to none.
  @inlinable
  func move(_ run: Run, to child: ChildAction<Action, State>?, _ node: ChildNode?) {
    guard run.node != nil || node != nil else { return }
    let (earlier, former) = (run.node, run.child)
    shared.withLock { _ in
      earlier?.actions -= 1
      node?.actions += 1
      (run.node, run.child) = (node, child)
    }
    withExtendedLifetime(former) {}
    if let earlier { prune(earlier) }
  }

  /// Forgets an instance without unfinished actions in which none stands, then its parent in the same way.
  @usableFromInline
  func prune(_ node: ChildNode) {
    var node = node
    while let parent = node.parent, node.places.isEmpty, shared.withLock({ _ in node.actions == 0 }) {
      node.leave()
      node = parent
    }
  }

  /// Ends the actions of the children that the new state no longer has, but for the action that ends with this fold.
  @usableFromInline
  func endGone(_ root: ChildNode, in state: Box<State>, but ending: Run? = nil) {
    var gone: [ChildNode] = []
    root.findGone(in: state.value, &gone)
    if gone.isEmpty { return }
    let orphans = shared.withLock { shared in
      for node in gone { node.hasGone = true }
      return shared.runs { $0.isUnfinished && $0 !== ending && $0.node?.isOver == true }
    }
    for node in gone {
      node.leave()
      node.forget()
      if let parent = node.parent { prune(parent) }
    }
    shared.withLock { shared in for orphan in orphans { shared.end(orphan, .cancelled) } }
  }

  /// The instance that an action in the table belongs to, until it ends. May be called on any thread.
  func child(of run: Run) -> ChildNode? { shared.withLock { _ in run.child == nil ? nil : run.node } }

  // MARK: What an effect asks for

  /// The port of the action whose effect this thread is making. Nil on another thread, and at another time.
  @usableFromInline
  func portOfCurrentAction() -> ActionPort<Action, State>? {
    shared.withLock { $0.isDrivenHere } ? creating.map { port(of: $0) } : nil
  }

  @usableFromInline
  func port(of run: Run) -> ActionPort<Action, State> {
    run.hasResources = true
    return ActionPort(self, run, run.node ?? root)
  }

  /// Accepts the actions that follow one that has completed, unless its instance has gone.
  @usableFromInline
  func accept(_ followers: [Run], after run: Run) {
    let node = run.node ?? root
    if node.isOver { return }
    // The turn that is under way takes them later, or schedules another one.
    shared.withLock { shared in for follower in followers { _ = shared.accept(follower, of: node) } }
  }
}

extension EngineState {
  /// Accepts an action that is executed again for an instance, or for the view model.
  mutating func accept(_ run: Run, again node: ChildNode?) -> Turn {
    if isClosed { return .refused }
    (run.node, run.isRetry) = (node, node != nil)
    node?.actions += 1
    return accept(run)
  }

  /// Accepts an action that belongs to an instance, unless that has gone.
  mutating func accept(_ run: Run, of node: ChildNode) -> Turn {
    if isClosed || node.isOver { return .unneeded }
    run.node = node
    node.actions += 1
    return accept(run)
  }
}

/// The requests that an effect may make to its view model, from any thread, while its action is unfinished.
@usableFromInline
// Sendable: all is set in init only.
final class ActionPort<Action: Sendable, State: Sendable>: ContextPort, @unchecked Sendable {
  @usableFromInline typealias Run = EngineRun<Action, State>

  /// Weak: an app may keep a context longer than its view model lives.
  private weak var engine: Engine<Action, State>?
  /// Nil for an effect that no action has asked for.
  private let run: Run?
  private let node: ChildNode?

  @usableFromInline
  init(_ engine: Engine<Action, State>, _ run: Run? = nil, _ node: ChildNode? = nil) {
    (self.engine, self.run, self.node) = (engine, run, node)
  }

  @usableFromInline
  var scheduler: any Scheduler { engine?.scheduler ?? ImmediateScheduler() }

  @usableFromInline
  func send(_ further: FurtherAction<Action>) {
    switch further {
    case .execute(let action): request(action) { [node] in $0.accept(ActionRun(action), of: node!) }
    case .output(let action): request(action) { [node] in $0.accept(ActionRun(action), of: node!.parent ?? node!) }
    case .emit(let body, let action): request(action) { $0.append(.call(body)) }
    case .follow(let action): _ = follow(action)
    }
  }

  private func request(
    _ action: Action, _ accept: (inout EngineState<Action, State>) -> Turn
  ) {
    guard let engine, let viewModel = engine.viewModel, let run else { return }
    let turn = engine.shared.withLock { shared -> Turn? in
      if shared.isClosed { return .unneeded }
      switch run.outcome {
      case .completed?, .failed?: return nil
      default: return run.isEnding || run.stage == .over ? .unneeded : accept(&shared)
      }
    }
    if let turn {
      engine.isAccepted(turn)
    } else {
      engine.report(.executedAfterEnd(action), for: viewModel)
    }
  }

  /// Executes an action after the port's own if that completes. Returns false if that has completed before.
  func follow(_ action: Action) -> Bool {
    guard let engine, let run else { return true }
    return engine.shared.withLock { shared in
      if case .completed? = run.outcome { return false }
      if !shared.isClosed, !run.isEnding, run.stage != .over { run.followers.append(ActionRun(action)) }
      return true
    }
  }
}
