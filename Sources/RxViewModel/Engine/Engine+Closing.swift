// The beginning and the end: the initial state, `clear`, and the end of the view model (contract 2.4, 2.9).

import Dispatch

extension Engine {
  /// Stores the initial state, sends it to the subscribers that have subscribed in `createInitialState`, and starts the accepted actions.
  @inlinable
  func open(_ viewModel: Host, with state: State) {
    latest.next.initialize(to: state)
    latest.hasNext = true
    outputs.withLock { outputs in
      if outputs.gate == .closed { latest.advance() } else { accept(&outputs) }
    }
    deliver()
    finishDelivery()
    let rest = inbox.withLock { inbox -> Rest in
      // `close` has left its last turn to this method.
      if inbox.isClosed { return .close }
      inbox.status = .open
      if inbox.inputs.isEmpty { return .over }
      let isStrong = inbox.queuedActions > 0
      if isStrong { inbox.hasStrongTurn = true } else { inbox.hasWeakTurn = true }
      return .another(isStrong: isStrong)
    }
    switch rest {
    case .another(isStrong: true): schedule(viewModel)
    case .another(isStrong: false): schedule()
    case .close: scheduleLastTurn()
    case .goOn, .over: break
    }
  }

  /// Closes the engine, on any thread: from now on it accepts, begins and folds nothing, and a new subscriber only gets a completion.
  /// Disposes the effects on the calling thread. The streams complete on the scheduler.
  @inlinable
  func close() {
    var contents = Inbox<Action, State>.Contents()
    var continuations: [CheckedContinuation<State, any Error>] = []
    var effects: [(id: UInt64, effect: any Disposable)] = []
    var needsTurn = false
    inbox.withLock { inbox in
      if inbox.isClosed { return }
      needsTurn = inbox.driver == nil && inbox.status != .opening
      inbox.close(&contents)
      if !contents.awaited.isEmpty { continuations = contents.awaited.values.compactMap { $0.continuation.take() } }
      outputs.withLock { effects = $0.close() }
      if inbox.isDrivenHere { isClosed = true }
    }
    if effects.count > 1 { effects.sort { $0.id < $1.id } }
    for (_, effect) in effects { effect.dispose() }
    contents.scopes.dispose()
    for continuation in continuations { continuation.resume(throwing: CancellationError()) }
    if needsTurn { scheduleLastTurn() }
  }

  /// Inlinable, because the whole turn is specialized where the closure that takes it is made.
  @inlinable
  func scheduleLastTurn() {
    guard let scheduler = inbox.withLock({ $0.scheduler.take() }) else { return }
    // A dispatch queue runs all its work, so no `LastTurn` is needed.
    if scheduler is DispatchQueue { return scheduler.schedule { [self] in turn(viewModel, isStrong: false) } }
    let lastTurn = LastTurn(
      run: { [self] in turn(viewModel, isStrong: false) }, drop: { [self] in releaseStreams() })
    scheduler.schedule { lastTurn.run() }
  }

  /// Completes the streams, in the last turn, and releases the remaining objects.
  @inlinable
  func complete() {
    isClosed = true
    var last = Machine<Action, State>()
    var runs: [Run] = []
    swap(&last, &machine)
    let streams = outputs.withLock { outputs in
      runs = outputs.all
      outputs.runs = []
      outputs.begun = nil
      return outputs.streams
    }
    for run in runs { run.lane = nil }
    if spinning > 0 { streams.loading?.on(.next(false)) }
    streams.activity?.on(.next(ActivityChange(version: streams.activityVersion + 1, change: .end)))
    completeStates()
    streams.complete()
  }

  @inlinable
  func completeStates() {
    var delivery = Delivery<State>()
    guard case .deliver = outputs.withLock({ $0.states.accept(.completed, &delivery) }) else { return }
    delivery.send(.completed)
    var (next, dropped) = (Event<State>?.none, DroppedSubscribers())
    _ = outputs.withLock { $0.states.finish(&delivery, next: &next, dropped: &dropped) }
  }

  /// Releases the subscribers of streams that will not complete, because the scheduler has been released and has dropped the last turn.
  @inlinable
  func releaseStreams() {
    let isOver = inbox.withLock { inbox -> Bool in
      if inbox.status == .ended || inbox.driver != nil { return true }
      inbox.status = .ended
      // Keeps a turn that was scheduled earlier from running meanwhile.
      inbox.driver = .current
      return false
    }
    if isOver { return }
    var last = Machine<Action, State>()
    var runs: [Run] = []
    swap(&last, &machine)
    var subscribers = DroppedSubscribers()
    let streams = outputs.withLock { outputs in
      runs = outputs.all
      outputs.runs = []
      outputs.begun = nil
      outputs.states.isReleased = true
      outputs.states.releaseAll(&subscribers)
      return outputs.streams
    }
    inbox.withLock { $0.driver = nil }
    for run in runs { run.lane = nil }
    streams.releaseAll()
  }

  /// Releases the last state, which no reader can access any more.
  @inlinable
  func releaseState() {
    _ = outputs.withLock { _ in latest.removeAll() }
  }
}

/// The turn that completes the streams. A scheduler may release it without running it, when the scheduler itself is released.
///
/// Its closures know the types of the view model, which a generic class would look up at run time.
@usableFromInline
final class LastTurn: Sendable {
  @usableFromInline let run: @Sendable () -> Void
  @usableFromInline let drop: @Sendable () -> Void

  /// - Parameter drop: Runs at the release. It does nothing if the turn has run.
  @usableFromInline
  init(run: @escaping @Sendable () -> Void, drop: @escaping @Sendable () -> Void) {
    self.run = run
    self.drop = drop
  }

  deinit {
    drop()
  }
}
