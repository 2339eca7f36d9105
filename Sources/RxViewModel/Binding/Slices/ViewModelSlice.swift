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
/// `slice(_:_:)` of a view model makes one, of the key path at which `child(for:)` declares the child. A slice may be used on any thread,
/// and holds the view model strongly, as any reference to it does; its streams and properties do not. After the child has gone, a slice
/// shows the last child, as far as it has been read through the slice, and its actions are then those for an absent child. So the content
/// of a sheet that is being dismissed stays.
///
/// Slices of one part of one view model are equal, so that SwiftUI can skip a view whose slice is made again. Their action closures are not
/// compared.
public struct ViewModelSlice<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let source: any SliceSource<Action, State>

  /// Executes an action of the child, as ``RxViewModel/RxViewModel/execute(_:)`` does, or in the given mode.
  public func execute(_ action: Action, mode: ExecutionMode? = nil) { source.execute(action, mode: mode) }

  /// Executes an action of the child, waits until it has finished, and returns the child's state, as
  /// ``RxViewModel/RxViewModel/perform(_:)`` does.
  @discardableResult
  public func perform(_ action: Action) async throws -> State { try await source.perform(action) }

  /// The most recent state of the child, for code that reads it once; a SwiftUI view reads ``ViewModelSlice/observed`` instead.
  ///
  /// While the child is absent, this is the newest one that has been read. Observation does not track this, so a view whose body reads it
  /// does not update. May be read from any thread. O(n) for an element of an array.
  public var currentState: State { source.last.part }

  /// Emits the child of each state that has it. Replays the last one. Otherwise like
  /// ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.states }

  /// A property that reads and observes a part of the child, as ``RxViewModel/RxViewModel/property(_:)`` does.
  public func property<Value: Sendable & Equatable>(_ part: @escaping @Sendable (State) -> Value) -> Property<Value> {
    source.property(of: part)
  }

  /// A property that reads a part of the child, and writes it by executing an action, as ``RxViewModel/RxViewModel/property(_:set:)`` does.
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
  /// Emits the child, and then each change of it. Replays the last one. Otherwise like ``RxViewModel/RxViewModel/stateObservable``.
  public var stateObservable: Observable<State> { source.states.distinctUntilChanged() }
}

// MARK: Making slices

extension RxViewModel {
  /// Returns a part of this view model for a view.
  ///
  ///     FormView(form: viewModel.slice(\.form, ScreenAction.form))
  ///
  /// May be called on any thread.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child> {
    slice(of: WritablePart(part).part, isAlwaysThere: true, action)!
  }

  /// Returns a child that may be absent, such as the form in a sheet. Nil while it is absent.
  ///
  ///     if let form = viewModel.slice(\.form, ScreenAction.form) { FormView(form: form) }
  ///
  /// May be called on any thread. A SwiftUI view that calls it is notified when the child comes or goes. A case of an enum is a property
  /// that can be written: see <doc:Composition>.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? {
    slice(of: WritablePart(optional: part).part, isAlwaysThere: false, action)
  }

  /// Returns the element of an array that has this id, such as a row of a list. Nil if there is none.
  ///
  ///     if let row = viewModel.slice(\.rows, id: row.id, { .row(row.id, $0) }) { RowView(row: row) }
  ///
  /// May be called on any thread. A SwiftUI view that calls it is notified when the element comes or goes. Costs O(n) for n elements, but
  /// O(1) for one that a view shows already.
  @inlinable
  public final func slice<ChildAction: Sendable, Child: Identifiable & Sendable>(
    _ part: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID,
    _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? where Child.ID: Sendable {
    slice(of: WritablePart(part, id: id).part, isAlwaysThere: false, action)
  }
}

extension ViewModelSlice {
  /// Returns a part of this slice, as `slice(_:_:)` of a view model does.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child> {
    source.slice(of: WritablePart(part).part, isAlwaysThere: true, action)!
  }

  /// Returns a child of this slice that may be absent, as `slice(_:_:)` of a view model does.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Sendable>(
    _ part: WritableKeyPath<State, Child?> & Sendable, _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? {
    source.slice(of: WritablePart(optional: part).part, isAlwaysThere: false, action)
  }

  /// Returns the element of an array that has this id, as `slice(_:id:_:)` of a view model does.
  @inlinable
  public func slice<ChildAction: Sendable, Child: Identifiable & Sendable>(
    _ part: WritableKeyPath<State, [Child]> & Sendable, id: Child.ID,
    _ action: @escaping @Sendable (ChildAction) -> Action
  ) -> ViewModelSlice<ChildAction, Child>? where Child.ID: Sendable {
    source.slice(of: WritablePart(part, id: id).part, isAlwaysThere: false, action)
  }
}
