/// The child that an action is for: its feature, and where its state is. `child(for:)` returns it.
/// Make a new one in each call, because it remembers the child that it has found.
///
///     func child(for action: Action) -> ChildAction<Action, State>? {
///       switch action {
///       case .form(let form): .init(self.form, form, at: \.form, as: Action.form, output: Action.formDone)
///       case .row(let id, let row): .init(self.row, row, at: \.rows, id: id, as: { .row(id, $0) })
///       default: nil
///       }
///     }
///
/// `at` is a writable property of the state: the child, or an optional child, which is absent while it is nil. A case of an enum can be
/// such a property, too: see <doc:ComposingFeatures>. `at` with an `id` is the element of an array that has this id. Keep the ids unique:
/// of elements with equal ids, the child is the first or, while it has unfinished actions, the one nearest to where it was found last.
///
/// `as` makes the parent's action of an action that the child executes itself; `child(for:)` has to find the same place for it. `output`
/// makes the parent's action of an output. A feature without outputs doesn't need it.
public struct ChildAction<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let station: ChildStation<Action, State>
  /// The changes of ``updating(_:)`` at this level. Nil if there are none.
  @usableFromInline var change: (@Sendable (inout State) throws -> Void)?

  /// Changes the parent too, in the same fold, after each mapper of the child's action.
  ///
  ///     .init(row, action, at: \.rows, id: id, as: { .row(id, $0) }).updating { $0.rows.sort() }
  ///
  /// Runs on the scheduler, after the changes of the levels below. It also runs after a mapper for an error. If it throws, nothing of the
  /// fold counts, and the action fails.
  public func updating(_ change: @escaping @Sendable (inout State) throws -> Void) -> ChildAction {
    var updating = self
    updating.change = { [earlier = self.change] state in
      try earlier?(&state)
      try change(&state)
    }
    return updating
  }

  /// Lets the child use lanes of its parent: a mode with such a name affects the actions of both.
  ///
  ///     .init(comment, action, at: \.comments, id: id, as: { .comment(id, $0) }).sharing("comments")
  ///
  /// So a row that deletes itself in the lane `"comments"` waits for the parent's load in that lane, and a reload cancels it. Without this,
  /// each instance of a child has its own lanes. The lane is that of the level that declares the child. If that one is itself a child for
  /// which the lane is shared, it is the lane of the level above, and so on.
  public func sharing(_ lanes: ExecutionMode.Lane...) -> ChildAction {
    station.sharedLanes += lanes
    return self
  }

  /// The execution mode that the innermost feature chooses.
  @inlinable
  var mode: ExecutionMode { station.mode(station) }

  /// The innermost feature's action.
  @inlinable
  var innermostAction: any Sendable { station.innermostAction(station) }

  /// Finds the child, and the child's own child. Makes the instances that they don't have yet.
  @inlinable
  func find(in state: State, below instance: ChildInstance) -> FoundChild { station.find(station, state, instance) }

  /// Whether the innermost feature shows a spinner. The child has been found in this state.
  @inlinable
  func showsSpinner(in state: State) -> Bool { station.showsSpinner(station, state) }

  /// Adds the changes of this level to a mapper.
  @inlinable
  func changing(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    guard let change else { return mapper }
    return { state in
      var state = try mapper(state)
      try change(&state)
      return state
    }
  }

  /// The changes of the levels below, on this level's state. Nil if there are none.
  @inlinable
  var changesBelow: StateMapper<State>? { station.changesBelow(station) }

  /// Adds the changes of this level and of those below to a mapper from a level above.
  @inlinable
  func changingAll(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    guard let changesBelow else { return changing(mapper) }
    return changing { try changesBelow(mapper($0)) }
  }

  /// The effect on a state in which the child is present, with the changes of this level.
  @inlinable
  func effect(in state: State, _ port: any ContextPort<Action>) -> Observable<StateMapper<State>> {
    let effect = station.effect(station, state, port)
    if change == nil { return effect }
    // The engine folds a single mapper without a subscription.
    if case .just(let mapper) = effect.representation { return .just(changing(mapper)) }
    return effect.map { changing($0) }
  }

  /// The optimistic update of the innermost feature, with the changes of this level and of those below.
  @inlinable
  var update: OptimisticUpdate<State>? { station.update(station)?.map { changing($0) } }

  /// The error mapper of the innermost feature that has one, with the changes of this level and of those below.
  @inlinable
  func mapper(for error: any Error) -> StateMapper<State>? { station.errorMapper(station, error).map { changing($0) } }
}

extension ChildAction {
  /// A child that is always present.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) { station = FeatureStation(feature, action, Part(part), embed, output) }

  /// A child that is absent while the part is nil.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State?> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) { station = FeatureStation(feature, action, Part(optional: part), embed, output) }

  /// The element with this id. Finding it costs O(n) for n elements, or O(1) while it has unfinished actions and does not move.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, [F.State]> & Sendable, id: F.State.ID,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) where F.State: Identifiable, F.State.ID: Sendable {
    station = FeatureStation(feature, action, Part(part, id: id), embed, output)
  }
}

// MARK: No initializer matches

extension ChildAction {
  /// Explains what the arguments have to be, where no other initializer matches.
  @available(
    *, unavailable,
    message: "at: takes a writable key path to the feature's state, or to an optional of it; outputs need output:"
  )
  public init<F: Feature, Other>(
    _ feature: F, _ action: F.Action, at part: KeyPath<State, Other> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action, output: (@Sendable (F.Output) -> Action)? = nil
  ) { fatalError() }
}

// MARK: The same for a feature without outputs

/// The parent's action for an output of a feature that has none.
@inlinable
func noOutput<Action>(_ output: Never) -> Action {}

extension ChildAction {
  /// A child that is always present, and has no outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never { station = FeatureStation(feature, action, Part(part), embed, noOutput) }

  /// A child that is absent while the part is nil, and has no outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State?> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never { station = FeatureStation(feature, action, Part(optional: part), embed, noOutput) }

  /// The element with this id, of a feature without outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, [F.State]> & Sendable, id: F.State.ID,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.State: Identifiable, F.State.ID: Sendable, F.Output == Never {
    station = FeatureStation(feature, action, Part(part, id: id), embed, noOutput)
  }
}
