extension Observable {
  /// Subscribes a sink. After a dispose on the delivering thread, the sink gets no further event, not even one that an operator of the
  /// chain is about to pass on (contract 1.4).
  @inlinable
  func connect(_ sink: @escaping Sink) -> any Disposable {
    switch representation {
    case .just(let element):
      if sink(.next(element)) != .noMore { _ = sink(.completed) }
      return NopDisposable.shared
    case .source(let connect):
      return connect(sink)
    case .tree, .lifted, .composed:
      return connecting(sink).finish()
    }
  }

  /// Subscribes a sink that ignores events once it has been disposed, such as one that sends to an ``EventSerializer``.
  @inlinable
  func connectChecked(_ sink: @escaping Sink) -> any Disposable {
    connectingChecked(sink).finish()
  }

  /// The first step of ``connect(_:)``.
  @inlinable
  func connecting(_ sink: @escaping Sink) -> Connecting {
    guard case .lifted(_, let lift) = representation else { return connectingChecked(sink) }
    let isCut = Lock(false)
    let gated: Sink = { event in isCut.withLock { $0 } ? .noMore : sink(event) }
    if !isLong { return .done(CancellationGate(isCut: isCut, lift(gated).finish())) }
    return .nested {
      lift(gated)
    } then: {
      .done(CancellationGate(isCut: isCut, $0))
    }
  }

  /// The first step of ``connectChecked(_:)``.
  @inlinable
  func connectingChecked(_ sink: @escaping Sink) -> Connecting {
    switch representation {
    case .just, .source: .done(connect(sink))
    case .tree(let tree): tree.connecting(sink)
    case .lifted(_, let start), .composed(_, let start): start(sink)
    }
  }
}

/// The steps that make a subscription. ``finish()`` takes them in a loop, so that the stack does not grow with the chain of operators
/// (contract 1.6).
@usableFromInline
enum Connecting {
  case done(any Disposable)
  case step(() -> Connecting)
  /// The steps of an operator's subscription to its source, then the operator's own step, which receives that subscription.
  case nested(() -> Connecting, then: (any Disposable) -> Connecting)

  @inlinable
  consuming func finish() -> any Disposable {
    if case .done(let subscription) = self { return subscription }
    return takeSteps()
  }

  @usableFromInline
  consuming func takeSteps() -> any Disposable {
    var waiting: [(any Disposable) -> Connecting] = []
    var current = self
    while true {
      switch current {
      case .done(let subscription):
        guard let then = waiting.popLast() else { return subscription }
        current = then(subscription)
      case .step(let next):
        current = next()
      case .nested(let first, let then):
        waiting.append(then)
        current = first()
      }
    }
  }

  /// Takes the steps of another subscription after these. The result is that subscription.
  @inlinable
  func then(_ next: @escaping () -> Connecting) -> Connecting {
    isDone ? next() : .nested({ self }, then: { _ in next() })
  }

  @inlinable
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}
