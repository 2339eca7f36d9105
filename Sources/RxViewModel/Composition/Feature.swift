/// The logic of a part of a screen, as a value: it can stand in several screens, and be tested alone.
///
///     struct PersonForm: Feature {
///       enum Action: Sendable { case setName(String), save }
///       let service: any PersonService
///
///       func createObservable(_ action: Action, state: FormState) -> Observable<StateMapper<FormState>> {
///         switch action {
///         case .setName(let name): .mutate { $0.name = name }
///         case .save: Observable.task { try await service.save(state.name) }.mutate { $0.isSaved = true }
///         }
///       }
///     }
///
/// A ``FeatureViewModel`` makes it a screen of its own. `embed(_:_:at:)` makes it a part of another view model: see <doc:Composition>. A
/// feature is `Sendable`, so it needs no `@unchecked Sendable`.
public protocol Feature<Action, State>: Sendable {
  /// What the feature can be asked to do.
  associatedtype Action: Sendable
  /// The state of the feature, which is a part of its screen's state.
  associatedtype State: Sendable

  /// Returns the effect of an action: an observable of mappers of the feature's state.
  ///
  /// - Parameters:
  ///   - action: An action that starts now.
  ///   - state: The state of the feature at the moment of the call.
  func createObservable(_ action: Action, state: State) -> Observable<StateMapper<State>>

  /// Returns the mode of an action that is executed without one. The default is `.parallel`.
  func executionMode(for action: Action) -> ExecutionMode

  /// Returns whether the screen is loading while the action runs. The default is false.
  func showSpinner(_ action: Action) -> Bool
}

extension Feature {
  @inlinable
  public func executionMode(for action: Action) -> ExecutionMode { .parallel }

  @inlinable
  public func showSpinner(_ action: Action) -> Bool { false }
}
