import Dispatch

/// A state machine for a screen: actions in, immutable states out.
///
/// Subclass it, say what the first state is and what each action does, and let the view execute actions and render streams:
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
/// **Threads.** Inputs may be called from any thread, and never wait. The override points, the mappers and the streams'
/// emissions run on the view model's scheduler, one at a time, even if that scheduler is concurrent. What a stream replays
/// is delivered on the subscribing thread. A subclass restates `@unchecked Sendable`, and keeps it true: its stored
/// properties are `let`, or touched only from the overrides.
///
/// **Order.** Actions start in the order in which they were executed. One action emits: loading true (if it turns), started;
/// for each mapper the state, the action with the state, emitted; at the end, if it failed, what ``stateMapper(for:action:)`` makes
/// of that, in the same way, and the error; then completed, failed or cancelled; then loading false (if it turns).
///
/// **Lifetime.** Nothing keeps a view model alive but actions that wait for their turn on the scheduler. When the last
/// reference goes, or at ``clear()``, unfinished effects are disposed and the streams complete.
// Sendable: `engine` is, and is set once.
open class RxViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let engine: Engine<RxViewModel<Action, State>>

  /// - Parameter scheduler: where the overrides, the mappers and the streams run. By default a serial queue of its own, on
  ///   the threads that all global queues share.
  @inlinable
  public init(scheduler: (any Scheduler)? = nil) {
    engine = Engine(scheduler: scheduler ?? DispatchQueue(label: "RxViewModel", target: .global()))
    engine.viewModel = self
    engine.open(self, with: createInitialState())
  }

  @inlinable
  deinit {
    engine.close()
    engine.forget()
  }

  // MARK: Override points

  /// The state to start from. Called exactly once, in `init`, on the thread of that. Must be overridden.
  open func createInitialState() -> State {
    fatalError("\(type(of: self)) must override createInitialState()")
  }

  /// What an action does: an observable of mappers. Each is applied to the state that is current when its turn comes.
  ///
  /// Called once per action, on the scheduler. An observable that completes without a mapper counts as one that left the
  /// state unchanged. An error ends the action, never a stream. Must be overridden.
  open func createObservable(_ action: Action) -> Observable<StateMapper<State>> {
    fatalError("\(type(of: self)) must override createObservable(_:)")
  }

  /// Whether ``isLoadingObservable`` is true while the action is at work. Called once per action, on the scheduler.
  open func showSpinner(_ action: Action) -> Bool {
    false
  }

  /// The mode of an action that was executed without one. Called on the scheduler.
  open func executionMode(for action: Action) -> ExecutionMode {
    .parallel
  }

  /// What an action's error makes of the state: a message, a list that can be retried. Nil, the default, leaves the state as it is.
  ///
  ///     override func stateMapper(for error: any Error, action: SearchAction) -> StateMapper<SearchState>? {
  ///       { var state = $0; state.message = "\(error)"; return state }
  ///     }
  ///
  /// Called on the scheduler, once per action that fails. The mapper is folded as the action's last one, before
  /// ``handleError(_:action:)`` is called, whatever that returns, and before loading turns false. If it throws, the state stays what it
  /// was, and its error is reported behind the action's own. Not called for a cancellation, nor for an error without an action.
  open func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    nil
  }

  /// Called with each error, on the scheduler, before it is sent. True keeps it from both error streams.
  ///
  /// `action` is nil where the error is not an action's.
  open func handleError(_ error: any Error, action: Action?) -> Bool {
    false
  }

  /// Called when the first of the screens bound to this view model is resumed, on the scheduler, in order with the actions.
  ///
  /// What `scope` holds is disposed when the last of the screens is paused, at ``clear()`` and at the end of the view model: streams
  /// (`locations.execute(on: self).disposed(by: scope)`), tasks, and actions executed with ``execute(_:mode:in:)``. Each resume has
  /// a scope of its own. One that is over disposes at once what is put into it.
  open func onResume(_ scope: DisposeBag) {}

  /// Called when the last of the bound screens is paused, on the scheduler, before the scope is disposed. Not called by ``clear()``.
  open func onPause() {}

  /// Called with what is probably a mistake: an error that nothing has heard, an action executed after ``clear()``.
  ///
  /// By default it writes one line to standard error in debug builds, and does nothing in release builds. An error is diagnosed on the
  /// scheduler, where it would have been sent; an action after `clear()` on the thread that executes it, before `execute` returns. This
  /// is the one override that may run there. Costs nothing while nothing fails.
  open func diagnose(_ diagnostic: Diagnostic<Action>) {
    reportInDebug("\(type(of: self)): \(diagnostic)")
  }

  // MARK: Inputs

  /// Executes an action in the mode that ``executionMode(for:)`` gives it.
  ///
  /// May be called from any thread, also from inside an override, a mapper or a callback. Returns at once; the action starts
  /// exactly once, on the scheduler, after those accepted before it. After ``clear()`` it only calls ``diagnose(_:)``.
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
  /// If one fails or is cancelled, those behind it are dropped. What else waits in the lane is not affected.
  @inlinable
  public final func executeInSequence(_ actions: Action...) {
    engine.execute(batch: actions, for: self)
  }

  /// Executes an action and returns, when it has finished, the state that its last mapper produced.
  ///
  /// Throws the action's error, also one that ``handleError(_:action:)`` took care of, and `CancellationError` if the action
  /// was superseded, dropped, cancelled or cleared. Cancelling the awaiting task cancels the action.
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

  /// Cancels the matching ones among the actions executed before this call, whether they wait or are at work.
  ///
  /// Returns at once; `predicate` is called on the scheduler, before any other action starts or state is folded.
  public final func cancelActions(where predicate: @escaping @Sendable (Action) -> Bool) {
    engine.cancel(where: predicate)
  }

  /// Ends the view model before its time: disposes unfinished effects, starts nothing more, completes the streams.
  ///
  /// May be called from any thread; idempotent. The effects are disposed on this thread, the streams complete on the
  /// scheduler. ``currentState`` stays what it was.
  @inlinable
  public final func clear() {
    engine.close()
  }

  // MARK: Outputs

  /// The state folded last. May be called from any thread; never waits for code of yours.
  @inlinable
  public final var currentState: State {
    engine.currentState
  }

  /// The initial state, then each folded state, equal ones too. Replays the current one.
  @inlinable
  public final var stateObservable: Observable<State> {
    Observable { [engine] sink in engine.connect(sink) }
  }

  /// Each action with the very state that its mapper produced. Replays nothing.
  @inlinable
  public final var actionAndStateObservable: Observable<ActionAndState<Action, State>> {
    engine.stream(\.actionAndState, observesActions: true)
  }

  /// Each error that ``handleError(_:action:)`` did not take care of. Replays nothing.
  @inlinable
  public final var errorObservable: Observable<any Error> {
    engine.stream(\.error)
  }

  /// The same errors, each with its action, and with a way to execute that again: ``ActionAndError/retry()``. Replays nothing.
  @inlinable
  public final var actionAndErrorObservable: Observable<ActionAndError<Action>> {
    engine.stream(\.actionAndError)
  }

  /// Whether a started action with ``showSpinner(_:)`` is unfinished; no value twice in a row. Replays the current one.
  @inlinable
  public final var isLoadingObservable: Observable<Bool> {
    engine.stream(\.loading) { SubjectCore(ReplayBuffer($0.isLoading)) }
  }

  /// Whether a started action that matches is unfinished; no value twice in a row. Replays the current one.
  ///
  /// `predicate` is called once per started action, on the scheduler, and for those at work on the subscribing thread.
  public final func isLoadingObservable(where predicate: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    engine.loading(where: predicate)
  }

  /// Where this view model works: give it to the operators with times in the overrides. Any thread.
  ///
  /// After ``clear()`` it is an ``ImmediateScheduler``, so that a view model that is kept keeps nothing else alive.
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
