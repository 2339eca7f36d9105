/// The streams of a view model other than the state stream. One that has never had a subscriber costs nothing.
@usableFromInline
struct Streams<Action: Sendable, State: Sendable> {
  @usableFromInline var actionAndState: SubjectCore<ActionAndState<Action, State>>?
  @usableFromInline var error: SubjectCore<any Error>?
  @usableFromInline var actionAndError: SubjectCore<ActionAndError<Action>>?
  /// The failures for the activities of views, which don't count as subscribers. Replays the last one.
  @usableFromInline var failure: SubjectCore<KeptFailure<Action>>?
  @usableFromInline var execution: SubjectCore<Execution<Action, State>>?
  /// Each action that starts or stops counting as loading. Both loading streams are made from these changes, and from the table of runs.
  @usableFromInline var loading: SubjectCore<LoadingChange>?
  /// All of these, and the outputs of the feature that a ``FeatureViewModel`` is made of.
  @usableFromInline var all: [any SubjectHost] = []
  /// Whether a stream that emits more than the state for every action has had a subscriber.
  @usableFromInline var isObserved = false

  @inlinable
  init() {}
}

/// A started action, and whether it counts as loading. Not generic, so that the loading streams are specialized.
@usableFromInline typealias LoadingChange = (id: UInt64, run: any AnyObject & Sendable, isLoading: Bool)

extension SubjectCore {
  /// For those that subscribe after the end: they get only the completion.
  static var ended: SubjectCore {
    let core = SubjectCore()
    core.state.isOver = true
    return core
  }
}

extension Engine {
  /// Emits an element, unless the engine is closed. The element is made only if the stream has had a subscriber.
  @inlinable
  func emit<Element>(
    _ element: @autoclosure () -> Element, on stream: (Streams<Action, State>) -> SubjectCore<Element>?
  ) {
    let core = shared.withLock { $0.isClosed ? nil : stream($0.streams) }
    core?.send(element())
  }

  /// Emits a step of an action.
  @inlinable
  func emit(_ phase: @autoclosure () -> Phase, of run: Run) {
    emit(Execution(run.id, run.action, run.mode!, phase())) { $0.execution }
  }

  @usableFromInline typealias Phase = (Execution<Action, State>.Phase, ExecutionCause?)

  @usableFromInline
  typealias Path<Element: Sendable> = WritableKeyPath<Streams<Action, State>, SubjectCore<Element>?> & Sendable

  /// The stream at `path`, which is made when the first subscriber comes. It does not keep the view model alive.
  @usableFromInline
  func stream<Element>(_ path: Path<Element>, observesActions: Bool = false, size: Int = 0) -> Observable<Element> {
    Observable(.subject { [self] in core(path, observesActions, size: size).connect($0, $1) })
  }

  func core<Element>(_ path: Path<Element>, _ observesActions: Bool = false, size: Int = 0) -> SubjectCore<Element> {
    shared.withLock { shared in
      if observesActions { shared.streams.isObserved = true }
      if shared.isClosed { return .ended }
      if let core = shared.streams[keyPath: path] { return core }
      let core = SubjectCore<Element>(SubjectState(size: size))
      shared.streams[keyPath: path] = core
      shared.streams.all.append(core)
      return core
    }
  }

  /// The state stream. Its replay and its deliveries share the boxes.
  @inlinable
  var states: Observable<State> {
    Observable(.subject { [self] sink, scope in connect(Sink(next: { sink.next($0.value) }, end: sink.end), scope) })
  }

  /// The state folded last. Nil before there is one, and after the release of the view model.
  @inlinable
  var lastState: Box<State>? { shared.withLock { $0.states.buffer.last } }

  /// The state that the calling thread is delivering or has delivered last, if the view model's own work runs on that thread.
  var stateDeliveredHere: Box<State>? { inbox.withLock { $0.isDrivenHere } ? lastState : nil }

  @inlinable
  var currentState: Box<State> {
    guard let state = lastState else {
      let name = viewModel.map { "\(type(of: $0))" } ?? "\(ViewModel.self)"
      let place = "createInitialState(), which makes it, or createSources(), whose mappers get it"
      fatalError("\(name): currentState was read inside \(place)")
    }
    return state
  }

  /// The scheduler on which the view model works. After `clear`, a scheduler that runs work synchronously.
  @usableFromInline
  var scheduler: any Scheduler { inbox.withLock { $0.scheduler }?.original ?? ImmediateScheduler() }

  /// Whether `clear` has been called, or the view model has been released. All actions have ended then.
  @usableFromInline
  var isOver: Bool { shared.withLock { $0.isClosed } }

  /// Whether a started action that matches is unfinished: the value at the time of the subscription, then each change.
  ///
  /// The changes wait until `matches` has been called for the running actions. The start of one of these may be among the changes, and is
  /// ignored.
  ///
  /// - Parameter isForSpinner: Whether `matches` is false for all actions without a spinner.
  @usableFromInline
  func loading(isForSpinner: Bool = false, where matches: @escaping @Sendable (Run) -> Bool) -> Observable<Bool> {
    Observable<Bool> { [self] sink, scope in
      let serial = Serial<Event<LoadingChange>>(in: scope)
      scope.connect(core(\.loading, !isForSpinner).stream, to: serial) { $0 }
      let runs = shared.withLock { $0.isClosed ? nil : $0.runs.filter(\.stage.isLoading) }
      guard let runs else { return sink.end(nil) }
      let (running, loading) = (Set(runs.map(\.id)), SubscriptionState(Set(runs.filter(matches).map(\.id))))
      _ = sink.next(!loading.value.isEmpty)
      serial.start { [self] event in
        guard case .next(let change) = event else { return sink.finish(with: false) }
        if !change.isLoading {
          loading.value.remove(change.id)
        } else if !running.contains(change.id), !isOver, matches(unsafeDowncast(change.run, to: Run.self)) {
          loading.value.insert(change.id)
        }
        return sink.next(!loading.value.isEmpty)
      }
    }.distinctUntilChanged()
  }
}
