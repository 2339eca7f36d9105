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
      mirrors.state = ObservedState(self)
      return mirrors.state!
    }

    /// Whether the view model is loading, and its last failure, for SwiftUI.
    ///
    /// The same object at each call. The view model makes it at the first call and keeps it; it does not keep the view model.
    @MainActor
    public final var activity: ObservedActivity<Action> {
      let mirrors = viewMirrors
      if let activity = mirrors.activity { return activity }
      mirrors.activity = ObservedActivity(of: engine, loading: isLoadingObservable) { failure, _ in failure }
      return mirrors.activity!
    }

    /// A part of the state that SwiftUI reads, and writes by executing an action.
    ///
    ///     TextField("Name", text: Bindable(viewModel.observedProperty(\.name, set: Edit.setName)).value)
    ///
    /// Objects for equal key paths show one value, also one that has been written and not answered; each writes with the `set:` of its own
    /// call. It behaves as ``property(_:set:)`` does, and does not keep the view model alive. The view model keeps no property alive.
    @MainActor
    public final func observedProperty<Value: Sendable & Equatable>(
      _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      observedProperty([part as AnyKeyPath, ObjectIdentifier(Value.self)], { $0.value[keyPath: part] }, set: action)
    }

    @MainActor
    final func observedProperty<Value: Sendable & Equatable>(
      _ key: [AnyHashable], _ part: @escaping @Sendable (Box<State>) -> Value,
      set action: @escaping @Sendable (Value) -> Action
    ) -> ObservedProperty<Value> {
      let shown = viewMirrors.value(for: key) { [self] in
        let field = field(reading: part)
        return ShownValue(field.property, field)
      }
      return ObservedProperty(property(of: shown.field!, set: action), shown: shown)
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
    private struct Weak { weak var value: AnyObject? }

    var state: ObservedState<State>?
    var activity: ObservedActivity<Action>?
    private var values: [[AnyHashable]: Weak] = [:]
    private var limit = 8

    func value<Value>(for key: [AnyHashable], _ make: () -> ShownValue<Value>) -> ShownValue<Value> {
      if let value = values[key]?.value { return unsafeDowncast(value, to: ShownValue<Value>.self) }
      let value = make()
      values[key] = Weak(value: value)
      if values.count > limit {
        values = values.filter { $0.value.value != nil }
        limit = max(8, values.count * 2)
      }
      return value
    }
  }
#endif
