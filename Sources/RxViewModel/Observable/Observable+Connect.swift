// The three ways to subscribe a sink: for a subscriber, for an operator with one source, for an operator with several.

extension Observable {
  /// Subscribes the sink of a subscriber, which gets nothing once `scope` is closed, not even an event that an operator of the chain is
  /// about to pass on (contract 1.4).
  @inlinable
  @discardableResult
  func connect(_ sink: @escaping Sink, opening scope: Scope = Scope()) -> any Disposable {
    // Checked for each event, because a closure of the chain may close the scope at an event that it is about to pass on.
    connect({ event in scope.isOpen ? sink(event) : .noMore }, closing: scope)
    return scope
  }

  /// Subscribes the sink of a linear operator within the scope of its subscriber.
  @inlinable
  func connect(_ sink: @escaping Sink, in scope: Scope) {
    switch representation {
    case .just(let element): if sink(.next(element)) == .more { _ = sink(.completed) }
    case .source(let connect): connect(sink, scope)
    }
  }

  /// Subscribes within a scope that is closed before the sink gets the terminal event, or when the sink wants no more.
  @inlinable
  func connect(_ sink: @escaping Sink, closing scope: Scope) {
    connect(
      { event in
        if event.isTerminal {
          if scope.close() { _ = sink(event) }
          return .noMore
        }
        if sink(event) == .more { return .more }
        scope.dispose()
        return .noMore
      }, in: scope)
  }
}

extension Scope {
  /// Subscribes to one of an operator's sources within a child.
  @inlinable
  func connect<Element>(_ source: Observable<Element>, _ sink: @escaping Observable<Element>.Sink) {
    if let child = child() { source.connect(sink, closing: child) }
  }

  /// Subscribes to a source whose events are all inputs of an operator's serial handler.
  @inlinable
  func connect<Element, Input>(
    _ source: Observable<Element>, to serial: Serial<Input>, _ input: @escaping @Sendable (Event<Element>) -> Input
  ) {
    connect(source) { serial.send(input($0)) }
  }
}
