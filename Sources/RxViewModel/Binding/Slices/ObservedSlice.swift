/// The state of a ``ViewModelSlice`` for SwiftUI, read through the one ``ObservedState`` of its view model.
///
/// A view that reads `form.observed.name` is updated when the name changes, but not when the child is removed: then a property has the
/// value of the last child.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@dynamicMemberLookup
public struct ObservedSlice<Action: Sendable, State: Sendable> {
  fileprivate let source: any SliceSource<Action, State>

  /// The whole child. Each new state of the view model that has it counts as a change.
  public var state: State { source.observe(\.self) { _, _ in true } }

  /// A property of the child. A view that reads it is updated when it changes.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    source.observe(keyPath) { $0 != $1 }
  }

  /// A property that isn't `Equatable`. A view that reads it is updated with each state.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    source.observe(keyPath) { _, _ in true }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
extension ViewModelSlice {
  /// The child's state for SwiftUI, like ``RxViewModel/RxViewModel/observed`` of a view model.
  public var observed: ObservedSlice<Action, State> { ObservedSlice(source: source) }

  /// Whether an action of this child is loading, and its last failure, for SwiftUI.
  ///
  ///     if row.activity.isLoading { ProgressView() }
  ///
  /// An action belongs to the child if `child(for:)` names the place of the slice for it, or a place in it. So use the same key path and
  /// `id`, and for a feature in a feature a slice of a slice. While the child is absent, nothing is loading and there is no failure. Its
  /// actions go on, and may be loading, while only an unconfirmed change hides it. When the child is removed, or another `id` takes its
  /// place, its failure is dismissed. A failure from before the first read is shown if it was the view model's last.
  ///
  /// The `action` of a failure is nil, because only the view model knows it; `retry()` executes it again. Otherwise this behaves like
  /// ``RxViewModel/RxViewModel/activity``.
  public var activity: ObservedActivity<Action> { source.activityOfPart }

  /// A part of the child that SwiftUI reads, and writes by executing an action, like ``RxViewModel/RxViewModel/observedProperty(_:set:)``
  /// of a view model.
  public func observedProperty<Value: Sendable & Equatable>(
    _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
  ) -> ObservedProperty<Value> {
    source.observedProperty(of: part, set: action)
  }
}
