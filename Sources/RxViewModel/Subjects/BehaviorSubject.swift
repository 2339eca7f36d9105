/// Holds a value and sends it, and each later one.
public final class BehaviorSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  @inlinable
  public init(value: Element) {
    core = SubjectCore(bufferSize: 1, buffered: [value])
  }

  /// Whether anybody is subscribed.
  @inlinable
  public var hasObservers: Bool {
    core.hasObservers
  }

  /// The value sent last.
  @inlinable
  public var value: Element {
    core.state.withLock { $0.buffer.last! }
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
