/// A subject that holds a value: it sends the value to each new subscriber, and each later value to all subscribers.
///
/// A new subscriber gets the value on the subscribing thread, before `subscribe` returns, and every later value exactly once, also while
/// other threads are sending (contract 1.5). After the terminal event a new subscriber gets only that event. Otherwise like
/// ``PublishSubject``.
public final class BehaviorSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// Creates a subject that holds `value` until it receives another one.
  @inlinable
  public init(value: Element) {
    core = SubjectCore(SubjectState(size: 1, value))
  }

  /// Whether the subject has subscribers. May be read from any thread. O(1).
  @inlinable
  public var hasObservers: Bool { core.hasObservers }

  /// The last value, also after the terminal event. May be read from any thread.
  @inlinable
  public var value: Element { core.withSubject { $0.buffer.last! } }

  /// Replaces the value by what `body` makes of it. No other write comes between, so none is lost.
  ///
  ///     total.update { $0 += 1 }
  ///
  /// May be called from any thread. No lock is held while `body` runs: `body` runs again, with the newer value, while other threads send
  /// between. So `body` does nothing but change its argument, and is short; a `body` that itself sends to this subject is trapped. If
  /// `body` throws, nothing is sent. The value is delivered as ``onNext(_:)`` delivers it. After the terminal event this runs `body` once,
  /// and sends nothing.
  @inlinable
  @discardableResult
  public func update<Result>(_ body: (inout Element) throws -> Result) rethrows -> Result {
    try updating(by: core.update, body)
  }

  /// Sends an element to the subscribers, and stores it for later ones. May be called on any thread, and from inside a delivery.
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
