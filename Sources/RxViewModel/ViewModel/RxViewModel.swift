import Dispatch

/// A state machine for a screen: actions in, immutable states out.
///
/// Your subclass defines the initial state and the effect of each action. The view executes actions and renders streams:
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
/// **Threads.** You can call the inputs from any thread; they don't wait for other threads. Overrides, mappers and the emissions of the
/// streams run on the view model's scheduler, one at a time, even if that scheduler is concurrent. There are three exceptions:
/// ``createInitialState()`` and ``createSources()`` run in `init`, and ``diagnose(_:)`` may run on any thread. A stream replays on the
/// subscribing thread. Your subclass must restate `@unchecked Sendable`, and keep that promise: make each stored property a `let` of a
/// `Sendable` type, or touch it only in overrides other than `diagnose`.
///
/// **Order.** The view model takes actions in the order in which you executed them, and starts each at most once, when its mode lets it
/// start. An action that is cancelled, superseded or dropped before that never starts. For one action the streams emit, in this order:
/// loading true, if it changes; started; for each mapper the state, the action with the state, and emitted. If the action fails, they emit
/// the same for the mapper of ``stateMapper(for:action:)``, and then the error. Last come completed, failed or cancelled, and loading
/// false, if it changes.
///
/// **Lifetime.** A view model lives as long as you hold it: its streams, subscriptions and running effects don't keep it alive. Only
/// actions, outputs and pauses that wait for nothing but their turn on the scheduler do. When the last reference is released, or at
/// ``clear()``, the view model disposes unfinished effects and completes its streams.
// Sendable: `engine` is `Sendable`, and is set once. Only the main actor uses `mirrors`, until the release.
nonisolated open class RxViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  /// The effect of an action, or a source: an observable of mappers, each of which makes the next state.
  public typealias Effect = Observable<StateMapper<State>>

  @usableFromInline let engine: Engine<Action, State>
  /// The objects through which SwiftUI reads this view model. Nil until the first of them is asked for.
  @usableFromInline final var mirrors: AnyObject?

  /// Makes a view model with the state that ``createInitialState()`` returns. Override that function.
  ///
  /// - Parameter scheduler: Runs the overrides, the mappers and the emissions of the streams. In SwiftUI, pass `.main`, which runs them on
  ///   the main actor, in one order for all screens. By default it is a serial queue of the view model's own, on the
  ///   threads that all global queues share.
  @inlinable
  public init(scheduler: (any Scheduler)? = nil) {
    engine = Engine(scheduler: scheduler ?? DispatchQueue(label: "RxViewModel", target: .shared))
    engine.open(self, with: nil)
  }

  /// Makes a view model with a given initial state: for a preview, for a test, or to restore a state that you have saved.
  ///
  /// - Parameters:
  ///   - initialState: Replaces ``createInitialState()``, which is called only if this is nil.
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

  /// Returns the initial state. Override it, unless you always pass a state to ``init(initialState:scheduler:)``.
  ///
  /// `init` calls this once, on the thread that makes the view model, and not at all if it gets an initial state. You can subscribe to the
  /// streams here, and execute actions, which start after this has returned. Don't read ``currentState``, which doesn't exist yet.
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
  /// there, in order. **The mappers that a stream sends on that thread while it is being subscribed make the initial state**:
  /// ``stateObservable`` begins with the result, so the first screen doesn't flash an empty one. Later mappers, and those that another
  /// thread sends, are folded like those of effects, in order with the actions, and ``stateObservable`` alone emits their states.
  ///
  /// A source isn't an action: ``executionObservable`` doesn't emit it, it doesn't count as loading, ``cancelActions(where:)`` doesn't
  /// cancel it, and it doesn't keep the view model alive. If a stream or one of its mappers fails, that stream ends, and the error streams
  /// emit its error without an action; a `CancellationError` ends it without an error. The view model disposes its sources at ``clear()``
  /// and when it is released.
  ///
  /// You can read the stored properties of your subclass here, because they are set before `super.init`. You can also execute actions,
  /// which start after this has returned. Don't read ``currentState``. If a mapper captures the view model strongly, it keeps the view
  /// model alive until ``clear()``.
  open func createSources() -> [Effect] { [] }

  /// Returns the effect of an action: an observable of mappers. Override it.
  ///
  /// Called on the scheduler, at most once per action: not for an action that ends before it starts, or that an observer of its start
  /// cancels. Each mapper gets the state that is current when its turn comes. If the observable completes without a mapper, the view model
  /// emits the current state once more. An error ends the action, never a stream.
  open func createObservable(_ action: Action) -> Effect {
    fatalError("\(type(of: self)) must override createObservable(_:)")
  }

  /// Returns the child that an action is for: its feature, and where its state is. The default is nil: the action is the view model's own.
  ///
  ///     override func child(for action: ScreenAction) -> ChildAction<ScreenAction, ScreenState>? {
  ///       switch action {
  ///       case .form(let action): .init(form, action, at: \.form, as: ScreenAction.form)
  ///       default: nil
  ///       }
  ///     }
  ///
  /// Called on the scheduler, at most once per action, before every other override. The result must depend on the action only. Effect,
  /// mode, spinner and error mapper of a child's action come from the child's feature, which sees only the child's state;
  /// ``RxViewModel/RxViewModel/createObservable(_:)``, ``RxViewModel/RxViewModel/executionMode(for:)`` and
  /// ``RxViewModel/RxViewModel/showSpinner(_:)`` are not called for it. **The action ends when the child is removed or replaced**, in the
  /// same fold. An action for an absent child is dropped, and reported to ``RxViewModel/RxViewModel/diagnose(_:)``. See
  /// <doc:ComposingFeatures>.
  open func child(for action: Action) -> ChildAction<Action, State>? {
    nil
  }

  /// Returns whether ``RxViewModel/RxViewModel/isLoadingObservable`` is true while the action runs.
  ///
  /// Called on the scheduler, at most once per action, when its turn comes. Not called for an action that has ended before that.
  open func showSpinner(_ action: Action) -> Bool {
    false
  }

  /// Returns the mode of an action that was executed without one. The default is `.parallel`.
  ///
  /// Called on the scheduler, at most once per action, even for one that was cancelled before its turn came.
  open func executionMode(for action: Action) -> ExecutionMode {
    .parallel
  }

  /// Returns what is known of an action before its response: a change that shows immediately, or that the response is a snapshot of what
  /// the server owns. The default is nil.
  ///
  /// Called on the scheduler, at most once per action, when its lane admits it, which may be before it starts. Not called for an action that
  /// is dropped then. See <doc:OptimisticUpdates>.
  open func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? {
    nil
  }

  /// Returns a mapper for the error of an action, for example to put a message into the state. The default is nil, which leaves the state
  /// as it is.
  ///
  ///     override func stateMapper(for error: any Error, action: SearchAction) -> StateMapper<SearchState>? {
  ///       mutate { $0.message = "\(error)" }
  ///     }
  ///
  /// Called on the scheduler, once for each action that fails, but not for a cancellation, nor for an error without an action. The view
  /// model folds the mapper as the action's last one, before it calls ``RxViewModel/RxViewModel/handleError(_:action:)`` and before loading
  /// turns false. If the mapper throws, the state doesn't change, and the error streams emit the mapper's error after the action's own.
  open func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    nil
  }

  /// Handles an error before the error streams emit it. Return true to keep the error from both of them.
  ///
  /// Called with each error, on the scheduler. `action` is nil if the error doesn't belong to an action.
  open func handleError(_ error: any Error, action: Action?) -> Bool {
    false
  }

  /// Starts work that runs only while a screen is resumed.
  ///
  /// Called on the scheduler, in order with the actions, when the first screen is resumed. A screen is a ``Lifecycle`` that you bind with
  /// ``Lifecycle/bind(_:)``; ``didResume()`` and ``didPause()`` stand for one more. Add subscriptions
  /// (`locations.execute(on: self).disposed(by: scope)`) and tasks to `scope`, and execute actions in it with ``execute(_:mode:in:)``.
  ///
  /// Each resume has a scope of its own. The view model disposes it when the last screen is paused, and, on the calling thread, at
  /// ``clear()`` and when the view model is released. A scope that has ended disposes immediately whatever you add to it.
  open func onResume(_ scope: DisposeBag) {}

  /// Ends the work of a resume.
  ///
  /// Called on the scheduler when the last screen is paused, before the view model disposes the scope. Not called at ``clear()``, nor when
  /// the view model is released.
  open func onPause() {}

  /// Tells you about a probable mistake: an error that reached no subscriber, an action executed after ``RxViewModel/RxViewModel/clear()``
  /// or in a `deinit`, or an action for a child that is absent or has ended.
  ///
  /// The default writes one line to standard error in debug builds, and does nothing in release builds. It costs nothing while no action
  /// fails.
  ///
  /// For an error, this is called on the scheduler, at the point at which the error streams would emit it; for an absent child, on the
  /// scheduler, too. For an action after `clear()`, or after the end of the action whose effect executes it, this is called on the thread
  /// that executes it, before `execute` returns: on any thread, and on several at the same time. An action that `diagnose` itself executes
  /// after `clear()` isn't reported. For an event that `asLiveEvents` drops, this is called on the main actor.
  open func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {
    reportInDebug("\(type(of: self)): \(diagnostic)")
  }

  // MARK: Inputs

  /// Executes an action in the mode that ``executionMode(for:)`` returns for it.
  ///
  /// You can call it from any thread, even inside an override, a mapper or a callback; it doesn't wait for other threads. The view model
  /// takes the action on the scheduler, after the actions executed earlier, and the mode decides when it starts. After ``clear()`` this
  /// only calls ``diagnose(_:)``. O(1).
  ///
  /// This returns before the action starts, unless the scheduler runs work synchronously: an ``ImmediateScheduler``, or a ``MainScheduler``
  /// on the main actor while none of its work waits. Then the synchronous part of the action may run first, but not if you call this inside
  /// the view model's own work.
  @inlinable
  public final func execute(_ action: Action) {
    engine.execute(action, for: self)
  }

  /// Executes an action in the given mode. Otherwise it behaves like ``execute(_:)``.
  @inlinable
  public final func execute(_ action: Action, mode: ExecutionMode) {
    engine.execute(ActionRun(action, mode: mode), for: self)
  }

  /// Executes actions one after the other, in the default lane of ``ExecutionMode/sequence``.
  ///
  /// You can call it from any thread. If one action fails or is cancelled, the view model drops those that follow it. Other actions that
  /// wait in the lane aren't affected.
  @inlinable
  public final func executeInSequence(_ actions: Action...) {
    engine.execute(batch: actions, for: self)
  }

  /// Executes an action, waits until it has finished, and returns the state that its last mapper produced.
  ///
  /// You can call it from any thread or actor. Throws the action's error, even if ``handleError(_:action:)`` has handled it, and
  /// `CancellationError` if the action was superseded, dropped, cancelled or cleared. Cancelling the task that awaits it cancels the
  /// action, in O(1).
  @inlinable
  @discardableResult
  public final func perform(_ action: Action) async throws -> State {
    let endWaiting = beginWaiting(for: action, engine.isVirtual)
    defer { endWaiting?() }
    return try await engine.perform(action, mode: nil, for: self).value
  }

  /// Performs an action in the given mode. Otherwise it behaves like ``perform(_:)``.
  @inlinable
  @discardableResult
  public final func perform(_ action: Action, mode: ExecutionMode) async throws -> State {
    let endWaiting = beginWaiting(for: action, engine.isVirtual)
    defer { endWaiting?() }
    return try await engine.perform(action, mode: mode, for: self).value
  }

  /// Cancels every pending or running action that matches `predicate`. Actions executed later aren't affected.
  ///
  /// You can call it from any thread; it never waits for other threads. Calls `predicate` on the calling thread, once for each unfinished
  /// action. Once it has returned, no mapper of a matching action is folded, not even one already sent. A matching action that the view
  /// model has taken ends on the scheduler, before anything else that waits there; one that is still queued ends when its turn comes,
  /// without having started. O(n log n) for n unfinished actions.
  public final func cancelActions(where predicate: @escaping @Sendable (Action) -> Bool) {
    engine.cancel(.request) { predicate($0.action) }
  }

  /// Starts what is debounced in a lane: the view is about to leave, and no draft may be lost.
  ///
  ///     viewModel.flush("note")
  ///     viewModel.execute(.clear)
  ///
  /// The view model handles this in order with the actions: an action executed before it whose debounce isn't over starts as if it were,
  /// before anything executed later begins, unless it also waits for its turn, as a `keepLatest` action may. Includes the lanes with this
  /// name of all children. You can call it from any thread. Does nothing after ``clear()``.
  public final func flush(_ lane: ExecutionMode.Lane) {
    engine.requestFlush(of: lane)
  }

  /// Ends the view model before its release: disposes unfinished effects, starts no more actions, and completes the streams.
  ///
  /// You can call it from any thread, more than once. Effects are disposed on the calling thread. The streams complete there too or, if a
  /// callback of the view model is running, on its thread once it has returned. ``currentState`` keeps the last state.
  @inlinable
  public final func clear() {
    engine.close()
  }

  /// Clears the view model when `bag` is disposed. So when the user signs out, dispose the bag of the session, and all its screens end.
  ///
  /// You can call it from any thread. The bag doesn't keep the view model alive, and keeps nothing of one that has ended. If the bag is the
  /// scope of a resume that has ended, the view model is cleared immediately. You can use any other bag again after disposing it, so one
  /// that was disposed before this call clears the view model at its next disposal.
  public final func clear(with bag: DisposeBag) {
    engine.close(with: bag)
  }

  // MARK: Outputs

  /// The most recent state, for code that reads it once; a SwiftUI view reads ``RxViewModel/RxViewModel/observed`` instead.
  ///
  /// Observation doesn't track this, so a view whose body reads it doesn't update.
  ///
  /// You can read it from any thread, and a read never waits for your code. After ``clear()`` this keeps the last state. Traps inside
  /// ``createInitialState()`` and ``createSources()``, which make the first one.
  @inlinable
  public final var currentState: State {
    engine.currentState.value
  }

  /// Emits the initial state, then the state after each fold, even an equal one. Replays the current state.
  ///
  /// Emits on the scheduler, and never fails. Completes at ``clear()`` and when the view model is released; it doesn't keep the view model
  /// alive. The same is true of the other streams. After ``clear()`` a new subscriber gets only the completion, without a state;
  /// ``currentState`` keeps the last one.
  @inlinable
  public final var stateObservable: Observable<State> {
    engine.states
  }

  /// Emits each action with the state that its mapper produced. Replays nothing. Otherwise it behaves like ``stateObservable``.
  @inlinable
  public final var actionAndStateObservable: Observable<ActionAndState<Action, State>> {
    engine.stream(\.actionAndState, observesActions: true)
  }

  /// Emits each error as an element, except those that ``handleError(_:action:)`` has handled. Replays nothing. Otherwise it behaves like
  /// ``stateObservable``.
  @inlinable
  public final var errorObservable: Observable<any Error> {
    engine.stream(\.error)
  }

  /// Emits the errors of ``errorObservable``, each with its action. ``ActionAndError/retry()`` executes that action again. Replays nothing.
  /// Otherwise it behaves like ``stateObservable``.
  @inlinable
  public final var actionAndErrorObservable: Observable<ActionAndError<Action>> {
    engine.stream(\.actionAndError)
  }

  /// Emits true while a started action with ``showSpinner(_:)`` is unfinished, otherwise false, and no value twice in a row. Replays the
  /// current value. Otherwise it behaves like ``stateObservable``. A subscription costs O(n) for n unfinished actions.
  public final var isLoadingObservable: Observable<Bool> {
    engine.loading(isForSpinner: true) { $0.showsSpinner }
  }

  /// Emits true while a started action that matches is unfinished, otherwise false, and no value twice in a row. Replays the current value.
  /// Otherwise it behaves like ``stateObservable``.
  ///
  /// For each subscription, the view model calls `predicate` once for each started action: on the scheduler, or, for the actions that are
  /// already running, on the subscribing thread.
  public final func isLoadingObservable(where predicate: @escaping @Sendable (Action) -> Bool) -> Observable<Bool> {
    engine.loading { predicate($0.action) }
  }

  /// The scheduler on which this view model works. In your overrides, pass it to operators with times.
  ///
  /// You can read it from any thread. After ``clear()`` it is an ``ImmediateScheduler``, so that a cleared view model keeps nothing else
  /// alive.
  @inlinable
  public final var scheduler: any Scheduler {
    engine.scheduler
  }

  /// Emits each step in the life of each action. Replays nothing. Otherwise it behaves like ``stateObservable``.
  @inlinable
  public final var executionObservable: Observable<Execution<Action, State>> {
    engine.stream(\.execution, observesActions: true)
  }
}
