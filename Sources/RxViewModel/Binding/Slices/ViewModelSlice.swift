/// A part of a view model for a view: the state of one child, and the actions for it. A view that takes a slice does not know its parent.
///
///     struct FormView: View {
///       let form: ViewModelSlice<FormAction, FormState>
///
///       var body: some View {
///         TextField("Name", text: form.binding(\.name, set: FormAction.setName))
///         Button("Save") { form.execute(.save) }.disabled(!form.observed.canSave)
///       }
///     }
///
/// `slice(_:action:)` of a view model makes one. A slice may be used on any thread, and holds the view model strongly, as any
/// reference to it does; its streams and properties do not. The slice of a child that may be absent shows the last child after that has
/// gone, as far as it has been read through the slice, and its actions are then those for an absent child. Making a slice reads the part,
/// makes two objects, and subscribes to nothing. In the body of a SwiftUI view, Observation notes the read.
///
/// Slices of one part of one view model are equal, so that SwiftUI can skip a view whose slice is made again. Their `action` closures are
/// not compared.
public struct ViewModelSlice<Action: Sendable, State: Sendable>: Sendable {
  let source: any SliceSource<Action, State>

  /// Executes an action of the child, as ``RxViewModel/RxViewModel/execute(_:)`` does.
  public func execute(_ action: Action) {
    source.execute(action, mode: nil)
  }

  /// Executes an action of the child in the given mode, as ``RxViewModel/RxViewModel/execute(_:mode:)`` does.
  public func execute(_ action: Action, mode: ExecutionMode) {
    source.execute(action, mode: mode)
  }

  /// Executes an action of the child, waits until it has finished, and returns the child's state, as
  /// ``RxViewModel/RxViewModel/perform(_:)`` does.
  @discardableResult
  public func perform(_ action: Action) async throws -> State {
    try await source.perform(action)
  }

  /// The most recent state of the child, for code that reads it once; a SwiftUI view reads ``ViewModelSlice/observed`` instead.
  ///
  /// While the child is absent, this is the newest one that has been read. Observation does not track this, so a view whose body reads it
  /// does not update.
  ///
  /// May be read from any thread. For a row it costs what ``RxViewModel/RxViewModel/slice(_:id:action:)`` costs.
  public var currentState: State { source.part }

  /// Emits the child of each state that has it. Replays the last one. Otherwise like ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.parts }

  /// A property that reads and observes a part of the child, as ``RxViewModel/RxViewModel/property(_:)`` does.
  public func property<Value: Sendable & Equatable>(_ part: @escaping @Sendable (State) -> Value) -> Property<Value> {
    source.property(part)
  }

  /// A property that reads a part of the child, and writes it by executing an action, as ``RxViewModel/RxViewModel/property(_:set:)`` does.
  public func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    source.property(part, set: action)
  }
}

extension ViewModelSlice: Hashable {
  public static func == (left: ViewModelSlice, right: ViewModelSlice) -> Bool { left.source.isEqual(to: right.source) }
  public func hash(into hasher: inout Hasher) { source.hash(into: &hasher) }
}

extension ViewModelSlice where State: Equatable {
  /// Emits the child, and then each change of it. Replays the last one. Otherwise like ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.parts.distinctUntilChanged() }
}

// MARK: Making slices

extension RxViewModel {
  /// Returns a part of this view model for a view.
  ///
  ///     FormView(form: viewModel.slice(\.form, action: ScreenAction.form))
  ///
  /// May be called on any thread.
  public final func slice<ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, ChildState> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState> {
    slice(PresentPath(path: part), orLast: nil, action)!
  }

  /// Returns a child that may be absent, such as the form in a sheet. Nil while it is absent.
  ///
  ///     if let form = viewModel.slice(presenting: \.form, action: ScreenAction.form) { FormView(form: form) }
  ///
  /// May be called on any thread. A SwiftUI view that calls it is notified when the child comes or goes.
  public final func slice<ChildAction: Sendable, ChildState: Sendable>(
    presenting part: KeyPath<State, ChildState?> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    slice(OptionalPath(keyPath: part), orLast: nil, action)
  }

