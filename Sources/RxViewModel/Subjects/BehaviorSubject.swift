/// A subject with a value: each new subscriber gets the current value, then every later one.
///
/// A new subscriber gets the value on its own thread, before `subscribe` returns, then every later value exactly once, even while other
/// threads send (contract 1.5). After the terminal event, a new subscriber gets only that event. Otherwise it behaves like a
/// ``PublishSubject``.
public final class BehaviorSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// Creates a subject that holds `value` until it receives another one.
  @inlinable
  public init(value: Element) {
    core = SubjectCore(SubjectState(size: 1, value))
  }

  /// Whether the subject has subscribers. You can read it from any thread. O(1).
  @inlinable
  public var hasObservers: Bool { core.hasObservers }

  /// The most recent value, even after the terminal event. You can read it from any thread.
  @inlinable
  public var value: Element { core.withSubject { $0.buffer.last! } }

  /// Changes the value atomically: no other write comes between reading and writing it, so none is lost.
  ///
  ///     total.update { $0 += 1 }
  ///
  /// You can call it from any thread. No lock is held while `body` runs. If another thread sends meanwhile, `body` runs again with the
  /// newer value, so keep it short and free of side effects. A `body` that itself sends to this subject is trapped. If `body` throws,
  /// nothing is sent. After the terminal event, `body` runs once and nothing is sent.
  @inlinable
  @discardableResult
  public func update<Result>(_ body: (inout Element) throws -> Result) rethrows -> Result {
    try updating(by: core.update, body)
  }

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
