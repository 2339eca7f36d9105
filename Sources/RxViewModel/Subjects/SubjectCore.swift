/// What the three subjects, and the streams of a view model, are made of: subscribers, a replay buffer, a serial
/// delivery.
///
/// An event is *accepted* under the lock: from then on it is in the buffer, and new subscribers get it by replay or not
/// at all. It is *delivered*, in the order of acceptance, by the one thread that found no delivery going on. A subscriber
/// gets the events accepted after it came. So a replay is atomic (contract 1.5), also while events wait for their turn.
@usableFromInline
final class SubjectCore<Element: Sendable>: Sendable {
  @usableFromInline let state: Lock<SubjectState<Element>>

  @inlinable
  init(bufferSize: Int, buffered: [Element] = [], replaysAfterEnd: Bool = false) {
    state = Lock(SubjectState(ReplayBuffer(size: bufferSize, buffered), replaysAfterEnd: replaysAfterEnd))
  }

  @inlinable
  var hasObservers: Bool {
    state.withLock { $0.hasObservers }
  }

  /// Accepts an event and delivers it, unless a delivery is going on: then whoever delivers takes it too.
  @inlinable
  func on(_ event: Event<Element>) {
    var delivery = Delivery<Element>()
    let delivers = state.withLock { $0.accept(event, &delivery) }
    if delivers { deliver(event, &delivery) }
  }

  @inlinable
  func deliver(_ event: Event<Element>, _ delivery: inout Delivery<Element>) {
    delivery.send(event)
    while true {
      var next: Event<Element>?
      var dropped: [Subscriber<Element>?] = []
      let isOver = state.withLock { $0.finish(&delivery, next: &next, dropped: &dropped) }
      if isOver { return }
      delivery.send(next!)
    }
  }

  @inlinable
  func connect(_ sink: @escaping Observable<Element>.Sink) -> any Disposable {
    let entry = SubjectEntry(core: self, giveUp: Self.giveUp)
    switch state.withLock({ $0.subscribe(sink, entry) }) {
    case .live:
      return entry
    case .ended(let buffered, let terminal):
      for element in buffered {
        if !sink(.next(element)) { return NopDisposable.shared }
      }
      _ = sink(terminal)
      return NopDisposable.shared
    case .replay(let first):
      replay(first, to: sink, entry)
      return entry
    }
  }

  /// Delivers the buffer, and what is accepted meanwhile, on the subscribing thread; then the subscriber joins the others.
  @inlinable
  func replay(_ first: Element, to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    var next: Event<Element>? = .next(first)
    while let event = next {
      let isWanted = sink(event) && !event.isTerminal
      next = nil
      var leftOver = Queue<Event<Element>>()
      state.withLock { state in
        if isWanted {
          next = state.nextReplayed(to: sink, entry)
        } else {
          state.leave(entry, &leftOver)
        }
      }
    }
  }

  @inlinable
  static var giveUp: @Sendable (SubjectEntry) -> Void {
    { entry in
      let core = unsafeDowncast(entry.core, to: SubjectCore<Element>.self)
      var dropped: Subscriber<Element>?
      var leftOver = Queue<Event<Element>>()
      core.state.withLock { $0.dispose(entry, &dropped, &leftOver) }
    }
  }

  /// Drops the subscribers and the buffer: nobody can send any more.
  @inlinable
  func empty() {
    var subscribers: [Subscriber<Element>?] = []
    var buffer = ReplayBuffer<Element>(size: 0)
    state.withLock { state in
      for subscriber in state.subscribers { subscriber?.entry.status = .gone }
      swap(&subscribers, &state.subscribers)
      swap(&buffer, &state.buffer)
    }
  }
}
