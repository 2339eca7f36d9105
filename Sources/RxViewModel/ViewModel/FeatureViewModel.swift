/// A view model that is one ``Feature``.
///
///     let viewModel = FeatureViewModel(PersonForm(service: service), initialState: FormState())
// Sendable: `feature` is `Sendable`, and is set once.
public final class FeatureViewModel<F: Feature>: RxViewModel<F.Action, F.State>, @unchecked Sendable {
  @usableFromInline let feature: F

  /// Makes a view model for a feature.
  ///
  /// - Parameters:
  ///   - feature: Returns the effects, modes and spinners of the actions.
  ///   - initialState: The state that the view model begins with.
  ///   - scheduler: As in ``RxViewModel/RxViewModel/init(scheduler:)``.
  @inlinable
  public init(_ feature: F, initialState: F.State, scheduler: (any Scheduler)? = nil) {
    self.feature = feature
    super.init(initialState: initialState, scheduler: scheduler)
  }

  @inlinable
  public override func createObservable(_ action: F.Action) -> Observable<StateMapper<F.State>> {
    feature.createObservable(action, state: currentState)
  }

  @inlinable
  public override func executionMode(for action: F.Action) -> ExecutionMode {
    feature.executionMode(for: action)
  }

  @inlinable
  public override func showSpinner(_ action: F.Action) -> Bool {
    feature.showSpinner(action)
  }
}
