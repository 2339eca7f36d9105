/// Holds a value: sends it to each new subscriber, and each later one to all.
///
/// The value is delivered on the subscribing thread before `subscribe` returns, and every later one exactly once, also while
/// other threads are sending (contract 1.5). After its terminal event a new subscriber gets that event only. In all else as
/// ``PublishSubject``.
public final class BehaviorSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  /// A subject that holds `value` until it is sent another.
  @inlinable
  public init(value: Element) {
    core = SubjectCore(ReplayBuffer(value))
  }

  /// Whether anybody is subscribed.
  @inlinable
  public var hasObservers: Bool {
    core.hasObservers
  }

  /// The value sent last, also after the end. May be read from any thread.
  @inlinable
  public var value: Element {
    core.state.withLock { $0.buffer.last! }
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
