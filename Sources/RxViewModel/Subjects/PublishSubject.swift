/// A subject that sends each event to its current subscribers, and replays nothing.
///
/// You can send and subscribe from any thread, and from inside a callback. Subscribers are called one event at a time, in the order in
/// which they subscribed, and all see the events in the same order (contract 1.2): an event sent during a delivery waits for the thread
/// that delivers. After the terminal event, further events are ignored, and a new subscriber gets that terminal event immediately. A
/// subject that is released without a terminal event sends none.
///
/// O(1) per event and subscriber, per subscription and per dispose.
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    core = SubjectCore()
  }

  /// Whether the subject has subscribers. You can read it from any thread. O(1).
  @inlinable
  public var hasObservers: Bool { core.hasObservers }

  /// Sends an element to the subscribers. You can call it on any thread, and from inside a delivery.
  @inlinable
  public func onNext(_ element: Element) { core.send(element) }

  /// Sends an event; for an element, the same as ``onNext(_:)``.
  @inlinable
  public func on(_ event: Event<Element>) { core.on(event) }

  @inlinable
  public func asObservable() -> Observable<Element> { Observable(.subject { self.core.connect($0, $1) }) }

  @inlinable
  deinit { core.releaseAll() }
}