  /// Returns a child that may be absent, which is another one's child or a case of an enum. Otherwise like ``slice(presenting:action:)``.
  ///
  ///     if let form = viewModel.slice(\.destination?.edit, action: ScreenAction.edit) { FormView(form: form) }
  public final func slice<ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, ChildState?> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    slice(presenting: part, action: action)
  }

  /// Returns an element of an array, such as a row of a list. Nil if no element has this id.
  ///
  /// May be called on any thread. A SwiftUI view that calls it is notified when the element comes or goes. SwiftUI views look through the
  /// n elements of a state at most once, in whatever order they read them. Elsewhere a read costs O(1) for the element that was found last
  /// and the one after it, and O(n) for any other.
  public final func slice<ChildAction: Sendable, ChildState: Identifiable & Sendable>(
    _ part: KeyPath<State, [ChildState]> & Sendable, id: ChildState.ID,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? where ChildState.ID: Sendable {
    slice(RowPath(rows: part, id: id), orLast: nil, action)
  }

  /// Returns the child in a case of an optional enum, such as one of several sheets. Nil while the part is nil or another case.
  ///
  ///     if let form = viewModel.slice(\.destination, case: \.edit, action: ScreenAction.edit) { FormView(form: form) }
  ///
  /// `case` is the property that `child(for:)` names for this child. Otherwise like `slice(presenting:action:)`.
  public final func slice<Enum, ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, Enum?> & Sendable, case enumCase: KeyPath<Enum, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    slice(OptionalCasePath(path: part, enumCase: enumCase), orLast: nil, action)
  }

  /// Returns the child in a case of an enum, which may be the whole state: `slice(\.self, case: …)`. Otherwise like the one for an
  /// optional enum.
  public final func slice<Enum, ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, Enum> & Sendable, case enumCase: KeyPath<Enum, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    slice(CasePath(path: part, enumCase: enumCase), orLast: nil, action)
  }

  /// - Parameter last: The child to show if it is absent now.
  final func slice<ChildAction: Sendable, ChildState: Sendable>(
    _ path: some SlicePath<State, ChildState>, orLast last: LastPart<ChildState>?,
    _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    guard let first = presentPart(at: path) ?? last else { return nil }
    return ViewModelSlice(source: ViewModelPart(of: self, path, first, action))
  }
}

extension ViewModelSlice {
  /// Returns a part of this slice. Otherwise like `slice(_:action:)` of a view model.
  public func slice<ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, ChildState> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState> {
    source.slice(PresentPath(path: part), action: action)!
  }

  /// Returns a child of this slice that may be absent. Otherwise like ``RxViewModel/RxViewModel/slice(presenting:action:)``.
  public func slice<ChildAction: Sendable, ChildState: Sendable>(
    presenting part: KeyPath<State, ChildState?> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    source.slice(OptionalPath(keyPath: part), action: action)
  }

  /// Returns a child of this slice that may be absent. Otherwise like `slice(_:action:)` of a view model.
  public func slice<ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, ChildState?> & Sendable, action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    slice(presenting: part, action: action)
  }

  /// Returns an element of an array of this slice. Otherwise like ``RxViewModel/RxViewModel/slice(_:id:action:)``.
  public func slice<ChildAction: Sendable, ChildState: Identifiable & Sendable>(
    _ part: KeyPath<State, [ChildState]> & Sendable, id: ChildState.ID,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? where ChildState.ID: Sendable {
    source.slice(RowPath(rows: part, id: id), action: action)
  }

  /// Returns the child in a case of an optional enum, such as one of several sheets. Nil while the part is nil or another case.
  ///
  ///     if let form = screen.slice(\.destination, case: \.edit, action: ScreenAction.edit) { FormView(form: form) }
  ///
  /// `case` is the property that `child(for:)` names for this child. Otherwise like `slice(presenting:action:)`.
  public func slice<Enum, ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, Enum?> & Sendable, case enumCase: KeyPath<Enum, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    source.slice(OptionalCasePath(path: part, enumCase: enumCase), action: action)
  }

  /// Returns the child in a case of an enum, which may be the whole state: `slice(\.self, case: …)`. Otherwise like the one for an
  /// optional enum.
  public func slice<Enum, ChildAction: Sendable, ChildState: Sendable>(
    _ part: KeyPath<State, Enum> & Sendable, case enumCase: KeyPath<Enum, ChildState?> & Sendable,
    action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, ChildState>? {
    source.slice(CasePath(path: part, enumCase: enumCase), action: action)
  }
}
