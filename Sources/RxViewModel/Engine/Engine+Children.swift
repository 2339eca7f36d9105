// The instance of a child that an action belongs to, its end, and what its effect asks for (contract 2.19).

/// The child of an action, and the instance of it that the action belongs to.
@usableFromInline
// Sendable: only the driver uses it.
final class ChildBinding<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let child: ChildAction<Action, State>
  @usableFromInline let node: ChildNode
  /// Whether the lanes of the action are those of the instance: its mode is the one that the feature has returned.
  @exclusivity(unchecked) @usableFromInline var hasOwnLanes = false

  @inlinable
  init(_ child: ChildAction<Action, State>, _ node: ChildNode) {
    (self.child, self.node) = (child, node)
  }
}

extension EngineRun {
  /// The instance that an action belongs to.
  @usableFromInline
  enum Binding {
    /// The action is the view model's own, or has not been taken yet.
    case none
    /// An effect of this instance has executed the action, which has not been taken yet.
    case owned(by: ChildNode)
    /// The action is to be executed again, for this instance or one that cannot be told from it.
    case again(ChildNode)
    case child(ChildBinding<Action, State>)
  }

  @inlinable
  final var child: ChildBinding<Action, State>? { if case .child(let child) = binding { child } else { nil } }

  @inlinable
  final var node: ChildNode? {
    switch binding {
    case .none: nil
    case .owned(let node), .again(let node): node
    case .child(let child): child.node
    }
  }
}

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
    if child == nil, case .none = run.binding { return nil }
    return bind(run, toFound: child, viewModel)
  }

  @usableFromInline
  func bind(_ run: Run, toFound child: ChildAction<Action, State>?, _ viewModel: ViewModel) -> Outcome? {
    if run.node?.isOver == true { return .cancelled }
    let state = current!
    let found = child?.station.find(state.value, root) ?? FoundChild(node: root, isPresent: true)
    var refusal: Outcome? = found.isPresent ? nil : .dropped
    switch run.binding {
    case .none, .child:
      if refusal != nil {
        refusal = .refused
        viewModel.diagnose(.absentChild(run.action))
      }
    case .owned(let owner):
      if !found.node.isWithin(owner) {
        refusal = .dropped
        viewModel.diagnose(.misplacedChild(run.action))
      }
    case .again(let owner): if !found.node.isSame(as: owner) { refusal = .dropped }
    }
    if refusal == nil {
      unbind(run)
      if let child {
        shared.withLock { _ in
          found.node.actions += 1
          run.binding = .child(ChildBinding(child, found.node))
        }
      }
    } else {
      prune(found.node)
    }
    return refusal
  }

  /// Ends the connection of an action to its instance.
  @inlinable
  func unbind(_ run: Run) {
    if case .none = run.binding { return }
    release(run.binding, of: run)
  }

  @usableFromInline
  func release(_ binding: Run.Binding, of run: Run) {
    shared.withLock { _ in
      run.binding = .none
      switch binding {
      case .none, .again: break
      case .owned(let node): node.actions -= 1
      case .child(let child): child.node.actions -= 1
      }
    }
    let node: ChildNode? =
      switch binding {
      case .none: nil
      case .owned(let node), .again(let node): node
      case .child(let child): child.node
      }
    if let node { prune(node) }
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
      return shared.runs.filter { $0.isUnfinished && $0 !== ending && $0.node?.isOver == true }
    }
    for node in gone {
      node.leave()
      node.forget()
      if let parent = node.parent { prune(parent) }
    }
    endLater(orphans.sorted { $0.id < $1.id }, .cancelled)
  }

  /// The instance that an action in the table belongs to, until it ends. May be called on any thread.
  func child(of run: Run) -> ChildNode? { shared.withLock { _ in run.child?.node } }

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
  /// Accepts an action that belongs to an instance, unless that has gone.
  mutating func accept(_ run: Run, of node: ChildNode) -> Acceptance {
    if isClosed || node.isOver { return .waits }
    run.binding = .owned(by: node)
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
    _ action: Action, _ accept: (inout EngineState<Action, State>) -> EngineState<Action, State>.Acceptance
  ) {
    guard let engine, let viewModel = engine.viewModel, let run else { return }
    let acceptance = engine.shared.withLock { shared -> EngineState<Action, State>.Acceptance? in
      if shared.isClosed { return .waits }
      if run.hasCompleted || run.hasFailed { return nil }
      return run.isEnding || run.stage == .over ? .waits : accept(&shared)
    }
    if let acceptance { engine.isAccepted(acceptance) } else { engine.report(.executedAfterEnd(action), for: viewModel) }
  }

  /// Executes an action after the port's own if that completes. Returns false if that has completed before.
  func follow(_ action: Action) -> Bool {
    guard let engine, let run else { return true }
    return engine.shared.withLock { shared in
      if run.hasCompleted { return false }
      if !shared.isClosed, !run.isEnding, run.stage != .over { run.followers.append(ActionRun(action)) }
      return true
    }
  }
}
