/// The logic of a screen, or of a part of one, as a value: several screens can use it, and a test can run it alone.
///
///     struct PersonForm: Feature {
///       enum Action: Sendable { case setName(String), save }
///       enum Output: Sendable { case saved(Person) }
///       struct State: Sendable { var name = "", isSaved = false }
///       let service: any PersonService
///
///       func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
///         switch action {
///         case .setName(let name): .mutate { $0.name = name }
///         case .save:
///           Observable.task { [name = context.state.name] in try await service.save(name) }.mutate { form, person in
///             form.isSaved = true
///             context.output(.saved(person))
///           }
///         }
///       }
///     }
///
/// To make it a screen of its own, pass it to a ``FeatureViewModel``. To make it a part of a view model or of another feature, return it
/// from `child(for:)` there: see <doc:ComposingFeatures>. The view model calls all of these methods on its scheduler. A feature is
/// `Sendable`, so it needs no `@unchecked Sendable`.
public protocol Feature<Action, State>: Sendable {
  /// A request that the feature handles.
  associatedtype Action: Sendable
  /// The state of the feature, which is a part of its screen's state.
  associatedtype State: Sendable
  /// What the feature tells its parent. Leave it out if the feature has no outputs.
  associatedtype Output: Sendable = Never
  /// The effect of an action: an observable of mappers of the feature's state.
  ///
  /// If you use this name, declare `State` too, because the compiler can't infer the state from it.
  typealias Effect = Observable<StateMapper<State>>

  /// Returns the effect of an action: an observable of mappers of the feature's state. Not called for an action of a child.
  ///
  /// - Parameters:
  ///   - action: An action that starts now.
  ///   - context: The state of the feature at the moment of the call, and what the effect can ask of its view model.
  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect

  /// Returns the child that an action is for. The default is nil: the action is the feature's own.
  ///
  /// The result must depend on the action only. Otherwise it behaves like ``RxViewModel/RxViewModel/child(for:)``.
  func child(for action: Action) -> ChildAction<Action, State>?

  /// Returns the mode of an action that is executed without one. The default is `.parallel`. Its lanes belong to this instance of the
  /// feature, so that two rows never share one. Called at most once per action.
  func executionMode(for action: Action) -> ExecutionMode

  /// Returns whether the screen is loading while the action runs, if that depends on the action only. The default is false.
  func showSpinner(_ action: Action) -> Bool

  /// Returns whether the screen is loading while the action runs. The default is ``showSpinner(_:)``.
  ///
  /// Called at most once per action, before its effect is made. Only the state of the context is of use: the action hasn't started, so
  /// `execute`, `output` and `cancel` do nothing.
  func showSpinner(_ action: Action, context: FeatureContext<Self>) -> Bool

  /// Returns what is known of an action before its response, as ``RxViewModel/RxViewModel/optimisticUpdate(for:)`` does. The default is nil.
  /// A change does nothing to a child that is absent.
  func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>?

  /// Returns a mapper for the error of an action, the feature's own or one of its children's, as
  /// ``RxViewModel/RxViewModel/stateMapper(for:action:)`` does. The default is nil, which leaves the error to the parent.
  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>?

  /// Returns what distinguishes one child from another in the same place. The default is the `id` of a state that is `Identifiable`, and
  /// nil for any other state: otherwise a child counts as new only after removal.
  ///
  /// Called when the view model takes an action of the child, and in the folds that come while the child has unfinished actions. So keep it
  /// cheap, and let it depend on the state only.
  func identity(of state: State) -> AnyHashable?
}

extension Feature {
  @inlinable
  public func child(for action: Action) -> ChildAction<Action, State>? { nil }

  @inlinable
  public func executionMode(for action: Action) -> ExecutionMode { .parallel }

  @inlinable
  public func showSpinner(_ action: Action) -> Bool { false }

  @inlinable
  public func showSpinner(_ action: Action, context: FeatureContext<Self>) -> Bool { showSpinner(action) }

  @inlinable
  public func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? { nil }

  @inlinable
  public func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? { nil }

  // A generic feature takes this one, whatever its state is.
  @inlinable
  public func identity(of state: State) -> AnyHashable? { (state as? any Identifiable)?.anyID }
}

extension Feature where State: Identifiable {
  @inlinable
  public func identity(of state: State) -> AnyHashable? { AnyHashable(state.id) }
}

extension Identifiable {
  @inlinable
  var anyID: AnyHashable { AnyHashable(id) }
}
