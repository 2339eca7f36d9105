/// A type that can be converted to an ``Observable``: an observable itself, a subject, a property.
public protocol ObservableType<Element>: Sendable {
  /// The type of the elements that the stream sends.
  associatedtype Element: Sendable

  /// The stream as an ``Observable``.
  func asObservable() -> Observable<Element>
}

/// A stream of elements over time, which ends with an error, with a completion, or never.
///
/// An observable is cold: it does its work again for each subscription (contract 1.8); subjects are the hot ones.
/// Each subscription sees `next* (error | completed)?`, one event at a time, whatever threads they come from
/// (contract 1.1, 1.2). On which thread they come depends on the source; `observe(on:)` changes it.
public struct Observable<Element: Sendable>: ObservableType {
  /// Takes the events of one subscription, one at a time, and answers whether it wants more.
  @usableFromInline typealias Sink = @Sendable (Event<Element>) -> Demand

  /// Starts one subscription. The disposable that it returns ends it from outside.
  ///
  /// Ownership runs with the events: a source holds its sink. The disposable holds neither, or holds them weakly, so
  /// that a subscription is released when its source is.
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

/// ``Observable`` by another name, for files in which the short one is taken, as by the Observation framework.
public typealias RxObservable = Observable
