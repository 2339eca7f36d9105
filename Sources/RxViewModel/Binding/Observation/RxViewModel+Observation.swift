@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
extension RxViewModel {
  /// The state for SwiftUI: a view that reads `viewModel.observed.username` is updated when the username changes.
  ///
  /// Always the same object. The view model makes it when you first use it, and keeps it; it doesn't keep the view model alive.
  public final var observed: ObservedState<State> { viewMirrors.state }

  /// Whether the view model is loading, and its last failure, for SwiftUI.
  ///
  /// Always the same object. The view model makes it when you first use it, and keeps it; it doesn't keep the view model alive.
  public final var activity: ObservedActivity<Action> { viewMirrors.activity }

  /// A part of the state that SwiftUI reads, and writes by executing an action.
  ///
  ///     TextField("Name", text: Bindable(viewModel.observedProperty(\.name, set: Edit.setName)).value)
  ///
  /// It behaves like ``property(_:set:)``. Objects for equal key paths show the same value, even one that you have written and whose action
  /// is unfinished; each writes with the `set:` of its own call. The property doesn't keep the view model alive, nor the view model the
  /// property.
  public final func observedProperty<Value: Sendable & Equatable>(
    _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
  ) -> ObservedProperty<Value> {
    observedProperty([part as AnyKeyPath, ObjectIdentifier(Value.self)], { $0.value[keyPath: part] }, set: action)
  }

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

  private var viewMirrors: ViewMirrors<Action, State> {
    if let mirrors { return unsafeDowncast(mirrors, to: ViewMirrors<Action, State>.self) }
    let made = ViewMirrors(self)
    mirrors = made
    return made
  }
}

/// The objects through which SwiftUI reads a view model.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
private final class ViewMirrors<Action: Sendable, State: Sendable> {
  private struct Weak { weak var value: AnyObject? }

  /// Retains this object.
  private unowned let viewModel: RxViewModel<Action, State>
  private(set) lazy var state = ObservedState(viewModel)
  private(set) lazy var activity = ObservedActivity(of: viewModel.engine, loading: viewModel.isLoadingObservable) { $0 }
  private var values: [[AnyHashable]: Weak] = [:]

  init(_ viewModel: RxViewModel<Action, State>) { self.viewModel = viewModel }

  func value<Value>(for key: [AnyHashable], _ make: () -> ShownValue<Value>) -> ShownValue<Value> {
    if let value = values[key]?.value { return unsafeDowncast(value, to: ShownValue<Value>.self) }
    // Forgets the released values, each time that the table is full. Then has room for as many again, so a call is O(1), amortized.
    if values.count == values.capacity {
      values = values.filter { $0.value.value != nil }
      values.reserveCapacity(2 * values.count)
    }
    let value = make()
    values[key] = Weak(value: value)
    return value
  }
}
