/// Anything that you can use as an ``Observable``: an observable itself, a subject, a property.
public protocol ObservableType<Element>: Sendable {
  /// The type of the elements that the stream sends.
  associatedtype Element: Sendable

  /// The stream as an ``Observable``.
  func asObservable() -> Observable<Element>
}

/// A stream of elements over time. It may end with a completion or an error, or never.
///
/// An observable is cold: it does its work again for each subscription (contract 1.8). Only subjects and `share` are hot. Your subscriber
/// gets any number of elements, then at most one error or completion, and never two events at a time (contract 1.1, 1.2). Events come on
/// the source's threads; use `observe(on:)` to choose another one.
///
/// Unless an operator's documentation says otherwise, it sends events on the threads of its sources, passes an error on immediately, and
/// costs O(1) per event.
//
// An operator is made by one of five templates: `lifting` (one source), `joining` (several sources), `timed` (a source and a timer),
// `flatten` (inner streams), `sequence` (streams one after the other). An `init` with a closure says why it is none of them.
public struct Observable<Element: Sendable>: ObservableType {
  /// Subscribes a sink within a scope, which ends the subscription. The scope holds what the subscription holds.
  @usableFromInline typealias Connect = @Sendable (Sink<Element>, Scope) -> Void

  @usableFromInline
  enum Representation: Sendable {
    /// One element and the completion: operators and the view model take the element without subscribing.
    case just(Element)
    /// The entry in a subject is the subscription: it stops the events at a dispose, and is removed at the end. Without a scope the entry
    /// is all that the subscription holds.
    case subject(@Sendable (Sink<Element>, Scope?) -> any Disposable)
    /// Everything else. Its closures may close the scope at an event that it is about to pass on, so the subscriber checks the scope.
    case source(Connect)
  }

  @usableFromInline let representation: Representation

  @inlinable
  init(_ representation: Representation) { self.representation = representation }

  @inlinable
  init(_ connect: @escaping Connect) { representation = .source(connect) }

  /// A linear operator: one that makes a sink for its source from the subscriber's sink.
  @inlinable
  static func lifting<Source: Sendable>(
    _ source: Observable<Source>, _ lift: @escaping @Sendable (Sink<Element>) -> Sink<Source>
  ) -> Observable {
    Observable { sink, scope in source.connect(lift(sink), in: scope) }
  }

  /// A linear operator that passes the end on as it is. `receive` gets an element of the source, and passes to the subscriber's sink what
  /// follows from it. An error that it throws ends the stream.
  @inlinable
  static func lifting<Source: Sendable>(
    _ source: Observable<Source>, _ receive: @escaping @Sendable (Source, Sink<Element>) throws -> Demand
  ) -> Observable {
    .lifting(source) { sink in
      Sink(next: { do { return try receive($0, sink) } catch { return sink.fail(error) } }, end: sink.end)
    }
  }

  /// As the form without it, with a state for each subscription.
  @inlinable
  static func lifting<Source: Sendable, State: Sendable>(
    _ source: Observable<Source>, _ initial: State,
    _ receive: @escaping @Sendable (inout State, Source, Sink<Element>) throws -> Demand
  ) -> Observable {
    .lifting(source) { sink in
      let state = SubscriptionState(initial)
      return Sink(
        next: { do { return try receive(&state.value, $0, sink) } catch { return sink.fail(error) } }, end: sink.end)
    }
  }

  @inlinable
  public func asObservable() -> Observable<Element> { self }
}

/// Another name for ``Observable``, for files in which `Observable` means something else, such as files that import Observation.
public typealias RxObservable = Observable
