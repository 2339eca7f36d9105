/// A type that can be converted to an ``Observable``: an observable itself, a subject, a property.
public protocol ObservableType<Element>: Sendable {
  /// The type of the elements that the stream sends.
  associatedtype Element: Sendable

  /// The stream as an ``Observable``.
  func asObservable() -> Observable<Element>
}

/// A stream of elements over time, which ends with an error, with a completion, or never.
///
/// An observable is cold: it does its work again for each subscription (contract 1.8). Subjects and `share` are hot. Each subscription sees
/// `next* (error | completed)?`, one event at a time, whatever threads the events come from (contract 1.1, 1.2). The source determines the
/// thread of its events; `observe(on:)` changes it.
///
/// Unless its documentation says otherwise, an operator sends events on the threads of its sources, passes an error on at once, and costs
/// O(1) per event.
public struct Observable<Element: Sendable>: ObservableType {
  /// Receives the events of one subscription, one at a time, and returns whether it wants more.
  @usableFromInline typealias Sink = @Sendable (Event<Element>) -> Demand

  /// Starts one subscription, and returns the disposable that ends it.
  ///
  /// Ownership follows the events: a source retains its sink. The disposable retains neither, or holds them weakly, so that a subscription
  /// is released together with its source.
  @usableFromInline typealias Connect = @Sendable (@escaping Sink) -> any Disposable

  @usableFromInline
  enum Representation: Sendable {
    /// One element and the completion: operators and the view model take the element without subscribing.
    case just(Element)
    case source(Connect)
    /// A tree of concatenations and merges, run and released without recursion.
    case tree(SourceTree<Element>)
    /// An operator that needs nothing but a sink of its own.
    case lifted(depth: UInt8, @Sendable (@escaping Sink) -> Connecting)
    /// An operator that has subscriptions of its own to dispose.
    case composed(depth: UInt8, @Sendable (@escaping Sink) -> Connecting)
  }

  @usableFromInline let representation: Representation

  @inlinable
  init(_ representation: Representation) {
    self.representation = representation
  }

  @inlinable
  init(_ connect: @escaping Connect) {
    representation = .source(connect)
  }

  @inlinable
  public func asObservable() -> Observable<Element> {
    self
  }
}

/// Another name for ``Observable``, for files in which `Observable` means something else, such as files that import Observation.
public typealias RxObservable = Observable
