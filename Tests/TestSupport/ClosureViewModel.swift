import RxViewModel

/// A view model whose overrides are closures of the test.
///
/// The closures get the view model, so that they need not retain it.
final class ClosureViewModel<Action: Sendable, State: Sendable>: RxViewModel<Action, State>, @unchecked Sendable {
  typealias Model = ClosureViewModel<Action, State>

  /// Each answers by default as the method that it overrides. `diagnose` reports nothing, because most tests provoke errors that reach no
  /// subscriber.
  struct Overrides: Sendable {
    /// By default, all actions are those of children.
    var effect: @Sendable (Model, Action) -> Effect = { _, _ in .handledByChild() }
    var sources: @Sendable (Model) -> [Effect] = { _ in [] }
    var child: @Sendable (Model, Action) -> ChildAction<Action, State>? = { _, _ in nil }
    var mode: @Sendable (Model, Action) -> ExecutionMode = { _, _ in .parallel }
    var spins: @Sendable (Model, Action) -> Bool = { _, _ in false }
    var update: @Sendable (Model, Action) -> OptimisticUpdate<State>? = { _, _ in nil }
    var errorMapper: @Sendable (Model, any Error, Action) -> StateMapper<State>? = { _, _, _ in nil }
    var handles: @Sendable (Model, any Error, Action?) -> Bool = { _, _, _ in false }
    var resumed: @Sendable (Model, DisposeBag) -> Void = { _, _ in }
    var paused: @Sendable (Model) -> Void = { _ in }
    var diagnose: @Sendable (Model, ViewModelDiagnostic<Action>) -> Void = { _, _ in }
  }

  // Sendable: its properties are `let`s.
  private let overrides: Overrides

  init(_ initialState: State, scheduler: (any Scheduler)? = nil, overrides change: (inout Overrides) -> Void) {
    var overrides = Overrides()
    change(&overrides)
    self.overrides = overrides
    super.init(initialState: initialState, scheduler: scheduler)
  }

  convenience init(
    _ initialState: State, scheduler: (any Scheduler)? = nil, effect: @escaping @Sendable (Model, Action) -> Effect,
    overrides change: (inout Overrides) -> Void = { _ in }
  ) {
    self.init(initialState, scheduler: scheduler) { overrides in
      overrides.effect = effect
      change(&overrides)
    }
  }

  override func createSources() -> [Effect] { overrides.sources(self) }
  override func createObservable(_ action: Action) -> Effect { overrides.effect(self, action) }
  override func child(for action: Action) -> ChildAction<Action, State>? { overrides.child(self, action) }
  override func executionMode(for action: Action) -> ExecutionMode { overrides.mode(self, action) }
  override func showSpinner(_ action: Action) -> Bool { overrides.spins(self, action) }
  override func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? { overrides.update(self, action) }
  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    overrides.errorMapper(self, error, action)
  }
  override func handleError(_ error: any Error, action: Action?) -> Bool { overrides.handles(self, error, action) }
  override func onResume(_ scope: DisposeBag) { overrides.resumed(self, scope) }
  override func onPause() { overrides.paused(self) }
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) { overrides.diagnose(self, diagnostic) }
}
