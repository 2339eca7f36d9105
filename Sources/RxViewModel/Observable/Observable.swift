/// What can be observed: an ``Observable``, a subject.
public protocol ObservableType<Element>: Sendable {
  associatedtype Element: Sendable

  /// The stream as an ``Observable``.
  func asObservable() -> Observable<Element>
}

/// A stream of elements over time, which ends with an error, with a completion, or never.
///
/// An observable is cold: it does its work anew for each subscription (contract 1.8); subjects are the hot ones.
/// Each subscription sees `next* (error | completed)?`, one event at a time, whatever threads they come from
/// (contract 1.1, 1.2). On which thread they come is for the source to say; `observe(on:)` changes it.
public struct Observable<Element: Sendable>: ObservableType {
  /// Takes the events of one subscription, one at a time. Returns whether it wants more: after false, as after a
  /// terminal event, the source drops the sink and all that it holds for the subscription, and need not be disposed.
  @usableFromInline typealias Sink = @Sendable (Event<Element>) -> Bool

  /// Starts one subscription. The disposable that it returns ends it from outside.
  ///
  /// Ownership runs with the events: a source holds its sink. The disposable holds neither, or holds them weakly, so
  /// that a subscription that nobody can send to any more goes away.
  @usableFromInline typealias Connect = @Sendable (@escaping Sink) -> any Disposable

  @usableFromInline
  enum Representation: Sendable {
    /// One element and the completion: operators and the view model take the element without subscribing.
    case just(Element)
    case source(Connect)
    /// A tree of concatenations and merges, run and released without recursion.
    case composite(Composite<Element>)
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

  @inlinable
  func connect(_ sink: @escaping Sink) -> any Disposable {
    switch representation {
    case .just(let element):
      if sink(.next(element)) { _ = sink(.completed) }
      return NopDisposable.shared
    case .source(let connect):
      return connect(sink)
    case .composite(let composite):
      return composite.connect(sink)
    }
  }
}
