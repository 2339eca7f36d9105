/// The overrides that the engine calls on a view model.
@usableFromInline
protocol EngineHost<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable

  func createObservable(_ action: Action) -> Observable<StateMapper<State>>
  func showSpinner(_ action: Action) -> Bool
  func executionMode(for action: Action) -> ExecutionMode
  func handleError(_ error: any Error, action: Action?) -> Bool
  func onResume(_ scope: DisposeBag)
  func onPause()
}
