/// A receiver of events: a subject, a `TestObserver`, or the observer of ``Observable/create(_:)``.
public protocol ObserverType<Element>: Sendable {
  /// The type of the elements that it receives.
  associatedtype Element: Sendable

  /// Receives an event, on any thread.
  func on(_ event: Event<Element>)

  /// Receives an element. By default this calls `on(.next(element))`; a subject does without the event.
  func onNext(_ element: Element)
}

extension ObserverType {
  @inlinable
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Ends the stream with an error.
  @inlinable
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Completes the stream.
  @inlinable
  public func onCompleted() { on(.completed) }
}

/// The observer to which the closure of ``Observable/create(_:)`` sends its events.
public struct AnyObserver<Element: Sendable>: ObserverType {
  @usableFromInline let sink: Sink<Element>

  @inlinable
  init(_ sink: Sink<Element>) { self.sink = sink }

  @inlinable
  public func on(_ event: Event<Element>) { _ = sink.on(event) }

  @inlinable
  public func onNext(_ element: Element) { _ = sink.next(element) }
}
