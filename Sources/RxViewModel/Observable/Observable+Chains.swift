extension Observable {
  /// An operator that needs only a sink, which it makes from the subscriber's sink.
  @inlinable
  static func lifting<Source: Sendable>(
    _ source: Observable<Source>, _ lift: @escaping @Sendable (@escaping Sink) -> Observable<Source>.Sink
  ) -> Observable {
    let source = source.linked
    return Observable(
      .lifted(depth: source.depth + 1) { sink in
        let lifted = lift(sink)
        return source.isLong ? .step { source.connectingChecked(lifted) } : source.connectingChecked(lifted)
      })
  }

  /// An operator that has subscriptions of its own to dispose.
  ///
  /// - Parameter start: Returns the first step of a subscription to the given source.
  @inlinable
  static func composing<Source: Sendable>(
    _ source: Observable<Source>, _ start: @escaping @Sendable (Observable<Source>, @escaping Sink) -> Connecting
  ) -> Observable {
    let source = source.linked
    return Observable(.composed(depth: source.depth + 1) { sink in start(source, sink) })
  }

  /// The same with two sources.
  @inlinable
  static func composing<A: Sendable, B: Sendable>(
    _ a: Observable<A>, _ b: Observable<B>,
    _ start: @escaping @Sendable (Observable<A>, Observable<B>, @escaping Sink) -> Connecting
  ) -> Observable {
    let (a, b) = (a.linked, b.linked)
    return Observable(.composed(depth: max(a.depth, b.depth) + 1) { sink in start(a, b, sink) })
  }

  /// The same with any number of sources.
  @inlinable
  static func composing<Source: Sendable>(
    _ sources: [Observable<Source>],
    _ start: @escaping @Sendable ([Observable<Source>], @escaping Sink) -> Connecting
  ) -> Observable {
    let sources = sources.map(\.linked)
    let depth = sources.map(\.depth).max() ?? 0
    return Observable(.composed(depth: depth + 1) { sink in start(sources, sink) })
  }

  /// The number of operators that retain each other directly, plus 64 if the chain has been cut.
  @inlinable
  var depth: UInt8 {
    switch representation {
    case .just, .source: 0
    case .tree(let tree): tree.depth
    case .lifted(let depth, _), .composed(let depth, _): depth
    }
  }

  /// Whether the chain up to here has been cut. Such a chain is subscribed in a loop. A shorter chain is subscribed with nested calls,
  /// which cost less.
  @inlinable
  var isLong: Bool {
    depth >= 64
  }

  /// This stream, cut if 63 operators retain each other directly.
  @inlinable
  var linked: Observable {
    depth == 63 || depth == 127 ? cut : self
  }

  /// The same stream behind a ``ChainLink``. Releasing the operators that follow does not release this stream's operators, sinks and
  /// subscriptions on the same stack.
  @inlinable
  var cut: Observable {
    let source = ChainLink(self)
    return Observable(
      .lifted(depth: 64) { sink in
        let sink = ChainLink(sink)
        return .nested {
          source.value.connectingChecked { sink.value($0) }
        } then: {
          .done(LinkedDisposable($0))
        }
      })
  }
}
