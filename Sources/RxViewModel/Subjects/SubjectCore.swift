/// What the three subjects, and the streams of a view model, are made of: subscribers, a replay buffer, a serial
/// delivery.
///
/// An event is *accepted* under the lock: from then on it is in the buffer, and new subscribers get it by replay or not
/// at all. It is *delivered*, in the order of acceptance, by the one thread that found no delivery going on. A subscriber
/// gets the events accepted after it came. So a replay is atomic (contract 1.5), also while events wait for their turn.
@usableFromInline
final class SubjectCore<Element: Sendable>: SubjectHost {
  @usableFromInline let state: Lock<SubjectState<Element>>

  @inlinable
  init(_ buffer: ReplayBuffer<Element> = ReplayBuffer(size: 0), replaysAfterEnd: Bool = false) {
    state = Lock(SubjectState(buffer, replaysAfterEnd: replaysAfterEnd))
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result {
    state.withLock(body)
  }

  @inlinable
  var hasObservers: Bool {
    state.withLock { $0.hasObservers }
  }

  /// Sends an element, which is copied only where it is kept: in the buffer, or in the queue of another delivery.
  @inlinable
  func send(_ element: Element) {
    Event.withNext(element) { accept($0) }
  }

  /// Accepts an event and delivers it, unless a delivery is going on: then the thread that delivers takes it too.
  @inlinable
  func on(_ event: Event<Element>) {
    withUnsafePointer(to: event) { accept($0) }
  }

  @inlinable
  func accept(_ event: UnsafePointer<Event<Element>>) {
    var delivery = Delivery<Element>()
    let acceptance = state.withLock { state in Event.borrow(event) { state.accept($0, &delivery) } }
    deliver(event, acceptance, &delivery)
  }

  /// Goes on where a thread has handed over, unless another has done so before.
  @inlinable
  func resume() {
    var delivery = Delivery<Element>()
    guard state.withLock({ $0.resume(&delivery) }) else { return }
    deliver(&delivery)
    // The subject, which an ordinary sender holds, may have gone meanwhile.
    if state.withLock({ $0.isReleased }) { empty() }
  }

  /// Drops the subscribers, the buffer and the end, once what has been sent is delivered: no thread can send or
  /// subscribe any more.
  @inlinable
  func empty() {
    var subscribers: [Subscriber<Element>?] = []
    var buffer = ReplayBuffer<Element>(size: 0)
    var terminal: Event<Element>?
    state.withLock { $0.empty(&subscribers, &buffer, &terminal) }
  }
}
