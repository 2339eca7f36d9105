extension Observable {
  /// Subscribes a sink. The sink gets no event after a dispose on the delivering thread, not even one that an operator of the chain is
  /// about to pass on (contract 1.4).
  @inlinable
  func connect(_ sink: @escaping Sink) -> any Disposable {
    switch representation {
    case .just(let element):
      if sink(.next(element)) == .more { _ = sink(.completed) }
      return NopDisposable.shared
    case .subject(let connect):
      return connect(sink, nil)
    case .source:
      let scope = Scope()
      connect(sink, opening: scope)
      return scope
    }
  }

  /// As ``connect(_:)``, with a new scope that the caller can dispose before this returns.
  @inlinable
  func connect(_ sink: @escaping Sink, opening scope: Scope) {
    connect({ event in scope.isOpen ? scope.deliver(event, to: sink) : .noMore }, in: scope)
  }

  /// Subscribes a sink within a scope.
  @inlinable
  func connect(_ sink: @escaping Sink, in scope: Scope) {
    switch representation {
    case .just(let element): if sink(.next(element)) == .more { _ = sink(.completed) }
    case .subject(let connect): _ = connect(sink, scope)
    case .source(let connect): connect(sink, scope)
    }
  }
}

extension Scope {
  /// Delivers an event to the subscriber that this scope was made for, and disposes the scope if the subscriber wants no more.
  @inlinable
  final func deliver<Element>(_ event: Event<Element>, to sink: Observable<Element>.Sink) -> Demand {
    if forward(event, to: sink) == .more { return .more }
    dispose()
    return .noMore
  }

  /// Subscribes to one of an operator's sources. The resources of the source are disposed when it ends.
  ///
  /// A subject needs no child: its entry is gone at its end.
  @inlinable
  final func connect<Element>(source: Observable<Element>, _ sink: @escaping Observable<Element>.Sink) {
    if case .subject = source.representation {
      source.connect(sink, in: self)
    } else {
      connect(inner: source, sink)
    }
  }

  /// Subscribes to one of an operator's inner streams. The resources of the stream are disposed when it ends.
  @inlinable
  final func connect<Element>(inner: Observable<Element>, _ sink: @escaping Observable<Element>.Sink) {
    if case .just = inner.representation { return inner.connect(sink, in: self) }
    guard let child = child() else { return }
    inner.connect(
      { event in
        let demand = sink(event)
        if event.isTerminal { child.dispose() }
        return demand
      }, in: child)
  }

  /// Subscribes to a source whose events are all inputs of an operator's serial handler.
  @inlinable
  final func connect<Element, Input>(
    _ source: Observable<Element>, to serial: Serial<Input>, _ input: @escaping @Sendable (Event<Element>) -> Input
  ) {
    connect(source: source) { serial.send(input($0)) }
  }
}
