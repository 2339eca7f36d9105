import Dispatch

/// A state machine for a screen: actions in, immutable states out.
///
/// A subclass says what the first state is and what each action does. The view executes actions and renders streams:
///
///     final class CounterViewModel: RxViewModel<CounterAction, Int>, @unchecked Sendable {
///       override func createInitialState() -> Int { 0 }
///
///       override func createObservable(_ action: CounterAction) -> Observable<StateMapper<Int>> {
///         switch action {
///         case .increment: .mutate { $0 += 1 }
///         }
///       }
///     }
///
/// **Threads.** Inputs may be called from any thread, and never wait. The view model runs its overrides, its mappers
/// and the emissions of its streams on its scheduler, one at a time, even if that scheduler is concurrent. A stream
/// delivers what it replays on the subscribing thread. A subclass restates `@unchecked Sendable`, and must make it
/// true: its stored properties are `let`, or only the overrides touch them.
///
/// **Order.** Actions start in the order in which they were executed. For one action the streams emit, in this order:
/// loading true, if it changes; started; for each mapper the state, the action with the state, and emitted; at the end,
/// if the action failed, the same for the mapper of ``stateMapper(for:action:)``, and the error; completed, failed or
/// cancelled; and loading false, if it changes.
///
/// **Lifetime.** Only actions that wait for their turn on the scheduler keep a view model alive. When the last
/// reference is released, or at ``clear()``, unfinished effects are disposed and the streams complete.
// Sendable: `engine` is `Sendable`, and is set once.
open class RxViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let engine: Engine<RxViewModel<Action, State>>

  /// Makes a view model, with the state that ``createInitialState()`` returns.
  ///
  /// - Parameter scheduler: Runs the overrides, the mappers and the emissions of the streams. By default it is a serial
  ///   queue of the view model's own, on the threads that all global queues share.
  @inlinable
  public init(scheduler: (any Scheduler)? = nil) {
    engine = Engine(scheduler: scheduler ?? DispatchQueue(label: "RxViewModel", target: .shared))
    engine.viewModel = self
    engine.open(self, with: createInitialState())
  }

  @inlinable
  deinit {
    engine.close()
    engine.forget()
  }

  // MARK: Override points

  /// Returns the initial state. Must be overridden.
  ///
  /// `init` calls this exactly once, on the thread that makes the view model.
  open func createInitialState() -> State {
    fatalError("\(type(of: self)) must override createInitialState()")
  }

  /// Returns the effect of an action: an observable of mappers. Must be overridden.
  ///
  /// Called once per action, on the scheduler. The view model applies each mapper to the state that is current when its
  /// turn comes. An observable that completes without a mapper counts as one that left the state unchanged. An error
  /// ends the action, never a stream.
  open func createObservable(_ action: Action) -> Observable<StateMapper<State>> {
    fatalError("\(type(of: self)) must override createObservable(_:)")
  }

  /// Returns whether ``isLoadingObservable`` is true while the action is at work. Called once per action, on the
  /// scheduler.
  open func showSpinner(_ action: Action) -> Bool {
    false
  }

  /// Returns the mode of an action that was executed without one. Called on the scheduler.
  open func executionMode(for action: Action) -> ExecutionMode {
    .parallel
  }

  /// Returns the change that an action's error makes to the state, such as a message or a list that can be retried;
  /// nil, the default, leaves the state as it is.
  ///
  ///     override func stateMapper(for error: any Error, action: SearchAction) -> StateMapper<SearchState>? {
  ///       { var state = $0; state.message = "\(error)"; return state }
  ///     }
  ///
  /// Called on the scheduler, once per action that fails, but not for a cancellation, nor for an error without an
  /// action. The view model folds the mapper as the action's last one, before it calls ``handleError(_:action:)``,
  /// whatever that returns, and before loading turns false. If the mapper throws, the state stays what it was, and the
  /// view model reports the mapper's error after the action's own.
  open func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    nil
  }

  /// Handles an error before the error streams emit it. Returning true keeps the error from both of them.
  ///
  /// Called with each error, on the scheduler. `action` is nil if the error does not belong to an action.
  open func handleError(_ error: any Error, action: Action?) -> Bool {
    false
  }

  /// Starts what runs only while a screen is resumed.
  ///
  /// Called when the first of the bound screens is resumed, on the scheduler, in order with the actions. `scope` is
  /// disposed when the last of the screens is paused, at ``clear()`` and at the end of the view model. Put into it
  /// streams (`locations.execute(on: self).disposed(by: scope)`), tasks, and actions executed with
  /// ``execute(_:mode:in:)``. Each resume has a scope of its own. A scope that is over disposes at once what you put
  /// into it.
  open func onResume(_ scope: DisposeBag) {}

  /// Responds to the pause of the last bound screen.
  ///
  /// Called on the scheduler, before the scope is disposed. ``clear()`` does not call it.
  open func onPause() {}

  /// Reports a probable mistake: an error that no subscriber has heard, or an action executed after ``clear()``.
  ///
  /// An error is reported on the scheduler, where it would have been emitted. An action after `clear()` is reported on
  /// the thread that executes it, before `execute` returns. This is the only override that may run there. By default it
  /// writes one line to standard error in debug builds, and does nothing in release builds. It costs nothing while
  /// nothing fails.
  open func diagnose(_ diagnostic: Diagnostic<Action>) {
    reportInDebug("\(type(of: self)): \(diagnostic)")
  }

  // MARK: Inputs

  /// Executes an action in the mode that ``executionMode(for:)`` gives it.
  ///
  /// May be called from any thread, also from inside an override, a mapper or a callback. Returns at once. The action
  /// starts exactly once, on the scheduler, after those accepted before it. After ``clear()`` this only calls
  /// ``diagnose(_:)``.
  @inlinable
  public final func execute(_ action: Action) {
    engine.execute(action, for: self)
  }

  /// Executes an action in the given mode.
  @inlinable
  public final func execute(_ action: Action, mode: ExecutionMode) {
    engine.execute(ActionRun(action, mode: mode), for: self)
  }

  /// Executes actions one after the other, in the default lane of ``ExecutionMode/sequence``.
  ///
  /// If one action fails or is cancelled, the view model drops those that follow it. Other actions that wait in the
  /// lane are not affected.
  @inlinable
  public final func executeInSequence(_ actions: Action...) {
    engine.execute(batch: actions, for: self)
  }

  /// Executes an action, waits until it has finished, and returns the state that its last mapper produced.
  ///
  /// Throws the action's error, even if ``handleError(_:action:)`` has handled it. Throws `CancellationError` if the
  /// action was superseded, dropped, cancelled or cleared. Cancelling the awaiting task cancels the action.
  @inlinable
  @discardableResult
  public final func perform(_ action: Action) async throws -> State {
    try await engine.perform(action, mode: nil, for: self)
  }

  /// Performs an action in the given mode.
  @inlinable
  @discardableResult
  public final func perform(_ action: Action, mode: ExecutionMode) async throws -> State {
    try await engine.perform(action, mode: mode, for: self)
  }

  /// Cancels the matching actions among those executed before this call, whether they wait or are at work.
  ///
  /// Returns at once. The view model calls `predicate` on the scheduler, before it starts another action or folds a
  /// state.
  public final func cancelActions(where predicate: @escaping @Sendable (Action) -> Bool) {
    engine.cancel(where: predicate)
  }

  /// Ends the view model early: disposes unfinished effects, starts nothing more, completes the streams.
  ///
  /// May be called from any thread; idempotent. The calling thread disposes the effects. The streams complete on the
  /// scheduler. ``currentState`` stays what it was.
  @inlinable
  public final func clear() {
    engine.close()
  }

  // MARK: Outputs

  /// The state folded last.
  ///
  /// May be read from any thread. A read never waits for code of yours.
  @inlinable
  public final var currentState: State {
    engine.currentState
  }

  /// The initial state, then each folded state, equal ones too. Replays the current state.
  @inlinable
  public final var stateObservable: Observable<State> {
    Observable { [engine] sink in engine.connect(sink) }
  }

  /// Each action with the very state that its mapper produced. Replays nothing.
  @inlinable
  public final var actionAndStateObservable: Observable<ActionAndState<Action, State>> {
    engine.stream(\.actionAndState, observesActions: true)
  }

  /// Each error, except those that ``handleError(_:action:)`` has handled. Replays nothing.
  @inlinable
  public final var errorObservable: Observable<any Error> {
    engine.stream(\.error)
  }

  /// The errors of ``errorObservable``, each with its action and with a way to execute that action again:
  /// ``ActionAndError/retry()``. Replays nothing.
  @inlinable
  public final var actionAndErrorObservable: Observable<ActionAndError<Action>> {
    engine.stream(\.actionAndError)
  }

  /// Whether a started action with ``showSpinner(_:)`` is unfinished, without repeated values. Replays the current
  /// value.
  @inlinable
  public final var isLoadingObservable: Observable<Bool> {
    engine.stream(\.loading) { SubjectCore(ReplayBuffer($0.isLoading)) }
  }

  /// Whether a started action that matches is unfinished, without repeated values. Replays the current value.
  ///
  /// The view model calls `predicate` once per started action, on the scheduler. For the actions that are at work when
  /// a subscriber subscribes, it calls `predicate` on the subscribing thread.
  public final func isLoadingObservable(where predicate: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    engine.loading(where: predicate)
  }

  /// The scheduler on which this view model works, for operators with times in the overrides.
  ///
  /// May be read from any thread. After ``clear()`` it is an ``ImmediateScheduler``, so that a cleared view model keeps
  /// nothing else alive.
  @inlinable
  public final var scheduler: any Scheduler {
    engine.scheduler
  }

  /// Each step in the life of each action. Replays nothing.
  @inlinable
  public final var executionObservable: Observable<Execution<Action, State>> {
    engine.stream(\.execution, observesActions: true)
  }
}

extension RxViewModel: EngineHost {}
