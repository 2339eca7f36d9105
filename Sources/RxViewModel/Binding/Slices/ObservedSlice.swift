/// The state of a ``ViewModelSlice`` for SwiftUI, read through the one ``ObservedState`` of its view model.
///
/// Observation notifies a view that has read `form.observed.name` when the name changes, and not when the child goes: then a property has
/// the value of the last child.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@dynamicMemberLookup
public struct ObservedSlice<Action: Sendable, State: Sendable> {
  fileprivate let source: any SliceSource<Action, State>

  /// The whole child. Each new state of the view model that has it counts as a change.
  public var state: State { source.observe(\.self) { _, _ in true } }

  /// A property of the child. Observation notifies a view that has read it when it changes.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    source.observe(keyPath) { $0 != $1 }
  }

  /// A property that is not `Equatable`. Observation notifies a view that has read it of each state.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    source.observe(keyPath) { _, _ in true }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
extension ViewModelSlice {
  /// The child's state for SwiftUI, as ``RxViewModel/RxViewModel/observed`` of a view model.
  public var observed: ObservedSlice<Action, State> { ObservedSlice(source: source) }

  /// Whether an action of this child is loading, and its last failure, for SwiftUI.
  ///
  ///     if row.activity.isLoading { ProgressView() }
  ///
  /// An action is the child's if `child(for:)` names the place of the slice for it, or a place in it: the same key path and `id`, and a
  /// slice of a slice where a feature stands in a feature. While the child is absent nothing is loading and there is no failure. When the
  /// child goes, or another `id` takes its place, its failure goes too. The `action` of a failure is nil, because only the view model
  /// knows it; `retry()` executes it again. A failure from before the first read is shown if it was the view model's last. Otherwise like
  /// ``RxViewModel/RxViewModel/activity``.
  public var activity: ObservedActivity<Action> { source.activityOfPart }

  /// A part of the child that SwiftUI reads, and writes by executing an action, as
  /// ``RxViewModel/RxViewModel/observedProperty(_:set:)`` of a view model.
  public func observedProperty<Value: Sendable & Equatable>(
    _ part: KeyPath<State, Value> & Sendable, set action: @escaping @Sendable (Value) -> Action
  ) -> ObservedProperty<Value> {
    source.observedProperty(of: part, set: action)
  }
}
