/// A subject that replays its last elements to each new subscriber.
///
/// A new subscriber gets the last elements on its own thread, before `subscribe` returns, then every later element exactly once, even while
/// other threads send (contract 1.5). After the terminal event, a new subscriber gets the last elements and that event. Otherwise it
/// behaves like a ``PublishSubject``. A subscription costs O(elements replayed).
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// Creates a subject without elements.
  ///
  /// - Parameter bufferSize: The maximum number of elements that it replays; 0 replays none. A negative size is a programming mistake and
  /// is trapped.
  @inlinable
  public init(bufferSize: Int) {
    require(bufferSize, atLeast: 0, "ReplaySubject: bufferSize")
    core = SubjectCore(SubjectState(size: bufferSize, replaysAfterEnd: true))
  }

  /// Whether the subject has subscribers. You can read it from any thread. O(1).
  @inlinable
  public var hasObservers: Bool { core.hasObservers }

  /// Sends an element to the subscribers, and stores it for later ones. You can call it on any thread, and from inside a delivery.
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
