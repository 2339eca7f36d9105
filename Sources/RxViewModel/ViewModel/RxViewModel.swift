import Dispatch

/// A state machine for a screen: actions in, immutable states out.
///
/// A subclass defines the initial state and the effect of each action. The view executes actions and renders streams:
///
///     final class CounterViewModel: RxViewModel<CounterAction, Int>, @unchecked Sendable {
///       override func createInitialState() -> Int { 0 }
///
///       override func createObservable(_ action: CounterAction) -> Effect {
///         switch action {
///         case .increment: .mutate { $0 += 1 }
///         }
///       }
///     }
///
/// **Threads.** Inputs may be called from any thread, and do not wait for other threads. The view model runs its overrides, its mappers and
/// the emissions of its streams on its scheduler, one at a time, even if that scheduler is concurrent. Three overrides are exceptions:
/// ``createInitialState()`` and ``createSources()`` run in `init`, and ``diagnose(_:)`` may run on any thread. A stream replays on the
/// subscribing thread. A subclass must restate `@unchecked Sendable`, and keep that promise: each stored property is a `let`, or only the
/// overrides other than `diagnose` touch it.
///
/// **Order.** The view model takes actions in the order in which they were executed, and starts each at most once, when its mode lets it
/// start. An action that is cancelled, superseded or dropped before that never starts. For one action the streams emit, in this order:
/// loading true, if it changes; started; for each mapper the state, the action with the state, and emitted. At the end of an action that
/// failed, they emit the same for the mapper of ``stateMapper(for:action:)``, and then the error. Then they emit completed, failed or
/// cancelled, and loading false, if it changes.
///
/// **Lifetime.** Only actions, outputs and pauses that wait for nothing but their turn on the scheduler keep a view model alive. When the
/// last reference is released, or at ``clear()``, the view model disposes unfinished effects and completes its streams.
// Sendable: `engine` is `Sendable`, and is set once. Only the main actor uses `mirrors`, until the release.
open class RxViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  /// The effect of an action, or a source: an observable of mappers, each of which makes the next state.
  public typealias Effect = Observable<StateMapper<State>>

  @usableFromInline let engine: Engine<Action, State>
  /// The objects through which SwiftUI reads this view model. Nil until the first of them is asked for.
  @usableFromInline final var mirrors: AnyObject?

  /// Makes a view model, with the state that ``createInitialState()`` returns, which must be overridden.
  ///
  /// - Parameter scheduler: Runs the overrides, the mappers and the emissions of the streams. By default it is a serial
  ///   queue of the view model's own, on the threads that all global queues share. `.main` runs them on the main actor.
  @inlinable
  public init(scheduler: (any Scheduler)? = nil) {
    engine = Engine(scheduler: scheduler ?? DispatchQueue(label: "RxViewModel", target: .shared))
    engine.open(self, with: nil)
  }

  /// Makes a view model with a given initial state: for a preview, for a test, or with a state that has survived a restart.
  ///
  /// - Parameters:
  ///   - initialState: Stands in for ``createInitialState()``, which is then not called. Nil: ``createInitialState()`` is called.
  ///   - scheduler: As in ``init(scheduler:)``.
  @inlinable
  public init(initialState: State?, scheduler: (any Scheduler)? = nil) {
    engine = Engine(scheduler: scheduler ?? DispatchQueue(label: "RxViewModel", target: .shared))
    engine.open(self, with: initialState)
  }

  @inlinable
  deinit {
    engine.close()
    engine.releaseState()
  }

  // MARK: Override points

  /// Returns the initial state. Must be overridden, unless ``init(initialState:scheduler:)`` always gets a state.
  ///
  /// `init` calls this once, on the thread that makes the view model, and not at all if it gets an initial state. It may
  /// subscribe to the streams, and execute actions, which start after it has returned. It must not read ``currentState``.
  open func createInitialState() -> State {
    fatalError("\(type(of: self)) must override createInitialState()")
  }

  /// Returns the streams that this view model follows for as long as it lives: shared state, a clock, a connection. Default: none.
  ///
  ///     override func createSources() -> [Effect] {
  ///       [cart.asObservable().mutate { $0.cart = $1 }]
  ///     }
  ///
  /// `init` calls this exactly once, on the thread that makes the view model, after the initial state exists, and subscribes to the streams
  /// there, in order. **The mappers that a stream sends on that thread while it is being subscribed make the initial
  /// state**: ``stateObservable`` begins with the result. The view model folds later mappers, and those that another thread sends, as it
  /// folds those of effects, in order with the actions, and emits the states on ``stateObservable`` only.
  ///
  /// A source is not an action: ``executionObservable`` does not emit it, it does not count as loading, ``cancelActions(where:)`` does not
  /// cancel it, and it does not keep the view model alive. An error of a stream, or of a mapper, ends that stream, and is an error without
  /// an action; a `CancellationError` ends it without an error. The view model disposes its sources at ``clear()`` and at its release.
  ///
  /// The stored properties of a subclass are set before `super.init`, so this may read them. It may also execute actions, which start after
  /// it has returned. It must not read ``currentState``. A mapper that captures the view model strongly keeps it alive until ``clear()``.
  open func createSources() -> [Effect] { [] }

  /// Returns the effect of an action: an observable of mappers. Must be overridden.
  ///
  /// Called on the scheduler, at most once per action: not for an action that ends before it starts, or that an observer of its start
  /// cancels. The view model applies each mapper to the state that is current when its turn comes. If the observable completes without a
  /// mapper, the view model emits the current state once more. An error ends the action, never a stream.
  open func createObservable(_ action: Action) -> Effect {
    fatalError("\(type(of: self)) must override createObservable(_:)")
  }

  /// Returns where the child of an action stands, and which feature it is. The default is nil: the action is the view model's own.
  ///
  ///     override func child(for action: ScreenAction) -> ChildAction<ScreenAction, ScreenState>? {
  ///       switch action {
  ///       case .form(let action): .init(form, action, at: \.form, as: ScreenAction.form)
  ///       default: nil
  ///       }
  ///     }
  ///
  /// Called on the scheduler, at most once per action, before every other override. Must depend on the action only. Effect, mode, spinner
  /// and error mapper of a child's action come from its feature, which sees the child's state only;
  /// ``RxViewModel/RxViewModel/createObservable(_:)``, ``RxViewModel/RxViewModel/executionMode(for:)`` and
  /// ``RxViewModel/RxViewModel/showSpinner(_:)`` are not called for it. **The action ends when the child goes**, in the fold in which it
  /// goes. An action for an absent child is dropped, and reported to ``RxViewModel/RxViewModel/diagnose(_:)``. See <doc:Composition>.
  open func child(for action: Action) -> ChildAction<Action, State>? {
    nil
  }

  /// Returns whether ``RxViewModel/RxViewModel/isLoadingObservable`` is true while the action runs.
  ///
  /// Called on the scheduler, at most once per action, when the view model takes it: not for an action that has ended before that.
  open func showSpinner(_ action: Action) -> Bool {
    false
  }

  /// Returns the mode of an action that was executed without one.
  ///
  /// Called on the scheduler, at most once per action, also for one that is cancelled before the view model takes it.
  open func executionMode(for action: Action) -> ExecutionMode {
    .parallel
  }

  /// Returns a mapper for the error of an action, for example to put a message into the state. Returns nil by default, which does not
  /// change the state.
  ///
  ///     override func stateMapper(for error: any Error, action: SearchAction) -> StateMapper<SearchState>? {
  ///       { var state = $0; state.message = "\(error)"; return state }
  ///     }
  ///
  /// Called on the scheduler, once per action that fails, but not for a cancellation, nor for an error without an action. The view model
  /// folds the mapper as the action's last one, before it calls ``RxViewModel/RxViewModel/handleError(_:action:)`` and before loading turns
  /// false. If the mapper throws, the state does not change, and the error streams emit the mapper's error after the action's own.
  open func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    nil
  }

  /// Handles an error before the error streams emit it. Returning true keeps the error from both of them.
  ///
  /// Called with each error, on the scheduler. `action` is nil if the error does not belong to an action.
  open func handleError(_ error: any Error, action: Action?) -> Bool {
    false
  }

  /// Starts effects that run only while a screen is resumed.
  ///
  /// Called on the scheduler, in order with the actions, when the first screen is resumed. A screen is a ``Lifecycle`` that is bound with
  /// ``Lifecycle/bind(_:)``; ``didResume()`` and ``didPause()`` stand for one more. The view model disposes `scope` when the last screen is
  /// paused, and, on the calling thread, at ``clear()`` and at its release. Add subscriptions
  /// (`locations.execute(on: self).disposed(by: scope)`) and tasks to it, and execute actions in it with ``execute(_:mode:in:)``. Each
  /// resume has a scope of its own. A scope that has ended disposes at once whatever you add to it.
  open func onResume(_ scope: DisposeBag) {}

  /// Ends the work of a resume.
  ///
  /// Called on the scheduler when the last screen is paused, before the view model disposes the scope. ``clear()`` and the release do not
  /// call it.
  open func onPause() {}

  /// Reports a probable mistake: an error that reached no subscriber, an action executed after
  /// ``RxViewModel/RxViewModel/clear()`` or in a `deinit`, or an action for a child that is absent or has ended.
  ///
  /// Called for an error on the scheduler, at the point at which the error streams would emit it, and for an absent child on the scheduler.
  /// Called for an action after `clear()`, or after the end of the action whose effect executes it, on the thread that executes it, before
  /// `execute` returns: on any thread, and on several at the same time. The default writes one line to standard error in debug builds, and
  /// does nothing in release builds. It costs nothing while no action fails. An action that `diagnose` itself executes after `clear()` is
  /// not reported.
  open func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {
    reportInDebug("\(type(of: self)): \(diagnostic)")
  }

  // MARK: Inputs

  /// Executes an action in the mode that ``executionMode(for:)`` returns for it.
  ///
  /// May be called from any thread, also from inside an override, a mapper or a callback. The view model takes the action on the scheduler,
  /// after the actions executed earlier; the mode decides when it starts. This does not wait for other threads. It returns before the
  /// action starts, unless the scheduler runs work at once: an ``ImmediateScheduler``, or a ``MainScheduler`` on the main actor while none
  /// of its work waits. On such a scheduler this may run the synchronous part of the action first, but not if it is called from inside the
  /// view model's own work. After ``clear()`` this only calls ``diagnose(_:)``. O(1).
  @inlinable
  public final func execute(_ action: Action) {
    engine.execute(action, for: self)
  }

  /// Executes an action in the given mode. Otherwise like ``execute(_:)``.
  @inlinable
  public final func execute(_ action: Action, mode: ExecutionMode) {
    engine.execute(ActionRun(action, mode: mode), for: self)
  }

  /// Executes actions one after the other, in the default lane of ``ExecutionMode/sequence``.
  ///
  /// May be called from any thread. If one action fails or is cancelled, the view model drops those that follow it. Other actions that wait
  /// in the lane are not affected.
  @inlinable
  public final func executeInSequence(_ actions: Action...) {
    engine.execute(batch: actions, for: self)
  }

  /// Executes an action, waits until it has finished, and returns the state that its last mapper produced.
  ///
  /// May be called from any thread or actor. Throws the action's error, even if ``handleError(_:action:)`` has handled it. Throws
  /// `CancellationError` if the action was superseded, dropped, cancelled or cleared. Cancelling the awaiting task cancels the action, in
  /// O(1).
  @inlinable
  @discardableResult
  public final func perform(_ action: Action) async throws -> State {
    try await engine.perform(action, mode: nil, for: self).value
  }

  /// Performs an action in the given mode. Otherwise like ``perform(_:)``.
  @inlinable
  @discardableResult
  public final func perform(_ action: Action, mode: ExecutionMode) async throws -> State {
    try await engine.perform(action, mode: mode, for: self).value
  }

  /// Cancels every pending or running action that matches `predicate`. Actions executed later aren't affected.
  ///
  /// May be called from any thread, and never waits for other threads. Calls `predicate` on the calling thread, once for each unfinished
  /// action. When this returns, no mapper of a matching action is folded any more, not even one already sent. The actions end on the view
  /// model's scheduler, before anything else that waits there. O(n log n) for n unfinished actions.
  public final func cancelActions(where predicate: @escaping @Sendable (Action) -> Bool) {
    engine.cancel { predicate($0.action) }
  }

  /// Ends the view model before its release: disposes unfinished effects, starts no more actions, and completes the streams.
  ///
  /// May be called from any thread; idempotent. The calling thread disposes the effects. The streams complete on the scheduler.
  /// ``currentState`` does not change.
  @inlinable
  public final func clear() {
    engine.close()
  }

  /// Clears the view model when `bag` is disposed: a sign-out disposes the bag of the session, which ends all screens of the session.
  ///
  /// May be called from any thread. The bag does not keep the view model alive, and keeps nothing of one that has ended. If the bag is the
  /// scope of a resume that has ended, this clears the view model at once. Any other bag can be used
  /// again after its disposal, so one that was disposed before this call clears nothing until its next disposal.
  public final func clear(with bag: DisposeBag) {
    engine.close(with: bag)
  }

  // MARK: Outputs

  /// The most recent state, for code that reads it once; a SwiftUI view reads ``RxViewModel/RxViewModel/observed`` instead.
  ///
  /// Observation does not track this, so a view whose body reads it does not update.
  ///
  /// May be read from any thread. A read never waits for user code. After ``clear()`` this keeps the last state. Reading it inside
  /// ``createInitialState()`` or ``createSources()``, which make the first one, is a programming mistake, and is trapped.
  @inlinable
  public final var currentState: State {
    engine.currentState.value
  }

  /// Emits the initial state, then each folded state, equal ones too. Replays the current state.
  ///
  /// Emits on the scheduler, sends no errors, and completes at ``clear()`` and at the release of the view model, which it does not keep
  /// alive. The same is true of the other streams. After ``clear()`` a new subscriber gets only the completion, without a state;
  /// ``currentState`` keeps the last one.
  @inlinable
  public final var stateObservable: Observable<State> {
    engine.states
  }

  /// Emits each action with the state that its mapper produced. Replays nothing. Otherwise like ``stateObservable``.
  @inlinable
  public final var actionAndStateObservable: Observable<ActionAndState<Action, State>> {
    engine.stream(\.actionAndState, observesActions: true)
  }

  /// Emits each error as an element, except those that ``handleError(_:action:)`` has handled. Replays nothing. Otherwise like
  /// ``stateObservable``.
  @inlinable
  public final var errorObservable: Observable<any Error> {
    engine.stream(\.error)
  }

  /// Emits the errors of ``errorObservable``, each with its action. ``ActionAndError/retry()`` executes that action again. Replays nothing.
  /// Otherwise like ``stateObservable``.
  @inlinable
  public final var actionAndErrorObservable: Observable<ActionAndError<Action>> {
    engine.stream(\.actionAndError)
  }

  /// Emits whether a started action with ``showSpinner(_:)`` is unfinished, without repeated values. Replays the current value. Otherwise
  /// like ``stateObservable``. A subscription costs O(n) for n unfinished actions.
  public final var isLoadingObservable: Observable<Bool> {
    engine.loading(isForSpinner: true) { $0.showsSpinner }
  }

  /// Emits whether a started action that matches is unfinished, without repeated values. Replays the current value. Otherwise like
  /// ``stateObservable``.
  ///
  /// For each subscription, the view model calls `predicate` once per started action, on the scheduler. For the actions that run when a
  /// subscriber subscribes, it calls `predicate` on the subscribing thread.
  public final func isLoadingObservable(where predicate: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    engine.loading { predicate($0.action) }
  }

  /// The scheduler on which this view model works. In the overrides, pass it to operators with times.
  ///
  /// May be read from any thread. After ``clear()`` it is an ``ImmediateScheduler``, so that a cleared view model keeps nothing else alive.
  /// If `clear()` was called while the view model was at work, for instance from a callback, it remains the scheduler from before.
  @inlinable
  public final var scheduler: any Scheduler {
    engine.scheduler
  }

  /// Emits each step in the life of each action. Replays nothing. Otherwise like ``stateObservable``.
  @inlinable
  public final var executionObservable: Observable<Execution<Action, State>> {
    engine.stream(\.execution, observesActions: true)
  }
}
