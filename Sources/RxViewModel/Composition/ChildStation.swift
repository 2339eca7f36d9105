/// One level on the way of an action to its child, without the type of the feature. An object, so that `child(for:)` returns nil in
/// registers: most actions are the view model's own.
///
/// The engine calls `find`, `mode` unless the action has one, `showsSpinner`, `update` and `effect`, in this order. If the action fails, it
/// calls `errorMapper` and, if that returns nil but the view model has a mapper, `changesBelow`. It calls `innermostAction` if an effect
/// cancels actions.
@usableFromInline
// Sendable: as `FeatureStation`, which each one is.
class ChildStation<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Effect = Observable<StateMapper<State>>

  // Functions and not methods, because they are specialized where they are made. The station is the first argument of each.
  @usableFromInline final let mode: @Sendable (ChildStation) -> ExecutionMode
  @usableFromInline final let showsSpinner: @Sendable (ChildStation, State) -> Bool
  /// The optimistic update of the innermost feature. The child has been found.
  @usableFromInline final let update: @Sendable (ChildStation) -> OptimisticUpdate<State>?
  /// Finds the child, and the child's own child. Makes the instances that they don't have yet. The caller then gives the found instance an
  /// action, or prunes it.
  @usableFromInline final let find: @Sendable (ChildStation, State, ChildInstance) -> FoundChild
  /// The effect on a state in which the child has been found.
  @usableFromInline final let effect: @Sendable (ChildStation, State, any ContextPort<Action>) -> Effect
  /// The error mapper of the innermost feature that has one.
  @usableFromInline final let errorMapper: @Sendable (ChildStation, any Error) -> StateMapper<State>?
  /// The changes of ``ChildAction/updating(_:)`` at the levels below, on this level's state. Nil if there are none.
  @usableFromInline final let changesBelow: @Sendable (ChildStation) -> StateMapper<State>?
  /// The lanes of the parent that the child uses. Set before `child(for:)` returns.
  @exclusivity(unchecked) @usableFromInline final var sharedLanes: [ExecutionMode.Lane] = []
  /// The innermost feature's action.
  @usableFromInline final let innermostAction: @Sendable (ChildStation) -> any Sendable

  @inlinable
  init<F: Feature>(_ feature: F.Type) {
    typealias Station = FeatureStation<F, Action, State>
    mode = { unsafeDowncast($0, to: Station.self).innermostMode }
    showsSpinner = { unsafeDowncast($0, to: Station.self).innermostSpinner(in: $1) }
    update = { unsafeDowncast($0, to: Station.self).liftedUpdate }
    find = { unsafeDowncast($0, to: Station.self).findChild(in: $1, below: $2) }
    effect = { unsafeDowncast($0, to: Station.self).liftedEffect(in: $1, $2) }
    errorMapper = { unsafeDowncast($0, to: Station.self).liftedErrorMapper(for: $1) }
    changesBelow = { unsafeDowncast($0, to: Station.self).liftedChangesBelow }
    innermostAction = { unsafeDowncast($0, to: Station.self).actionOfInnermost }
  }
}

/// The state has no such child: while something is undecided, a mapper may run on a state before the child came, or after it has gone.
@usableFromInline
struct AbsentChild: Error {
  @inlinable
  init() {}
}

/// How far the way of an action leads: to the child, or to the innermost parent that is present, and to the name of what is absent there.
@usableFromInline typealias FoundChild = (instance: ChildInstance, absent: String?)

