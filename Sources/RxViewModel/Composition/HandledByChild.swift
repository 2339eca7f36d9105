extension Observable {
  /// The effect of an action that `child(for:)` leaves to a child: `case .form, .alert: .handledByChild()`.
  ///
  /// A view model never asks its `createObservable`, or that of a feature, for the effect of a child's action. So this call only completes
  /// the `switch` of a parent, for the compiler. If `child(for:)` forgets the action and returns nil, the action fails with an error that
  /// says so and names the place of this call.
  public static func handledByChild<State: Sendable>(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Observable<StateMapper<State>> where Element == StateMapper<State> {
    .error(ForgottenChild(file: file, line: line))
  }
}

/// The error of an action that a parent leaves to a child, and that `child(for:)` has forgotten.
struct ForgottenChild: Error, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String {
    "child(for:) returned nil for this action, but createObservable leaves it to a child: .handledByChild() at \(file):\(line)"
  }
}
