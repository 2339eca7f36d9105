// The instance of a child that an action belongs to, and its end (contract 2.19).

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
    /// The action has not been taken yet.
    case none
    /// The action is the view model's own.
    case own
    /// An effect of this instance has executed the action, which has not been taken yet.
    case owned(by: ChildNode)
    /// The action is to be executed again, for this instance or one that cannot be told from it.
    case again(ChildNode)
    case child(ChildBinding<Action, State>)
  }

  @inlinable
  var child: ChildBinding<Action, State>? { if case .child(let child) = binding { child } else { nil } }

  @inlinable
  var node: ChildNode? {
    switch binding {
    case .none, .own: nil
    case .owned(let node), .again(let node): node
    case .child(let child): child.node
    }
  }

  /// The instance whose lanes the action uses. Nil for those of the view model.
  @inlinable
  var ownerOfLanes: ChildNode? { child.flatMap { $0.hasOwnLanes ? $0.node : nil } }
}

extension Engine {
  /// The node of the view model itself. Only the driver uses it.
  @inlinable
  var root: ChildNode {
    if let rootNode { return rootNode }
    let root = ChildNode(in: nil)
    rootNode = root
    return root
  }

  /// Returns false if the action ends instead.
  @inlinable
  func bind(_ run: Run, to child: ChildAction<Action, State>) -> Bool {
    // The child may be absent because the instance that the action belongs to has gone.
    if let node = run.node, node.isOver { return refuse(run, as: .cancelled) }
    // A reference of its own, because a read of `current` would copy the state.
    let state = current!
    let found = child.station.find(state.value, root)
    // A child that is new may have been asked for its identity.
    if !mayContinue() {
      prune(found.node)
      machine.setAside(run, .bind(child))
      return false
    }
    guard found.isPresent, isIn(found.node, run) else {
      if case nil = run.mode { run.mode = child.station.mode() }
      return refuse(run, found)
    }
    found.node.taken += 1
    leaveOwner(run)
    run.binding = .child(ChildBinding(child, found.node))
    return true
  }

  /// Whether the instance that has executed the action is on the way to the node.
  @inlinable
  func isIn(_ node: ChildNode, _ run: Run) -> Bool {
    switch run.binding {
    case .none, .own, .child: true
    case .owned(let owner): node.isWithin(owner)
    case .again(let owner): node.isSame(as: owner)
    }
  }

  /// Whether an effect may execute an action that has no child. Returns false if the action ends instead.
  @usableFromInline
  func leavesOwner(_ run: Run, _ host: Unmanaged<Host>) -> Bool {
    if let node = run.node, node.isOver { return refuse(run, as: .cancelled) }
    if !isIn(root, run) {
      if case nil = run.mode { run.mode = host._withUnsafeGuaranteedRef { $0.executionMode(for: run.action) } }
      return refuse(run, FoundChild(node: root, isPresent: true))
    }
    leaveOwner(run)
    return true
  }

  /// Ends an action whose child is absent, or which an effect has executed for another place.
  @usableFromInline
  func refuse(_ run: Run, _ found: FoundChild) -> Bool {
    prune(found.node)
    switch run.binding {
    case .none, .own, .child:
      diagnose(.absentChild(run.action))
      return refuse(run, as: .refused)
    case .owned:
      if !isIn(found.node, run) { diagnose(.misplacedChild(run.action)) }
      return refuse(run, as: .dropped)
    case .again: return refuse(run, as: .dropped)
    }
  }

  @usableFromInline
  func refuse(_ run: Run, as outcome: RunOutcome) -> Bool {
    machine.end(run, outcome)
    return false
  }

  private func diagnose(_ diagnostic: Diagnostic<Action>) {
    if !isCleared() { host?._withUnsafeGuaranteedRef { $0.diagnose(diagnostic) } }
  }

  /// The instance that an action in the table of the outputs belongs to, until it ends. May be called on any thread.
  func child(of run: Run) -> ChildNode? {
    outputs.withLock { _ in run.child?.node }
  }

  // MARK: The end of an instance

  /// The nodes of the children that a state no longer has, and those that it has elsewhere. Reads each place that has unfinished actions
  /// once, but for the place of the action that completes with this state, if no other action needs it. Nil without such places.
  @inlinable
  func childChanges(in state: State, completing run: Run? = nil) -> ChildChanges? {
    guard let rootNode, !rootNode.places.isEmpty else { return nil }
    var changes = ChildChanges()
    if let node = run?.child?.node { node.leaveUnread() }
    rootNode.findGone(in: state, &changes)
    return changes
  }

  /// Cancels the actions of the children that the last fold has removed.
  ///
  /// - Parameter ending: The action of that fold, if it ends with it.
  @inlinable
  func endActions(of gone: [ChildNode], but ending: Run?) {
    if !gone.isEmpty { removeActions(of: gone, but: ending) }
  }

  /// O(n log n) for n unfinished actions.
  @usableFromInline
  func removeActions(of gone: [ChildNode], but ending: Run?) {
    for node in gone {
      node.leave()
      node.forget()
      if let parent = node.parent { prune(parent) }
    }
    var runs = outputs.withLock { $0.runs } + machine.inputs.elements.compactMap(\.run)
    runs += inbox.withLock { $0.inputs.elements }.compactMap(\.run)
    if let run = machine.beginning?.run, !runs.contains(where: { $0 === run }) { runs.append(run) }
    let orphans = runs.filter { $0 !== ending && $0.node?.isOver == true }
    for run in orphans.sorted(by: { $0.id < $1.id }) { machine.end(run, .cancelled) }
  }

  /// Ends the connection of an action that has ended to its instance.
  @inlinable
  func unbind(_ run: Run) {
    switch run.binding {
    case .none, .own: return
    case .again: break
    case .owned: leaveOwner(run)
    case .child(let child):
      child.node.taken -= 1
      prune(child.node)
      readLater(child.node)
      // A subscriber of the loading streams may be asking for the child.
      return outputs.withLock { _ in run.binding = .none }
    }
    run.binding = .none
  }

  /// Reads the places that the last fold has left unread, if they have further actions: those that the effect of the completed action has
  /// executed.
  @inlinable
  func readLater(_ node: ChildNode) {
    if node.endsUnread() { endActionsOfGoneChildren() }
  }

  @usableFromInline
  func endActionsOfGoneChildren() {
    guard let changes = childChanges(in: current!.value) else { return }
    outputs.withLock { _ in changes.apply() }
    endActions(of: changes.gone, but: nil)
  }

  /// Counts an action that has been taken as its owner's no longer.
  @inlinable
  func leaveOwner(_ run: Run) {
    guard case .owned(let owner) = run.binding else { return }
    inbox.withLock { _ in owner.accepted -= 1 }
    prune(owner)
  }

  @inlinable
  func prune(_ node: ChildNode) {
    // Only the last action of a child looks further.
    if node.taken == 0 { node.prune { node in inbox.withLock { _ in node.accepted > 0 } } }
  }
}

extension EngineInput {
  /// The action in this input, if it has a run.
  var run: EngineRun<Action, State>? { if case .run(let run) = self { run } else { nil } }
}
