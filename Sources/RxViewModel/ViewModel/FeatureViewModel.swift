/// The view model of a single ``Feature``.
///
///     let viewModel = FeatureViewModel(PersonForm(service: service), initialState: PersonForm.State())
///
/// It has no sources and no `onResume`, and leaves each error to the streams. Otherwise it behaves like any ``RxViewModel/RxViewModel``. If
/// you need sources, `onResume` or `handleError`, write a subclass and make the feature its child: see <doc:ComposingFeatures>.
// Sendable: its properties are `Sendable`, and are set once.
public final class FeatureViewModel<F: Feature>: RxViewModel<F.Action, F.State>, @unchecked Sendable {
  @usableFromInline let feature: F
  @usableFromInline let outputCore = SubjectCore<F.Output>()
  @usableFromInline let report: (@Sendable (ViewModelDiagnostic<F.Action>) -> Void)?

  /// Makes a view model for a feature.
  ///
  /// - Parameters:
  ///   - feature: Returns the effects, modes and spinners of the actions.
  ///   - initialState: The state that the view model begins with.
  ///   - scheduler: As in ``RxViewModel/RxViewModel/init(scheduler:)``.
  ///   - report: Gets what ``RxViewModel/RxViewModel/diagnose(_:)`` would write to standard error. Pass `{ _ in }` to silence it.
  @inlinable
  public init(
    _ feature: F, initialState: F.State, scheduler: (any Scheduler)? = nil,
    diagnose report: (@Sendable (ViewModelDiagnostic<F.Action>) -> Void)? = nil
  ) {
    (self.feature, self.report) = (feature, report)
    super.init(initialState: initialState, scheduler: scheduler)
    engine.shared.withLock { $0.streams.all.append(outputCore) }
  }

  /// Emits what the feature tells its parent, on the scheduler and in order with the states. Replays nothing. Otherwise it behaves like
  /// ``RxViewModel/RxViewModel/stateObservable``.
  public var outputs: Observable<F.Output> {
    Observable(.subject { [engine, outputCore] in (engine.isOver ? .ended : outputCore).connect($0, $1) })
  }

  @inlinable
  public override func child(for action: F.Action) -> ChildAction<F.Action, F.State>? { feature.child(for: action) }

  @inlinable
  public override func createObservable(_ action: F.Action) -> Effect {
    feature.createObservable(
      action,
      context: FeatureContext(currentState, engine.portOfCurrentAction()) { [outputCore] port, output in
        port.send(action, .emit { outputCore.on(.next(output)) })
      })
  }

  @inlinable
  public override func executionMode(for action: F.Action) -> ExecutionMode { feature.executionMode(for: action) }

  @inlinable
  public override func showSpinner(_ action: F.Action) -> Bool {
    feature.showSpinner(action, context: FeatureContext(currentState))
  }

  @inlinable
  public override func optimisticUpdate(for action: F.Action) -> OptimisticUpdate<F.State>? {
    feature.optimisticUpdate(for: action)
  }

  @inlinable
  public override func stateMapper(for error: any Error, action: F.Action) -> StateMapper<F.State>? {
    feature.stateMapper(for: error, action: action)
  }

  @inlinable
  public override func diagnose(_ diagnostic: ViewModelDiagnostic<F.Action>) {
    if let report { report(diagnostic) } else { super.diagnose(diagnostic) }
  }
}
