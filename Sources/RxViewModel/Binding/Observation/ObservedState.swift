import Observation

/// The state of a view model for SwiftUI, and for other clients of the Observation framework.
///
///     Text(viewModel.observed.username)
///
/// A view that reads a property is updated when that property changes. A property that isn't `Equatable` counts as changed with each state.
/// A state reaches the view on the main actor, immediately if it is folded there and no earlier one waits. After the end of the view model,
/// this keeps the last state.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor
@dynamicMemberLookup
public final class ObservedState<State: Sendable>: Observation.Observable {
  private let subscription = SerialDisposable()
  let root: ObservedPart<State>
  /// The state that the mirror shows.
  private(set) var current: Box<State>

  /// Mirrors the state of `viewModel` from now on.
  package init<Action>(_ viewModel: RxViewModel<Action, State>) {
    current = viewModel.engine.currentState
    root = ObservedPart(current.value)
    subscription.replace(with: viewModel.engine.stream.bind { [weak self] state in self?.update(to: state) })
  }

  deinit { subscription.dispose() }

  /// The whole state. Each new state counts as a change.
  public var state: State {
    root.observe(\.self) { _, _ in true }
    return current.value
  }

  /// A property of the state. A view that reads it is updated when it changes.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    root.observe(keyPath) { $0 != $1 }
    return current.value[keyPath: keyPath]
  }

  /// A property that isn't `Equatable`. A view that reads it is updated with each state.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    root.observe(keyPath) { _, _ in true }
    return current.value[keyPath: keyPath]
  }

  private func update(to new: Box<State>) {
    if new === current { return }
    // The old state is released after the access to `current` has ended.
    var last = new
    swap(&last, &current)
    var changed: [Tracked] = []
    _ = root.update(new.value, &changed)
    for entry in changed { entry.notify() }
  }
}
