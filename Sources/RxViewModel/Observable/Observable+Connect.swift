// The ways to subscribe a sink: for a subscriber, for a linear operator, for an operator with several streams.

extension Observable {
  /// Subscribes the sink of a subscriber. It gets nothing once the result has been disposed (contract 1.4).
  @inlinable
  func connect(_ sink: @escaping Sink) -> any Disposable {
    switch representation {
    case .just(let element):
      if sink(.next(element)) == .more { _ = sink(.completed) }
      return Disposables.nothing
    case .subject(let connect): return connect(sink, nil)
    case .source:
      let scope = Scope()
      connect(sink, closing: scope, isSubscriber: true)
      return scope
    }
  }

  /// Subscribes the sink of a linear operator within the scope of its subscriber.
  @inlinable
  func connect(_ sink: @escaping Sink, in scope: Scope) {
    switch representation {
    case .just(let element): if sink(.next(element)) == .more { _ = sink(.completed) }
    case .subject(let connect): _ = connect(sink, scope)
    case .source(let connect): connect(sink, scope)
    }
  }

  /// Subscribes within a scope that is closed before the sink gets the terminal event, or when the sink wants no more.
  ///
  /// - Parameter isSubscriber: Whether the sink gets nothing once the scope is closed, not even an element that an operator of the chain is
  /// about to pass on.
  @inlinable
  func connect(_ sink: @escaping Sink, closing scope: Scope, isSubscriber: Bool = false) {
    connect(
      { event in
        if event.isTerminal {
          if scope.close() { _ = sink(event) }
          return .noMore
        }
        if isSubscriber, !scope.isOpen { return .noMore }
        if sink(event) == .more { return .more }
        scope.dispose()
        return .noMore
      }, in: scope)
  }
}

extension Scope {
  /// Subscribes to one of an operator's sources, within a child if it may hold more than a subject's entry.
  @inlinable
  func connect<Element>(_ source: Observable<Element>, _ sink: @escaping Observable<Element>.Sink) {
    if case .subject = source.representation {
      source.connect(sink, in: self)
    } else if let child = child() {
      source.connect(sink, closing: child)
    }
  }
}
