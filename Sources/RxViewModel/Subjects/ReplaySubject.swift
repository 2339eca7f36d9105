/// Sends on what it is sent, and the last elements to whoever comes later.
public final class ReplaySubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  @inlinable
  public init(bufferSize: Int) {
    precondition(bufferSize >= 0, "ReplaySubject: bufferSize must not be negative")
    core = SubjectCore(bufferSize: bufferSize, replaysAfterEnd: true)
  }

  /// Whether anybody is subscribed.
  @inlinable
  public var hasObservers: Bool {
    core.hasObservers
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
