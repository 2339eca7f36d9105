/// A subject that sends each event to its current subscribers, and replays nothing.
///
/// Any thread may send to it and subscribe to it, also from inside a callback. It calls its subscribers one event at a time, in the order
/// in which they subscribed, and all of them get the events in the same order (contract 1.2): an event that is sent during a delivery waits
/// for the delivering thread. After the terminal event the subject ignores further events, and a new subscriber gets that event at once. If
/// a subject is released without a terminal event, it releases its subscribers without sending them one.
///
/// O(1) per event and subscriber, per subscription and per dispose.
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    core = SubjectCore()
  }

  /// Whether the subject has subscribers. May be read from any thread. O(1).
  @inlinable
  public var hasObservers: Bool { core.hasObservers }

  /// Sends an element to the subscribers. May be called on any thread, and from inside a delivery.
  @inlinable
  public func onNext(_ element: Element) { core.send(element) }

  /// Sends an event. An element like ``onNext(_:)``.
  @inlinable
  public func on(_ event: Event<Element>) { core.on(event) }

  @inlinable
  public func asObservable() -> Observable<Element> { Observable(.subject { self.core.connect($0, $1) }) }

  @inlinable
  deinit { core.releaseAll() }
}
