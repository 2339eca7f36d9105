#if canImport(Observation)
  import Observation

  /// A view model's state for views that track what they read: SwiftUI, and whatever else uses the Observation framework.
  ///
  ///     struct LoginView: View {
  ///       let viewModel: LoginViewModel
  ///       @State private var observed: ObservedState<LoginState>
  ///
  ///       var body: some View { Text(observed.username) }
  ///     }
  ///
  /// Whoever reads `observed.username` is told when the username changes, and not when only the password does; what is not
  /// `Equatable` counts as changed by each state. Changes come on the main actor, in the order of the states; from the main actor at
  /// once. It ends with the view model's streams and keeps the last state; it does not keep the view model alive.
  ///
  /// A change costs O(properties that have been read).
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
    /// What has been read so far.
    private var properties: [PartialKeyPath<State>: Property] = [:]
    /// What has been read since a change was announced, and before it was made.
    private var readEarly: Set<PartialKeyPath<State>>?

    /// Mirrors the state of `viewModel` from now on.
    public init<Action>(_ viewModel: RxViewModel<Action, State>) {
      current = viewModel.currentState
      subscription.replace(
        with: viewModel.stateObservable.bind { [weak self] state in self?.update(to: state) })
    }

    deinit {
      subscription.dispose()
    }

    /// The whole state: changed by each.
    public var state: State {
      track(\.self) { _, _ in true }
      return current
    }

    /// A property of the state; whoever reads it is told when it becomes another.
    public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
      return current[keyPath: keyPath]
    }

    /// A property that can't be compared; whoever reads it is told of each state.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
      track(keyPath) { _, _ in true }
      return current[keyPath: keyPath]
    }

    private func track<Value>(_ keyPath: KeyPath<State, Value>, _ hasChanged: @escaping (State, State) -> Bool) {
      // What the registrar knows a property by: a path through this object.
      let own = \ObservedState.[reading: keyPath]
      registrar.access(self, keyPath: own)
      readEarly?.insert(keyPath)
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
      let old = current
      readEarly = []
      let changed = properties.values.filter { $0.hasChanged(old, new) }
      for property in changed { property.willSet() }
      let outdated = readEarly.take()!.compactMap { properties[$0] }.filter { $0.hasChanged(old, new) }
      current = new
      for property in changed { property.didSet() }
      // Whoever has read in answer to an announcement is told that this was the old value.
      for property in outdated {
        property.willSet()
        property.didSet()
      }
    }
  }
#endif
