/// The overrides that the engine calls on a view model.
@usableFromInline
protocol EngineHost<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable

  func createObservable(_ action: Action) -> Observable<StateMapper<State>>
  func showSpinner(_ action: Action) -> Bool
  func executionMode(for action: Action) -> ExecutionMode
  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>?
  func handleError(_ error: any Error, action: Action?) -> Bool
  func diagnose(_ diagnostic: Diagnostic<Action>)
  func onResume(_ scope: DisposeBag)
  func onPause()
}
