/// The core of the three subjects and of a view model's streams: subscribers, a replay buffer, a serial delivery.
///
/// The sending thread *accepts* an event under the lock: from then on the event is in the buffer, and a new subscriber
/// gets it by replay or not at all. The one thread that found the queue idle *delivers* the events, in the order of
/// acceptance. A subscriber gets the events accepted after it subscribed. So a replay is atomic (contract 1.5), also
/// while events wait for delivery.
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

  /// Sends an element. Copies it only into the buffer, or into the queue if another thread is delivering.
  @inlinable
  func send(_ element: Element) {
    Event.withNext(element) { send($0) }
  }

  /// Releases the subscribers, the buffer and the terminal event. Called when no thread can send or subscribe any more. A thread that is
  /// delivering then delivers the waiting events, and releases the subscribers.
  @inlinable
  func releaseAll() {
    var subscribers: [Subscriber<Element>?] = []
    var buffer = ReplayBuffer<Element>(size: 0)
    var terminal: Event<Element>?
    state.withLock { $0.releaseAll(&subscribers, &buffer, &terminal) }
  }
}
