/// What can be observed: an ``Observable``, a subject.
public protocol ObservableType<Element>: Sendable {
  /// What the stream sends.
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
  /// Takes the events of one subscription, one at a time, and answers whether it wants more.
  @usableFromInline typealias Sink = @Sendable (Event<Element>) -> Demand

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
    case tree(SourceTree<Element>)
    /// A source with a function applied to its events: a chain of these is subscribed in a loop. `depth` counts those that hold
    /// each other directly.
    case lifted(depth: UInt8, @Sendable (@escaping Sink) -> Connecting)
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

  /// An operator that needs nothing but a sink of its own, which it makes of the subscriber's.
  @inlinable
  static func lifting<Source: Sendable>(
    _ source: Observable<Source>, _ lift: @escaping @Sendable (@escaping Sink) -> Observable<Source>.Sink
  ) -> Observable {
    let source = source.depth < 64 ? source : source.cut
    return Observable(
      .lifted(depth: source.depth + 1) { sink in
        let lifted = lift(sink)
        return .on { source.connecting(lifted) }
      })
  }

  @inlinable
  var depth: UInt8 {
    if case .lifted(let depth, _) = representation { depth } else { 0 }
  }

  /// The same stream, cut off from the operators that follow: neither its release nor that of a subscription goes on in theirs.
  @inlinable
  var cut: Observable {
    let source = ChainLink(self)
    return Observable(
      .lifted(depth: 0) { sink in
        let sink = ChainLink(sink)
        return .on { source.value.connecting { sink.value($0) } }
      })
  }

  @inlinable
  func connect(_ sink: @escaping Sink) -> any Disposable {
    switch representation {
    case .just(let element):
      if sink(.next(element)) != .noMore { _ = sink(.completed) }
      return NopDisposable.shared
    case .source(let connect):
      return connect(sink)
    case .tree(let composite):
      return composite.connect(sink)
    case .lifted(_, let lift):
      // A function of the chain may dispose: what it has in hand goes no further then (contract 1.4).
      let isCut = Lock(false)
      return CancellationGate(isCut: isCut, lift { event in isCut.withLock { $0 } ? .noMore : sink(event) }.finish())
    }
  }

  /// Connects a sink that takes nothing once it has been disposed, as one does that sends to a ``EventSerializer``.
  @inlinable
  func connectChecked(_ sink: @escaping Sink) -> any Disposable {
    if case .lifted(_, let lift) = representation { lift(sink).finish() } else { connect(sink) }
  }

  /// The first step of a subscription.
  @inlinable
  func connecting(_ sink: @escaping Sink) -> Connecting {
    if case .lifted(_, let lift) = representation { lift(sink) } else { .done(connect(sink)) }
  }
}

/// The subscription to a chain of operators. Disposing it cuts off the event that is on its way through the chain.
@usableFromInline
final class CancellationGate: Disposable {
  private let isCut: Lock<Bool>
  private let upstream: any Disposable

  @usableFromInline
  init(isCut: Lock<Bool>, _ upstream: any Disposable) {
    self.isCut = isCut
    self.upstream = upstream
  }

  @usableFromInline
  func dispose() {
    isCut.withLock { $0 = true }
    upstream.dispose()
  }
}

/// A subscription to a chain of operators being made, one operator after the other: the stack does not grow with the chain
/// (contract 1.6).
@usableFromInline
enum Connecting {
  case done(any Disposable)
  case on(() -> Connecting)

  @inlinable
  func finish() -> any Disposable {
    var step = self
    while true {
      switch step {
      case .done(let subscription): return subscription
      case .on(let next): step = next()
      }
    }
  }
}

/// ``Observable`` by another name, for files in which the short one is taken, as by the Observation framework.
public typealias RxObservable = Observable
