#if canImport(Observation)
  import Observation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension RxViewModel {
    /// The state for SwiftUI: a view reads `viewModel.observed.username`, and is notified when the username changes.
    ///
    /// The same object at each call. The view model makes it at the first call and keeps it; it does not keep the view model.
    @MainActor
    public final var observed: ObservedState<State> {
      let mirrors = viewMirrors
      if let state = mirrors.state { return state }
      let state = ObservedState(self)
      mirrors.state = state
      return state
    }

    /// Whether the view model is loading, and its last failure, for SwiftUI.
    ///
    /// The same object at each call. The view model makes it at the first call and keeps it; it does not keep the view model.
    @MainActor
    public final var activity: ObservedActivity<Action> {
      let mirrors = viewMirrors
      if let activity = mirrors.activity { return activity }
      let activity = ObservedActivity(of: self)
      mirrors.activity = activity
      return activity
    }

    /// A part of the state that SwiftUI reads, and writes by executing an action.
    ///
    ///     TextField("Name", text: Bindable(viewModel.observedProperty(\.name, set: Edit.setName)).value)
    ///
    /// Equal key paths give the same object while anything retains it, so two views of one field show one value; the first `set:` stands.
    /// It behaves as ``property(_:set:)`` does, and does not keep the view model alive. The view model keeps no property alive.
    @MainActor
    public final func observedProperty<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      observedProperty(for: .part(part), { $0[keyPath: part] }, set: action)
    }

    /// A part of the state that a closure computes, such as a field of a row. Otherwise like ``observedProperty(_:set:)``.
    ///
    ///     viewModel.observedProperty(id: item.id) { $0.items[id: item.id]?.name ?? "" } set: { .rename(item.id, $0) }
    ///
    /// Equal ids of the same value type give the same object while anything retains it; the first closures stand.
    @MainActor
    public final func observedProperty<Value: Sendable & Equatable>(
      id: some Hashable & Sendable, _ part: @escaping @Sendable (State) -> Value,
      set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      observedProperty(for: .id(id, Value.self, in: \State.self, of: State.self), part, set: action)
    }

    @MainActor
    final func observedProperty<Value: Sendable & Equatable>(
      for key: PropertyKey, _ part: @escaping @Sendable (State) -> Value,
      set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      viewMirrors.property(for: key) { self.property(part, set: action) }
    }

    @MainActor
    private var viewMirrors: ViewMirrors<Action, State> {
      if let mirrors { return unsafeDowncast(mirrors, to: ViewMirrors<Action, State>.self) }
      let made = ViewMirrors<Action, State>()
      mirrors = made
      return made
    }
  }

  /// The objects through which SwiftUI reads a view model.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class ViewMirrors<Action: Sendable, State: Sendable> {
    var state: ObservedState<State>?
    var activity: ObservedActivity<Action>?
    private var properties: [PropertyKey: WeakProperty] = [:]

    func property<Value>(
      for key: PropertyKey, _ make: () -> MutableProperty<Value>
    ) -> ObservedProperty<Value> {
      if let property = properties[key]?.property { return unsafeDowncast(property, to: ObservedProperty<Value>.self) }
      let release = AtRelease { [weak self] in MainQueue.run { self?.removeProperty(for: key) } }
      let property = ObservedProperty(make(), release: release)
      properties[key] = WeakProperty(property: property)
      return property
    }

    /// Removes a property that has been released, unless another one has taken its place meanwhile.
    private func removeProperty(for key: PropertyKey) {
      if properties[key]?.property != nil { return }
      let removed = properties.removeValue(forKey: key)
      // An empty dictionary keeps its storage.
      if properties.isEmpty { properties = [:] }
      withExtendedLifetime(removed) {}
    }
  }

  /// The part of the state that a property mirrors.
  ///
  /// The key determines the type of the value.
  // Sendable: key paths are immutable, and only `Sendable` ids are made into keys.
  enum PropertyKey: Hashable, @unchecked Sendable {
    case part(AnyKeyPath)
    /// The id of a property, and the key path of its slice, with the types of the id, the value and the slice's state.
    case id(AnyHashable, AnyKeyPath, [ObjectIdentifier])

    static func id<ID: Hashable & Sendable, Value, Part>(
      _ id: ID, _: Value.Type, in slice: AnyKeyPath, of _: Part.Type
    ) -> PropertyKey {
      // Numbers of other types are equal as `AnyHashable`, and a part and an optional part can have the same key path.
      .id(id, slice, [ObjectIdentifier(ID.self), ObjectIdentifier(Value.self), ObjectIdentifier(Part.self)])
    }
  }

  private struct WeakProperty {
    weak var property: AnyObject?
  }
#endif
