/// A part of a view model for a view: the state of one child, and the actions for it. A view that takes a slice doesn't know its parent.
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
/// Make one with the view model's `slice(_:_:)`, from the key path at which `child(for:)` declares the child. You can use a slice on any
/// thread. It retains the view model; its streams and properties don't.
///
/// Once the child has been removed, a slice shows the newest child that was read through it, or the one with which it was made. So a sheet
/// keeps its content while it is being dismissed. Actions that you execute then are dropped, because their child is absent.
///
/// Slices of one part of one view model are equal, whatever their action closures, so that SwiftUI can skip a view whose slice is made
/// again.
public struct ViewModelSlice<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let source: any SliceSource<Action, State>

  /// Executes an action of the child, like ``RxViewModel/RxViewModel/execute(_:)``, or in the given mode.
  public func execute(_ action: Action, mode: ExecutionMode? = nil) { source.execute(action, mode: mode) }

  /// Executes an action of the child, waits until it has finished, and returns the child's state, like
  /// ``RxViewModel/RxViewModel/perform(_:)``.
  @discardableResult
  public func perform(_ action: Action) async throws -> State { try await source.perform(action) }

  /// The most recent state of the child, for code that reads it once; a SwiftUI view reads ``ViewModelSlice/observed`` instead.
  ///
  /// While the child is absent, this is the newest one that was read. Observation doesn't track this, so a view whose body reads it doesn't
  /// update. You can read it from any thread. O(n) for an element of an array.
  public var currentState: State { source.last.part }

  /// Emits the child of each state that has it. Replays the last one. Otherwise it behaves like
  /// ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.states }

  /// A property that reads and observes a part of the child, like ``RxViewModel/RxViewModel/property(_:)``.
  public func property<Value: Sendable & Equatable>(_ part: @escaping @Sendable (State) -> Value) -> Property<Value> {
    source.property(of: part)
  }

  /// A property that reads a part of the child, and writes it by executing an action, like ``RxViewModel/RxViewModel/property(_:set:)``.
  public func property<Value: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Value, set action: @escaping @Sendable (Value) -> Action
  ) -> MutableProperty<Value> {
    source.property(of: part, set: action)
  }
}

extension ViewModelSlice: Hashable {
  public static func == (left: ViewModelSlice, right: ViewModelSlice) -> Bool { left.source.key == right.source.key }
  public func hash(into hasher: inout Hasher) { hasher.combine(source.key) }
}

extension ViewModelSlice: Identifiable {
  /// Equal for equal slices that show a child with the same `id`, for `sheet(item:)`.
  public var id: [AnyHashable] { source.key + ((currentState as? any Identifiable).map { [$0.anyID] } ?? []) }
}

extension ViewModelSlice where State: Equatable {
  /// Emits the child, and then each change of it. Replays the last one. Otherwise it behaves like
  /// ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.states.distinctUntilChanged() }
}

// MARK: Making slices

extension RxViewModel {
  /// Returns a part of this view model for a view.
  ///
  ///     FormView(form: viewModel.slice(\.form, ScreenAction.form))
  ///
  /// You can call it on any thread.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child> {
    slice(of: Part(part), isAlwaysThere: true, action)!
  }

  /// Returns a child that may be absent, such as the form in a sheet. Nil while it is absent.
  ///
  ///     if let form = viewModel.slice(\.form, ScreenAction.form) { FormView(form: form) }
  ///
  /// You can call it on any thread. A SwiftUI view that calls it is updated when the child appears or is removed. A case of an enum can be
  /// a writable property: see <doc:ComposingFeatures>.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? {
    slice(of: Part(optional: part), isAlwaysThere: false, action)
  }

  /// Returns the element of an array that has this id, such as a row of a list. Nil if there is none.
  ///
  ///     if let row = viewModel.slice(\.rows, id: row.id, { .row(row.id, $0) }) { RowView(row: row) }
  ///
  /// You can call it on any thread. A SwiftUI view that calls it is updated when the element appears or is removed. Costs O(n) for n
  /// elements, but O(1) for one that a view shows already.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Identifiable & Sendable>(
    _ part: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID,
    _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? where Child.ID: Sendable {
    slice(of: Part(part, id: id), isAlwaysThere: false, action)
  }
}

extension ViewModelSlice {
  /// Returns a part of this slice, like `slice(_:_:)` of a view model.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child> {
    source.slice(of: Part(part), isAlwaysThere: true, action)!
  }

  /// Returns a child of this slice that may be absent, like `slice(_:_:)` of a view model.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? {
    source.slice(of: Part(optional: part), isAlwaysThere: false, action)
  }

  /// Returns the element of an array that has this id, like `slice(_:id:_:)` of a view model.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Identifiable & Sendable>(
    _ part: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID,
    _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? where Child.ID: Sendable {
    source.slice(of: Part(part, id: id), isAlwaysThere: false, action)
  }
}