/// One level on the way of an action to its child: the feature, where its state is, and the feature's own child.
@usableFromInline
final class FeatureStation<F: Feature, Action: Sendable, State: Sendable>: ChildStation<Action, State>,
  // Sendable: only the driver of the view model whose `child(for:)` has made it uses `instance`. The rest is constant.
  @unchecked Sendable
{
  @usableFromInline let feature: F
  /// The action as this feature has it, also if it is for a child of the feature.
  @usableFromInline let action: F.Action
  @usableFromInline let part: Part<State, F.State>
  @usableFromInline let embed: @Sendable (F.Action) -> Action
  @usableFromInline let output: @Sendable (F.Output) -> Action
  /// The child of the feature that the action is for. Nil if the action is the feature's own.
  @usableFromInline let inner: ChildAction<F.Action, F.State>?
  /// The instance of the child. Nil until ``findChild(in:below:)`` has found it, which is before any effect or mapper runs.
  @exclusivity(unchecked) @usableFromInline var instance: ChildInstance?

  @inlinable
  init(
    _ feature: F, _ action: F.Action, _ part: Part<State, F.State>,
    _ embed: @escaping @Sendable (F.Action) -> Action, _ output: @escaping @Sendable (F.Output) -> Action
  ) {
    (self.feature, self.action, self.part, self.embed, self.output) = (feature, action, part, embed, output)
    inner = feature.child(for: action)
    super.init(F.self)
  }

  @inlinable
  var innermostMode: ExecutionMode { inner?.mode ?? feature.executionMode(for: action) }

  /// Whether the innermost feature shows a spinner. The child has been found in this state.
  @inlinable
  func innermostSpinner(in parent: State) -> Bool {
    guard var row = instance?.row, let child = part.child(in: parent, near: &row) else { return false }
    return inner?.showsSpinner(in: child) ?? feature.showSpinner(action, context: FeatureContext(child))
  }

  @inlinable
  var liftedUpdate: OptimisticUpdate<State>? {
    (inner.map { $0.update } ?? feature.optimisticUpdate(for: action))?.map { lift($0) }
  }

  @inlinable
  var actionOfInnermost: any Sendable { inner?.innermostAction ?? action }

  @inlinable
  func findChild(in parent: State, below outer: ChildInstance) -> FoundChild {
    let old = outer.places.first { $0.feature == ObjectIdentifier(F.self) && $0.path == part.id.path }
    let known = old?[part.id.element]
    var row = known?.row ?? 0
    guard let child = part.child(in: parent, near: &row) else {
      return (outer, "\(F.self) at \(part.id.name)")
    }
    // An unconfirmed change has put another child in the place of one whose actions go on.
    if let known, known.checksIdentity, known.identity != feature.identity(of: child) {
      return (outer, "\(F.self) at \(part.id.name)")
    }
    let place = old ?? makePlace(below: outer)
    // The list of another state may lack the new instance, or one that the inner child gets.
    if known == nil || inner != nil, let list = place.list, list.address != part.list(in: parent)?.address {
      place.list = nil
    }
    let instance = known ?? ChildInstance(in: place, part.id.element, identity: feature.identity(of: child))
    (self.instance, instance.row) = (instance, row)
    if !sharedLanes.isEmpty || !instance.sharedLanes.isEmpty { instance.sharedLanes = sharedLanes }
    return inner?.find(in: child, below: instance) ?? (instance, nil)
  }

  @inlinable
  func makePlace(below outer: ChildInstance) -> ChildPlace {
    ChildPlace(part.id.path, ObjectIdentifier(F.self), below: outer) { [feature, part] place, parent, removed in
      let parent = parent.assumingMemoryBound(to: State.self).pointee
      let list = part.list(in: parent)
      if let list, list.address == place.list?.address { return }
      let count = removed.count
      for instance in place.children {
        let child = part.find(instance.part!, parent, &instance.row, list)
        if let child, feature.identity(of: child) == instance.identity {
          instance.findRemoved(in: child, &removed)
        } else {
          removed.append(instance)
        }
      }
      place.list = removed.count == count ? list : nil
    }
  }

  @inlinable
  func liftedEffect(in parent: State, _ port: any ContextPort<Action>) -> Effect {
    guard var row = instance?.row, let child = part.child(in: parent, near: &row) else { return .empty() }
    let inside = FeaturePort(port, to: self)
    let effect =
      inner?.effect(in: child, inside)
      ?? feature.createObservable(
        action,
        context: FeatureContext(child, inside) { port, output in
          let port = unsafeDowncast(port, to: FeaturePort<F, Action>.self)
          port.parent.send(port.output(output), .output)
        })
    if case .just(let mapper) = effect.representation { return .just(lift(mapper)) }
    return effect.map { [self] in lift($0) }
  }

  @inlinable
  func liftedErrorMapper(for error: any Error) -> StateMapper<State>? {
    if let mapper = inner?.mapper(for: error) { return lift(mapper) }
    return feature.stateMapper(for: error, action: action).map {
      lift(inner?.changingAll($0) ?? $0)
    }
  }

  /// A mapper of the parent, which replaces the child. It throws ``AbsentChild`` if the child is absent, so nothing of the fold counts.
  @inlinable
  func lift(_ mapper: @escaping StateMapper<F.State>) -> StateMapper<State> {
    { [self] parent in
      guard let instance, case var row = instance.row, let child = part.child(in: parent, near: &row) else {
        throw AbsentChild()
      }
      if instance.checksIdentity, feature.identity(of: child) != instance.identity { throw AbsentChild() }
      var changed = parent
      let new = try mapper(child)
      part.replace(part.id, &changed, new, row)
      if part.id.element != nil { keepList(of: parent, in: changed, new) }
      return changed
    }
  }

  /// Lets the next search skip the list, because the other elements are still where they were.
  @inlinable
  func keepList(of parent: State, in changed: State, _ new: F.State) {
    guard let instance, let place = instance.place, let known = place.list, instance.places.isEmpty,
      part.list(in: parent)?.address == known.address, feature.identity(of: new) == instance.identity
    else { return }
    var row = instance.row
    let isThere = part.child(in: changed, near: &row) != nil && row == instance.row
    if isThere { place.list = part.list(in: changed) }
  }

  /// The changes of the levels below, on the parent. Nil if there are none, so that nothing is written.
  @inlinable
  var liftedChangesBelow: StateMapper<State>? {
    guard let inner, inner.change != nil || inner.changesBelow != nil else { return nil }
    let changes = lift(inner.changingAll { $0 })
    // A mapper from above may have removed the child.
    return { parent in do { return try changes(parent) } catch is AbsentChild { return parent } }
  }
}
