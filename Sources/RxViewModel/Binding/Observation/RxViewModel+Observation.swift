#if canImport(Observation)
  import Observation

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension RxViewModel {
    /// The state that a SwiftUI view reads, instead of ``RxViewModel/RxViewModel/currentState``, which does not update the view.
    ///
    /// A view that reads `viewModel.observed.username` updates when the username changes, and not when only another property does.
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
      observedProperty(for: PropertyKey(part, Value.self), { $0.value[keyPath: part] }, set: action)
    }

    @MainActor
    final func observedProperty<Value: Sendable & Equatable>(
      for key: PropertyKey, _ part: @escaping @Sendable (Box<State>) -> Value,
      set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      viewMirrors.property(for: key) { self.property(reading: part, set: action) }
    }

    /// The activity of the child at the end of a way.
    @MainActor
    final func activity<Part, ChildAction: Sendable>(
      at path: some SlicePath<State, Part>
    ) -> ObservedActivity<ChildAction> {
      let observed = observed
      let key = [path.key, AnyHashable(ObjectIdentifier(ChildAction.self))]
      return viewMirrors.activity(at: key) { mirrors in
        activity(of: path, for: ChildObservers(key: key, mirrors: mirrors, state: observed))
      }
    }

    @MainActor
    private var viewMirrors: ViewMirrors<Action, State> {
      if let mirrors { return unsafeDowncast(mirrors, to: ViewMirrors<Action, State>.self) }
      let made = ViewMirrors<Action, State>()
      mirrors = made
      return made
    }
  }

  /// Does not retain the mirrors, which retain an activity that shows a failure.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private struct ChildObservers<Action: Sendable, State: Sendable>: ActivityObservers {
    let key: [AnyHashable]
    weak var mirrors: ViewMirrors<Action, State>?
    weak var state: ObservedState<State>?

    func add(_ activity: AnyObject) { state?.retain(activity) }
    func keep(_ activity: AnyObject, _ keeps: Bool) { mirrors?.activities.keep(activity, keeps, at: key) }
  }

  /// The activities of children. Those that no view observes, and that show no failure, are released.
  struct ChildActivities {
    private struct Entry {
      weak var activity: AnyObject?
      var kept: AnyObject?
    }

    private var entries: [[AnyHashable]: Entry] = [:]
    private var limit = 8

    func activity(at key: [AnyHashable]) -> AnyObject? { entries[key]?.activity }

    mutating func add(_ activity: AnyObject, at key: [AnyHashable]) {
      entries[key] = Entry(activity: activity)
      if entries.count <= limit { return }
      entries = entries.filter { $0.value.activity != nil }
      limit = max(8, entries.count * 2)
    }

    mutating func keep(_ activity: AnyObject, _ keeps: Bool, at key: [AnyHashable]) {
      if entries[key]?.activity === activity { entries[key]?.kept = keeps ? activity : nil }
    }
  }

  /// The objects through which SwiftUI reads a view model.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class ViewMirrors<Action: Sendable, State: Sendable> {
    var state: ObservedState<State>?
    var activity: ObservedActivity<Action>?
    var activities = ChildActivities()
    private var properties: [PropertyKey: WeakProperty] = [:]

    func activity<ChildAction: Sendable>(
      at key: [AnyHashable], _ make: (ViewMirrors) -> ObservedActivity<ChildAction>
    ) -> ObservedActivity<ChildAction> {
      if let activity = activities.activity(at: key) {
        return unsafeDowncast(activity, to: ObservedActivity<ChildAction>.self)
      }
      let activity = make(self)
      activities.add(activity, at: key)
      return activity
    }

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
  // Sendable: key paths are immutable, and theirs are made of `Sendable` ones, as the ways to slices are.
  struct PropertyKey: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
    let value: ObjectIdentifier
    /// The way to the slice in which the path begins. Nil for the state, and where all parts on the way are always there.
    let slice: AnyHashable?

    init<Value>(_ path: AnyKeyPath, _: Value.Type, in slice: AnyHashable? = nil) {
      (self.path, value, self.slice) = (path, ObjectIdentifier(Value.self), slice)
    }
  }

  private struct WeakProperty {
    weak var property: AnyObject?
  }
#endif
