/// A receiver of events: a subject, a `TestObserver`, or a closure in an ``AnyObserver``.
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

  /// This observer with its type erased. It keeps the observer alive.
  @inlinable
  public func asObserver() -> AnyObserver<Element> { AnyObserver { on($0) } }
}

/// An observer that calls your closure.
///
/// The closure runs on the thread that sends the event, so it may run on several threads at the same time. Only the observer that
/// ``Observable/create(_:)`` gives you sends one event at a time and ends once.
public struct AnyObserver<Element: Sendable>: ObserverType {
  @usableFromInline let sink: Sink<Element>

  @inlinable
  init(_ sink: Sink<Element>) { self.sink = sink }

  /// An observer that calls `handler` with each event.
  @inlinable
  public init(_ handler: @escaping @Sendable (Event<Element>) -> Void) {
    sink = Sink { event in
      handler(event)
      return .more
    }
  }

  @inlinable
  public func on(_ event: Event<Element>) { _ = sink.on(event) }

  @inlinable
  public func onNext(_ element: Element) { _ = sink.next(element) }
}
