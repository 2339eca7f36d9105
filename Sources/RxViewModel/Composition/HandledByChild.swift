extension Observable {
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

/// The error of an action that a parent leaves to a child, but that `child(for:)` has forgotten.
struct ForgottenChild: Error, CustomStringConvertible {
  let (file, line): (StaticString, UInt)

  var description: String {
    "child(for:) returned nil for this action, but createObservable leaves it to a child: .handledByChild() at \(file):\(line)"
  }
}
