/// Sends on what it is sent, to whoever is subscribed then. Replays nothing.
///
/// May be sent to and subscribed from any thread, also from inside a callback. Subscribers are called one event at a time, in
/// the order in which they subscribed, and all see the events in the same order (contract 1.2): whoever sends while an event is
/// being delivered leaves its own to the thread that delivers. After its terminal event it ignores what it is sent, and a new
/// subscriber gets that event at once. One that goes away without an end drops its subscribers in silence.
///
/// O(1) per event and subscriber, per subscription and per dispose.
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// A subject without subscribers.
  @inlinable
  public init() {
    core = SubjectCore()
  }

  /// Whether anybody is subscribed.
  @inlinable
  public var hasObservers: Bool {
    core.hasObservers
  }

  @inlinable
  public func onNext(_ element: Element) {
    core.send(element)
  }

  @inlinable
  public func on(_ event: Event<Element>) {
    core.on(event)
  }

  @inlinable
  public func asObservable() -> Observable<Element> {
    Observable { self.core.connect($0) }
  }

  @inlinable
  deinit {
    core.empty()
  }
}
