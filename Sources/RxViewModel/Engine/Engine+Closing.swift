// The end of it all: `clear`, or the end of the view model (contract 2.9).

import Dispatch

extension Engine {
  /// Closes the engine, on any thread: from here on nothing is accepted, begun or folded, and whoever subscribes gets a
  /// completion only. Effects are disposed here and now; the streams complete on the scheduler.
  @inlinable
  func close() {
    var inputs = Queue<Input<Action, State>>()
    var (runs, tickets) = ([UInt64: ActionRun](), [ObjectIdentifier: Ticket<State>]())
    var (continuations, effects) = ([CheckedContinuation<State, any Error>](), [any Disposable]())
    var cancellations = Queue<Cancellation<Action, State>>()
    var scheduler: (any Scheduler)?
    var needsTurn = false
    inbox.withLock { inbox in
      if inbox.isClosed { return }
      inbox.isClosed = true
      swap(&scheduler, &inbox.scheduler)
      swap(&inputs, &inbox.inputs)
      swap(&runs, &inbox.runs)
      swap(&tickets, &inbox.tickets)
      swap(&cancellations, &inbox.cancellations)
      // Most end idle: that costs no more than asking.
      if !tickets.isEmpty { continuations = tickets.values.compactMap { $0.continuation.take() } }
      if !runs.isEmpty {
        effects = runs.values.sorted { $0.record.id < $1.record.id }.compactMap { $0.effect.take() }
      }
      inbox.states.isSealed = true
      inbox.streams.seal()
      if inbox.isDrainedHere { isCleared = true }
      needsTurn = inbox.drainer == nil
    }
    for effect in effects { effect.dispose() }
    for continuation in continuations { continuation.resume(throwing: CancellationError()) }
    guard needsTurn, let scheduler else { return }
    // A queue drops nothing that it has been given.
    if scheduler is DispatchQueue { return scheduler.schedule { [self] in turn(viewModel, isStrong: false) } }
    let lastTurn = LastTurn(engine: self)
    scheduler.schedule { lastTurn.take() }
  }

  /// Completes the streams, on the drain, and drops what is left.
  @inlinable
  func end() {
    isCleared = true
    isFolding = false
    takeFlight()
    nested = Queue()
    agenda = Queue()
    lanes = Lanes()
    current = nil
    let streams = inbox.withLock { $0.streams }
    if spinning > 0 { streams.loading?.on(.next(false)) }
    streams.activity?.on(.next(Activity(version: streams.activityVersion + 1, change: .end)))
    complete()
    streams.actionAndState?.on(.completed)
    streams.error?.on(.completed)
    streams.actionAndError?.on(.completed)
    streams.execution?.on(.completed)
    streams.loading?.on(.completed)
    streams.activity?.on(.completed)
  }

  @inlinable
  func complete() {
    var delivery = Delivery<State>()
    guard case .deliver = inbox.withLock({ $0.states.accept(.completed, &delivery) }) else { return }
    delivery.send(.completed)
    var (next, dropped) = (Event<State>?.none, [Subscriber<State>?]())
    _ = inbox.withLock { $0.states.finish(&delivery, next: &next, dropped: &dropped) }
  }

  /// Lets go of the subscribers where nobody will complete the streams: the scheduler has gone with the last turn undone.
  @inlinable
  func abandon() {
    var subscribers: [Subscriber<State>?] = []
    let streams = inbox.withLock { inbox -> Streams<Action, State>? in
      if inbox.hasEnded || inbox.drainer != nil { return nil }
      inbox.hasEnded = true
      inbox.states.empty(&subscribers)
      return inbox.streams
    }
    streams?.empty()
  }

  /// Drops the last state: nobody can ask for it any more.
  @inlinable
  func forget() {
    var buffer = ReplayBuffer<State>(size: 0)
    inbox.withLock { swap(&buffer, &$0.states.buffer) }
  }
}

/// The turn that ends it all. It may be dropped undone, by a scheduler that goes.
@usableFromInline
final class LastTurn<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let engine: Engine<Action, State>

  @inlinable
  init(engine: Engine<Action, State>) {
    self.engine = engine
  }

  @inlinable
  func take() {
    engine.turn(engine.viewModel, isStrong: false)
  }

  @inlinable
  deinit {
    engine.abandon()
  }
}

extension Streams {
  /// From here on whoever comes gets a completion only.
  @inlinable
  func seal() {
    actionAndState?.seal()
    error?.seal()
    actionAndError?.seal()
    execution?.seal()
    loading?.seal()
    activity?.seal()
  }
}

extension Streams {
  /// Lets go of the subscribers.
  @inlinable
  func empty() {
    actionAndState?.empty()
    error?.empty()
    actionAndError?.empty()
    execution?.empty()
    loading?.empty()
    activity?.empty()
  }
}

extension SubjectCore {
  @inlinable
  func seal() {
    state.withLock { $0.isSealed = true }
  }
}
