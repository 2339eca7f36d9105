/// One level on the way of an action to its child: the feature, where it stands, and what its own child answers.
@usableFromInline
// Sendable: only the driver uses `node`. The rest is constant.
final class ChildStation<F: Feature, Level: ChildLevel, Action: Sendable>: @unchecked Sendable
where Level.Child == F.State {
  @usableFromInline typealias State = Level.Parent

  @usableFromInline let feature: F
  @usableFromInline let action: F.Action
  @usableFromInline let level: Level
  @usableFromInline let embed: @Sendable (F.Action) -> Action
  @usableFromInline let output: @Sendable (F.Output) -> Action
  /// The child of the feature that the action is for. Nil if the action is the feature's own.
  @usableFromInline let inner: ChildAction<F.Action, F.State>?
  /// The instance, once it has been found.
  @exclusivity(unchecked) @usableFromInline var node: ChildNode?

  @inlinable
  init(
    _ feature: F, _ action: F.Action, _ level: Level, _ embed: @escaping @Sendable (F.Action) -> Action,
    _ output: @escaping @Sendable (F.Output) -> Action
  ) {
    (self.feature, self.action, self.level, self.embed, self.output) = (feature, action, level, embed, output)
    inner = feature.child(for: action)
  }

  @inlinable
  var mode: ExecutionMode { inner?.station.mode() ?? feature.executionMode(for: action) }

  @inlinable
  var showsSpinner: Bool { inner?.station.showsSpinner() ?? feature.showSpinner(action) }

  /// Finds the child, and the child's own child.
  @inlinable
  func find(in parent: State, below parentNode: ChildNode) -> FoundChild {
    let found = level.find(in: parent, below: parentNode) { [feature] in feature.identity(of: $0) }
    guard let (child, node) = found else { return FoundChild(node: parentNode, isPresent: false) }
    self.node = node
    return inner?.station.find(child, node) ?? FoundChild(node: node, isPresent: true)
  }

  /// The child, or the child's own child, that is absent.
  @usableFromInline
  func nameOfAbsentChild(in parent: State) -> String? {
    guard let child = level.child(in: parent) else { return "\(F.self) at \(level.name)" }
    return inner?.station.nameOfAbsent(child)
  }

  /// Returns the effect on the parent. The child is present.
  @inlinable
  func effect(in parent: State, _ uplink: Uplink<Action>) -> Observable<StateMapper<State>> {
    guard let node, let child = level.child(in: parent, of: node) else { return .empty() }
    let embedded = uplink.map(embed)
    let effect =
      inner?.changingEffect(in: child, embedded)
      ?? feature.createObservable(
        action, context: FeatureContext(child, embedded) { [output] in uplink.send(.output(output($0))) })
    // The engine folds a single mapper without a subscription.
    if case .just(let mapper) = effect.representation { return .just(lift(mapper)) }
    return effect.map { [self] in lift($0) }
  }

  /// The mapper that a level has for this error. The child is level 1. Calls one method of the user's.
  @inlinable
  func errorMapper(for error: any Error, at level: Int) -> StateMapper<State>? {
    if level > 1, let inner { return inner.mapper(for: error, at: level - 1).map(lift) }
    guard let mapper = feature.stateMapper(for: error, action: action) else { return nil }
    return lift(inner?.changingAll(mapper) ?? mapper)
  }

  /// Changes the levels below, after a mapper of a level above.
  @inlinable
  func change(_ parent: inout State) throws {
    guard let inner, let node, let child = level.child(in: parent, of: node) else { return }
    level.replace(with: try inner.changingAll { $0 }(child), in: &parent, of: node)
  }

  @inlinable
  func lift(_ mapper: @escaping StateMapper<F.State>) -> StateMapper<State> {
    { [self] parent in
      guard let node, let child = level.child(in: parent, of: node) else { return parent }
      var changed = parent
      level.replace(with: try mapper(child), in: &changed, of: node)
      return changed
    }
  }
}

/// A station without the types of its feature and its place. An object, so that `child(for:)` returns nil in a register: most actions are
/// the view model's own.
@usableFromInline
final class AnyChildStation<Action: Sendable, State: Sendable>: Sendable {
  // Closures and not methods, because they are specialized where they are made. Each captures the station.
  @usableFromInline let mode: @Sendable () -> ExecutionMode
  @usableFromInline let showsSpinner: @Sendable () -> Bool
  @usableFromInline let find: @Sendable (State, ChildNode) -> FoundChild
  @usableFromInline let effect: @Sendable (State, Uplink<Action>) -> Observable<StateMapper<State>>
  @usableFromInline let errorMapper: @Sendable (any Error, Int) -> StateMapper<State>?
  @usableFromInline let nameOfAbsent: @Sendable (State) -> String?
  /// The changes of ``ChildAction/updating(_:)`` at the levels below. Nil if there are none.
  @usableFromInline let changeBelow: ChildAction<Action, State>.Change?

  @inlinable
  init<F: Feature, Level: ChildLevel>(_ station: ChildStation<F, Level, Action>) where Level.Parent == State {
    mode = { station.mode }
    showsSpinner = { station.showsSpinner }
    find = { station.find(in: $0, below: $1) }
    effect = { station.effect(in: $0, $1) }
    errorMapper = { station.errorMapper(for: $0, at: $1) }
    nameOfAbsent = { station.nameOfAbsentChild(in: $0) }
    if station.inner == nil { changeBelow = nil } else { changeBelow = { try station.change(&$0) } }
  }
}

/// How far the way of an action has led.
@usableFromInline
struct FoundChild {
  /// The node of the child, or of the innermost parent that is present.
  @usableFromInline let node: ChildNode
  @usableFromInline let isPresent: Bool

  @inlinable
  init(node: ChildNode, isPresent: Bool) {
    (self.node, self.isPresent) = (node, isPresent)
  }
}
