/// How an action changes the state: from the state current when its turn comes to the next one.
///
/// It runs on the view model's scheduler, exactly once. If it throws, the state stays what it was and the action fails.
public typealias StateMapper<State> = @Sendable (State) throws -> State

extension Observable {
  /// One mapper that changes a copy of the state in place: `.mutate { $0.count += 1 }`.
  ///
  /// The view model folds it without a subscription: this is the fast way to answer an action at once.
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

  /// One mapper that leaves the state as it is. The state is emitted once more.
  @inlinable
  public static func unchanged<State: Sendable>() -> Observable<StateMapper<State>>
  where Element == StateMapper<State> {
    just { $0 }
  }
}

extension ObservableType {
  /// For each element a mapper that changes a copy of the state in place: `results.mutate { $0.results = $1 }`.
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
