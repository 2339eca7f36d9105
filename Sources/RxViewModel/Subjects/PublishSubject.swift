/// Sends on what it is sent, to whoever is subscribed then.
public final class PublishSubject<Element: Sendable>: ObservableType, ObserverType {
  @usableFromInline let core: SubjectCore<Element>

  @inlinable
  public init() {
    core = SubjectCore(bufferSize: 0)
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
