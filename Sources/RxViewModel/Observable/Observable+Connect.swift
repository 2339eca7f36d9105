// The ways to subscribe a sink: for a subscriber, for a linear operator, for an operator with several streams.

extension Observable {
  /// Subscribes the sink of a subscriber. It gets nothing once the result has been disposed (contract 1.4).
  @inlinable
  func connect(_ sink: Sink<Element>) -> any Disposable {
    switch representation {
    case .just(let element):
      _ = sink.finish(with: element)
      return Disposables.nothing
    case .subject(let connect): return connect(sink, nil)
    case .source:
      let scope = Scope()
      connect(sink, subscribing: scope)
      return scope
    }
  }

  /// Subscribes in a scope that the caller made, so the caller can dispose before this returns.
  @inlinable
  func connect(_ sink: Sink<Element>, subscribing scope: Scope) {
    // An operator of the chain may close the scope at an element that it is about to pass on, so this looks.
    let open = Sink<Element>(
      next: { element in
        if scope.isOpen, sink.next(element) == .more { return .more }
        scope.dispose()
        return .noMore
      }, end: { if scope.end() { sink.end($0) } })
    connect(open, in: scope)
  }

  /// Subscribes the sink of a linear operator within the scope of its subscriber.
  @inlinable
  func connect(_ sink: Sink<Element>, in scope: Scope) {
    switch representation {
    case .just(let element): _ = sink.finish(with: element)
    case .subject(let connect): _ = connect(sink, scope)
    case .source(let connect): connect(sink, scope)
    }
  }

  /// Subscribes within a scope that is closed before the sink gets the end.
  @inlinable
  func connect(_ sink: Sink<Element>, closing scope: Scope) {
    connect(Sink(next: sink.next, end: { if scope.end() { sink.end($0) } }), in: scope)
  }
}

extension Scope {
  /// Subscribes to one of an operator's sources, within a child if it may hold more than a subject's entry.
  @inlinable
  func connect<Element>(_ source: Observable<Element>, _ sink: Sink<Element>) {
    if case .subject = source.representation {
      source.connect(sink, in: self)
    } else if let child = child() {
      source.connect(sink, closing: child)
    }
  }

  /// Subscribes to one of an operator's sources, whose events are inputs of the operator's queue.
  @inlinable
  func connect<Element, Input>(
    _ source: Observable<Element>, to serial: Serial<Input>,
    _ input: @escaping @Sendable (consuming Event<Element>) -> Input
  ) {
    connect(source, Sink(next: { serial.send(input(.next($0))) }, end: { _ = serial.send(input(Event(end: $0))) }))
  }
}
