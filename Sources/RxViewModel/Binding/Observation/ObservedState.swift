#if canImport(Observation)
  import Observation

  /// Mirrors a view model's state for SwiftUI, and for other clients of the Observation framework.
  ///
  ///     struct LoginView: View {
  ///       let viewModel: LoginViewModel
  ///
  ///       var body: some View { Text(viewModel.observed.username) }
  ///     }
  ///
  /// Observation notifies a view that has read `observed.username` when the username changes, and not when only the password does. A
  /// property that is not `Equatable` counts as changed by each state. States reach the views on the main actor, in order; a state that is
  /// emitted on the main actor reaches them at once if no earlier one waits. When the view model's streams complete, this object keeps the
  /// last state. It does not keep the view model alive.
  ///
  /// A change costs O(n) for n properties that views have read since their last change.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @dynamicMemberLookup
  public final class ObservedState<State: Sendable>: Observation.Observable {
    private struct Property {
      let hasChanged: (State, State) -> Bool
      let willSet: () -> Void
      let didSet: () -> Void
    }

    private let registrar = ObservationRegistrar()
    private let subscription = SerialDisposable()
    private var current: State
    /// The properties that views have read since their last change. Observation notifies a reader once, and the reader then reads again.
    private var properties: [PartialKeyPath<State>: Property] = [:]

    /// Makes an object that mirrors the state of `viewModel` from now on.
    public init<Action>(_ viewModel: RxViewModel<Action, State>) {
      current = viewModel.currentState
      subscription.replace(
        with: viewModel.stateObservable.bind { [weak self] state in self?.update(to: state) })
    }

    deinit {
      subscription.dispose()
    }

    /// The whole state. Each new state counts as a change.
    public var state: State {
      track(\.self) { _, _ in true }
      return current
    }

    /// A property of the state. Observation notifies a view that has read it when it changes.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
      return current[keyPath: keyPath]
    }

    /// A property that is not `Equatable`. Observation notifies a view that has read it of each state.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { _, _ in true }
      return current[keyPath: keyPath]
    }

    private func track<Value>(_ keyPath: KeyPath<State, Value>, _ hasChanged: @escaping (State, State) -> Bool) {
      // The registrar identifies the property by this key path of the object.
      let own = \ObservedState.[reading: keyPath]
      registrar.access(self, keyPath: own)
      if properties[keyPath] != nil { return }
      properties[keyPath] = Property(
        hasChanged: hasChanged,
        willSet: { [unowned self] in registrar.willSet(self, keyPath: own) },
        didSet: { [unowned self] in registrar.didSet(self, keyPath: own) })
    }

    private subscript<Value>(reading keyPath: KeyPath<State, Value>) -> Value {
      current[keyPath: keyPath]
    }

    private func update(to new: State) {
      let changed = takeProperties { $0.hasChanged(current, new) }
      let unchanged = properties
      properties = [:]
      for property in changed { property.willSet() }
      // A view that has read a property since the announcement has read the old value. Another notification makes it read again.
      let outdated = takeProperties { $0.hasChanged(current, new) }
      properties.merge(unchanged) { $1 }
      // The old state is released after the access to `current` has ended.
      var last = new
      swap(&last, &current)
      for property in changed { property.didSet() }
      for property in outdated {
        property.willSet()
        property.didSet()
      }
    }

    private func takeProperties(where matches: (Property) -> Bool) -> [Property] {
      let taken = properties.filter { matches($0.value) }
      for keyPath in taken.keys { properties[keyPath] = nil }
      return Array(taken.values)
    }
  }
#endif
