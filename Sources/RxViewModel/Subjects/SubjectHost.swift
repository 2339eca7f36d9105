import Dispatch

/// Owns a ``SubjectState``, and guards it with a lock. A subject has a lock of its own. The engine of a view model guards its state stream
/// with a lock that it takes anyway.
@usableFromInline
protocol SubjectHost<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Runs `body` under the host's lock.
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result
}

extension SubjectHost {
  // MARK: Sending

  @inlinable
  func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): send(element)
    case .error(let error): end(error)
    case .completed: end(nil)
    }
  }

  /// Accepts an element and delivers it, unless another thread is delivering, which then delivers this element too.
  @inline(__always)
  @inlinable
  func send(_ element: Element) { _ = send(element) { _ in true } }

  /// As ``send(_:)``, if the condition, asked under the lock, is true. Returns whether it is.
  @inline(__always)
  @inlinable
  func send(_ element: Element, if condition: (SubjectState<Element>) -> Bool) -> Bool {
    var delivery = SubjectDelivery<Element>()
    let (isTrue, delivers) = withSubject { state in
      state.requireNoUpdateHere()
      let isTrue = condition(state)
      return (isTrue, isTrue && state.accept(element, &delivery))
    }
    if delivers { deliver(element, &delivery) }
    return isTrue
  }

  /// Delivers an element for which ``SubjectState/accept(_:_:)`` has returned true, and then those that wait (contract 1.10).
  @inlinable
  func deliver(_ element: Element, _ delivery: inout SubjectDelivery<Element>) {
    delivery.send(element)
    delivery.displaced = nil
    deliverWaiting(&delivery)
  }

  @inline(__always)
  @inlinable
  func deliverWaiting(_ delivery: inout SubjectDelivery<Element>) {
    while let event = withSubject({ $0.next(&delivery) }) { delivery.send(event) }
  }

  /// Accepts the terminal event and delivers it, unless another thread is delivering, which then delivers this event too.
  @inlinable
  func end(_ error: (any Error)?) {
    var delivery = SubjectDelivery<Element>()
    if !withSubject({ $0.acceptEnd(error, &delivery) }) { return }
    delivery.send(Event(end: error))
    deliverWaiting(&delivery)
  }

  // MARK: Subscribing

  /// The stream of this host's events. Each subscription keeps the host alive.
  @inlinable
  var stream: Observable<Element> { Observable(.subject { [self] in connect($0, $1) }) }

  /// Subscribes a sink, and delivers the replay before this returns.
  @inlinable
  func connect(_ sink: Sink<Element>, _ scope: Scope?) -> any Disposable {
    let entry = SubjectEntry(host: self) { entry in
      let host = unsafeDowncast(entry.host, to: Self.self)
      var rest = Mailbox<Event<Element>>()
      _ = host.withSubject { $0.dispose(entry, &rest) }
    }
    let first = withSubject { $0.subscribe(Subscriber(sink, entry)) }
    if scope?.add(entry) ?? true, let first { replay(first, to: sink, entry) }
    return entry
  }

  /// Delivers an event of a replay, and then the next ones, until the subscriber is a member or this thread leaves the rest: see
  /// ``SubjectReplay``.
  @inlinable
  func replay(_ first: Event<Element>?, to sink: Sink<Element>, _ entry: SubjectEntry) {
    var (event, wakes) = (first, false)
    while let next = event.take() {
      if sink.on(consume next) == .noMore { entry.dispose() }
      event = withSubject { $0.nextReplayed(to: entry, &wakes) }
    }
    if wakes { DispatchQueue.shared.async { [self] in takeBack(entry) } }
  }

  /// Goes on with a replay, unless a thread that delivers does so.
  @usableFromInline
  func takeBack(_ entry: SubjectEntry) {
    if let (first, sink) = withSubject({ $0.takeBack(entry) }) { replay(first, to: sink, entry) }
  }
}
