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
    /// A field of a row is a property of the row's slice: ``slice(_:id:action:)``. It behaves as ``property(_:set:)`` does, and
    /// does not keep the view model alive. The view model keeps no property alive.
    @MainActor
    public final func observedProperty<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      observedProperty(for: PropertyKey(part, Value.self), { $0[keyPath: part] }, set: action)
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

  /// The part of the state that a property mirrors, and the type of its value: a part and an optional part can have the same key path.
  // Sendable: key paths are immutable, and theirs are made of `Sendable` ones.
  struct PropertyKey: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
    let value: ObjectIdentifier

    init<Value>(_ path: AnyKeyPath, _: Value.Type) {
      (self.path, value) = (path, ObjectIdentifier(Value.self))
    }
  }

  private struct WeakProperty {
    weak var property: AnyObject?
  }
#endif
