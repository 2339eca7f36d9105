/// A receiver of events: a subject, a `TestObserver`, or a closure in an ``AnyObserver``.
public protocol ObserverType<Element>: Sendable {
  /// The type of the elements that it receives.
  associatedtype Element: Sendable

  /// Receives an event. May be called from any thread.
  func on(_ event: Event<Element>)
}

extension ObserverType {
  /// Sends an element.
  @inlinable
  public func onNext(_ element: Element) {
    on(.next(element))
  }

  /// Ends the stream with an error.
  @inlinable
  public func onError(_ error: any Error) {
    on(.error(error))
  }

  /// Completes the stream.
  @inlinable
  public func onCompleted() {
    on(.completed)
  }

  /// This observer with its type erased. It keeps the observer alive.
  @inlinable
  public func asObserver() -> AnyObserver<Element> {
    AnyObserver { on($0) }
  }
}

/// An observer that calls a closure.
///
/// It calls the closure on the thread that sends the event, so the closure may run on several threads at the same time.
/// The observer that ``Observable/create(_:)`` passes to its closure is serial and ends once.
public struct AnyObserver<Element: Sendable>: ObserverType {
  @usableFromInline let handler: @Sendable (Event<Element>) -> Void

  /// An observer that calls `handler` with each event.
  @inlinable
  public init(_ handler: @escaping @Sendable (Event<Element>) -> Void) {
    self.handler = handler
  }

  @inlinable
  public func on(_ event: Event<Element>) {
    handler(event)
  }
}
