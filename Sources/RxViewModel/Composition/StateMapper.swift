/// A change that an action makes: a function from the current state to the next one.
///
/// The view model calls it on its scheduler, with the state that is current when its turn comes: once, or not at all if the action has
/// ended before that. If the mapper throws, the state doesn't change, and the action fails.
public typealias StateMapper<State> = @Sendable (State) throws -> State

/// Makes a mapper that changes a copy of the state in place: `return mutate { $0.message = "\(error)" }`.
///
/// Use it where the library asks you for a mapper and not for an effect, as `stateMapper(for:action:)` does. The effect with such a mapper
/// is `.mutate { … }`. This is a function, because Swift can't extend the type of a function.
///
/// - Parameter body: Changes the state. If it throws, the state doesn't change.
@inlinable
public func mutate<State>(_ body: @escaping @Sendable (inout State) throws -> Void) -> StateMapper<State> {
  { state in
    var state = state
    try body(&state)
    return state
  }
}

extension Observable {
  /// Sends one mapper, which changes a copy of the state in place: `.mutate { $0.count += 1 }`.
  ///
  /// This is the fastest effect: the view model folds the mapper without a subscription.
  @inlinable
  public static func mutate<State: Sendable>(
    _ body: @escaping @Sendable (inout State) throws -> Void
  ) -> Observable<StateMapper<State>> where Element == StateMapper<State> {
    just { state in
      var state = state
      try body(&state)
      return state
    }
  }

  /// Sends one mapper, which doesn't change the state: the view model emits the current state once more.
  @inlinable
  public static func unchanged<State: Sendable>() -> Observable where Element == StateMapper<State> {
    just { $0 }
  }

  /// Sends no mapper, and ends the action as cancelled: for an action that is not possible now.
  ///
  /// ```swift
  /// case .login where !currentState.isLoginEnabled: .declined()
  /// ```
  ///
  /// The view model emits no state and no error, and `perform` throws a `CancellationError`. The stream ends with that error immediately,
  /// on the subscribing thread.
  @inlinable
  public static func declined<State: Sendable>() -> Observable where Element == StateMapper<State> {
    error(CancellationError())
  }

  /// The effect of an action that `child(for:)` leaves to a child: `case .form, .alert: .handledByChild()`.
  ///
  /// The effect of a child's action comes from the child's feature; a parent's `createObservable` is never called for it. So this call only
  /// completes the parent's `switch`, for the compiler. If `child(for:)` forgets the action and returns nil, the action fails with an error
  /// that says so and names the place of this call.
  public static func handledByChild<State: Sendable>(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Observable<StateMapper<State>> where Element == StateMapper<State> {
    .error(ForgottenChild(file: file, line: line))
  }
}

extension ObservableType {
  /// Turns each element into a mapper that changes a copy of the state in place: `results.mutate { $0.results = $1 }`.
  @inlinable
  public func mutate<State: Sendable>(
    _ body: @escaping @Sendable (inout State, Element) throws -> Void
  ) -> Observable<StateMapper<State>> {
    map { element in
      { state in
        var state = state
        try body(&state, element)
        return state
      }
    }
  }
}

/// The error of an action that a parent leaves to a child, but that `child(for:)` has forgotten.
struct ForgottenChild: Error, CustomStringConvertible {
  let (file, line): (StaticString, UInt)

  var description: String {
    "child(for:) returned nil for this action, but createObservable leaves it to a child: .handledByChild() at \(file):\(line)"
  }
}
