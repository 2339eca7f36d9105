/// The place of an action's child in its parent's state, and its feature: the result of `child(for:)`.
///
///     func child(for action: Action) -> ChildAction<Action, State>? {
///       switch action {
///       case .form(let form): .init(self.form, form, at: \.form, as: Action.form, output: Action.formDone)
///       case .row(let id, let row): .init(self.row, row, at: \.rows, id: id, as: { .row(id, $0) })
///       default: nil
///       }
///     }
///
/// `as` wraps a further action of the child in the parent's action, which has to be for the same place. `output` wraps an output in the
/// parent's action. It is not needed for a feature without outputs.
public struct ChildAction<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let station: AnyChildStation<Action, State>
  /// The change of ``updating(_:)`` at this level.
  @usableFromInline var change: Change?

  @usableFromInline typealias Change = @Sendable (inout State) throws -> Void

  @inlinable
  init<F: Feature, Level: ChildLevel>(
    _ feature: F, _ action: F.Action, at level: Level, as embed: @escaping @Sendable (F.Action) -> Action,
    output: @escaping @Sendable (F.Output) -> Action
  ) where Level.Parent == State, Level.Child == F.State {
    station = AnyChildStation(ChildStation(feature, action, level, embed, output))
  }

  /// Changes the parent too, in each fold of the child's action, after the child's mapper.
  ///
  ///     .init(row, action, at: \.rows, id: id, as: { .row(id, $0) }).updating { $0.rows.sort() }
  ///
  /// Runs on the scheduler, after the changes of the levels below, and also after a mapper for an error. If it throws, nothing of the fold
  /// counts, and the action fails.
  public func updating(_ change: @escaping @Sendable (inout State) throws -> Void) -> ChildAction {
    var updating = self
    updating.change = { [inner = self.change] state in
      try inner?(&state)
      try change(&state)
    }
    return updating
  }

  /// The effect on a state in which the child is present, with the changes of this level and of those below.
  @inlinable
  func changingEffect(in state: State, _ uplink: Uplink<Action>) -> Observable<StateMapper<State>> {
    let effect = station.effect(state, uplink)
    if change == nil { return effect }
    if case .just(let mapper) = effect.representation { return .just(changing(mapper)) }
    return effect.map(changing)
  }

  /// The mapper for an error that a level has, with the changes of this level and of those below. This child is level 1.
  @inlinable
  func mapper(for error: any Error, at level: Int) -> StateMapper<State>? {
    station.errorMapper(error, level).map(changing)
  }

  /// A mapper of this level with its changes.
  @inlinable
  func changing(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    guard let change else { return mapper }
    return { state in
      var state = try mapper(state)
      try change(&state)
      return state
    }
  }

  /// A mapper of a level above, which knows nothing of the changes of this level and of those below.
  @inlinable
  func changingAll(_ mapper: @escaping StateMapper<State>) -> StateMapper<State> {
    guard let changeBelow = station.changeBelow else { return changing(mapper) }
    return changing { state in
      var state = try mapper(state)
      try changeBelow(&state)
      return state
    }
  }
}

extension ChildAction {
  /// The first child on the way that is absent in `state`, in words, for a failing test. Nil if all are present.
  package func absentChild(in state: State) -> String? { station.nameOfAbsent(state) }
}

// MARK: The five places

extension ChildAction {
  /// A child that is always present.
  ///
  /// A key path to a child is read in each fold while the child has unfinished actions. So it must not force a part that may be nil:
  /// declare that part as a child of its own.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) {
    let level = SingleLevel<State, F.State>(
      PlaceKey(part, of: F.self), { $0[keyPath: part] }, { $0[keyPath: part] = $1 })
    self.init(feature, action, at: level, as: embed, output: output)
  }

  /// A child that is absent while the part is nil.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State?> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) {
    let level = SingleLevel<State, F.State>(
      PlaceKey(part, of: F.self), { $0[keyPath: part] }, { $0[keyPath: part] = $1 })
    self.init(feature, action, at: level, as: embed, output: output)
  }

  /// The first element with this id. Finding it costs O(n) for n elements, or O(1) while it has unfinished actions and does not move.
  ///
  /// Ids should be unique. Of elements with equal ids, a child with unfinished actions is the one at the index at which it was found last.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, [F.State]> & Sendable, id: F.State.ID,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) where F.State: Identifiable, F.State.ID: Sendable {
    self.init(feature, action, at: RowLevel(part, id: id, of: F.self), as: embed, output: output)
  }

  /// A case of an optional enum, such as one of several sheets. The child is absent while the part is nil or another case.
  ///
  ///     .init(form, action, at: \.destination, case: \.edit, Destination.edit, as: Action.edit)
  ///
  /// `case` is a property of the enum that returns the state of its case, and nil for the others. The closure after it makes the case.
  @inlinable
  public init<F: Feature, Enum>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, Enum?> & Sendable,
    case enumCase: KeyPath<Enum, F.State?> & Sendable, _ make: @escaping @Sendable (F.State) -> Enum,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) {
    let level = SingleLevel<State, F.State>(
      PlaceKey(part, case: enumCase, of: F.self), { $0[keyPath: part]?[keyPath: enumCase] },
      { $0[keyPath: part] = make($1) })
    self.init(feature, action, at: level, as: embed, output: output)
  }

  /// A case of an enum, which may be the whole state: `at: \.self`. Otherwise like the case of an optional enum.
  @inlinable
  public init<F: Feature, Enum>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, Enum> & Sendable,
    case enumCase: KeyPath<Enum, F.State?> & Sendable, _ make: @escaping @Sendable (F.State) -> Enum,
    as embed: @escaping @Sendable (F.Action) -> Action, output: @escaping @Sendable (F.Output) -> Action
  ) {
    let level = SingleLevel<State, F.State>(
      PlaceKey(part, case: enumCase, of: F.self), { $0[keyPath: part][keyPath: enumCase] },
      { $0[keyPath: part] = make($1) })
    self.init(feature, action, at: level, as: embed, output: output)
  }
}

// MARK: The same for a feature without outputs

/// The parent's action for an output of a feature that has none.
@inlinable
@Sendable
func noOutput<Action>(_ output: Never) -> Action {}

extension ChildAction {
  /// A child that is always present, and has no outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never {
    self.init(feature, action, at: part, as: embed, output: noOutput)
  }

  /// A child that is absent while the part is nil, and has no outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State?> & Sendable,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never {
    self.init(feature, action, at: part, as: embed, output: noOutput)
  }

  /// The first element with this id, of a feature without outputs.
  @inlinable
  public init<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, [F.State]> & Sendable, id: F.State.ID,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.State: Identifiable, F.State.ID: Sendable, F.Output == Never {
    self.init(feature, action, at: part, id: id, as: embed, output: noOutput)
  }

  /// A case of an optional enum, of a feature without outputs.
  @inlinable
  public init<F: Feature, Enum>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, Enum?> & Sendable,
    case enumCase: KeyPath<Enum, F.State?> & Sendable, _ make: @escaping @Sendable (F.State) -> Enum,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never {
    self.init(feature, action, at: part, case: enumCase, make, as: embed, output: noOutput)
  }

  /// A case of an enum, of a feature without outputs.
  @inlinable
  public init<F: Feature, Enum>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, Enum> & Sendable,
    case enumCase: KeyPath<Enum, F.State?> & Sendable, _ make: @escaping @Sendable (F.State) -> Enum,
    as embed: @escaping @Sendable (F.Action) -> Action
  ) where F.Output == Never {
    self.init(feature, action, at: part, case: enumCase, make, as: embed, output: noOutput)
  }
}
