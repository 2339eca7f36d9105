/// What you can do with each subject: send events, and subscribe.
///
/// You make one as a ``PublishSubject``, a ``BehaviorSubject`` or a ``ReplaySubject``, which differ in what a new subscriber gets.
///
/// You can send and subscribe from any thread, and from inside a callback. Subscribers are called one event at a time, in the order in
/// which they subscribed, and all see the events in the same order (contract 1.2): an event sent during a delivery waits for the thread
/// that delivers. After the terminal event, further events are ignored. A subject that is released without a terminal event sends none.
///
/// O(1) per event and subscriber, and per subscription, apart from its replay. O(log n) per dispose.
// Sendable: `core` is, and is set once.
public class RxSubject<Element: Sendable>: ObservableType, ObserverType, @unchecked Sendable {
  @usableFromInline final let core: SubjectCore<Element>

  @inlinable
  init(_ core: SubjectCore<Element>) { self.core = core }

  /// Whether the subject has subscribers. You can read it from any thread. O(1).
  @inlinable
  public final var hasObservers: Bool { core.hasObservers }

  /// Sends an element to the subscribers. You can call it on any thread, and from inside a delivery.
  @inlinable
  public final func onNext(_ element: Element) { core.send(element) }

  /// Sends an event; for an element, the same as ``onNext(_:)``.
  @inlinable
  public final func on(_ event: Event<Element>) { core.on(event) }

  // The observable retains the subject and not only its core, because the release of the subject ends the subscriptions.
  @inlinable
  public final func asObservable() -> Observable<Element> { Observable(.subject { self.core.connect($0, $1) }) }

  @inlinable
  deinit { core.releaseAll() }
}
