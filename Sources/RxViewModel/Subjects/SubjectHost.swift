/// Owns a ``SubjectState``, and guards it with a lock. A subject has a lock of its own. The engine of a view model guards its state stream
/// with a lock that it takes anyway.
///
/// This does not use a ``Serial``, because that would take two locks for each event: the scope's and the subject's.
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
  func send(_ element: Element) {
    var delivery = SubjectDelivery<Element>()
    let delivers = withSubject { state in
      state.requireNoUpdateHere()
      return state.accept(element, &delivery)
    }
    if delivers { deliver(element, &delivery) }
  }

  /// Delivers an element for which ``SubjectState/accept(_:_:)`` has returned true, and then the events that arrive meanwhile, until none
  /// waits (contract 1.10).
  @inlinable
  func deliver(_ element: Element, _ delivery: inout SubjectDelivery<Element>) {
    delivery.send(element)
    deliverWaiting(&delivery)
  }

  /// Delivers the events that wait. Precondition: this thread is the one that delivers, and has just ended a delivery or accepted the end.
  @inline(__always)
  @inlinable
  func deliverWaiting(_ delivery: inout SubjectDelivery<Element>) {
    while let event = withSubject({ $0.next(&delivery) }) { delivery.send(event) }
  }

  /// Accepts the terminal event and delivers it, unless another thread is delivering, which then delivers this event too.
  @inlinable
  func end(_ error: (any Error)?) {
    var delivery = SubjectDelivery<Element>()
    if withSubject({ $0.acceptEnd(error) }) { deliverWaiting(&delivery) }
  }

  // MARK: Subscribing

  /// The stream of this host's events. Each subscription keeps the host alive.
  @inlinable
  var stream: Observable<Element> {
    Observable(.subject { [self] in connect($0, $1) })
  }

  /// Subscribes a sink, and delivers the replay before this returns.
  @inlinable
  func connect(_ sink: Sink<Element>, _ scope: Scope?) -> any Disposable {
    let entry = SubjectEntry(host: self) { entry in
      let host = unsafeDowncast(entry.host, to: Self.self)
      var leftOver = Queue<Event<Element>>()
      _ = host.withSubject { $0.dispose(entry, &leftOver) }
    }
    let first = withSubject { $0.subscribe(Subscriber(sink, entry)) }
    if scope?.add(entry) ?? true, let first { replay(first, to: sink, entry) }
    return entry
  }

  /// Delivers the buffer on this thread, and then the events that the subject accepts meanwhile, until none is pending. After 1,024 of
  /// those, while more arrive, it lets a thread that sends go on with the rest: see ``SubjectReplay``.
  @inlinable
  func replay(_ first: Event<Element>, to sink: Sink<Element>, _ entry: SubjectEntry) {
    var (event, offers) = (Optional(first), false)
    while let next = event.take() {
      if sink.on(consume next) == .noMore { entry.dispose() }
      if offers {
        withSubject { $0.offer(entry) }
        pauseThread()
      }
      event = withSubject { $0.nextReplayed(to: entry, &offers) }
    }
  }

  // MARK: Updating

  /// Sends the last element as `change` leaves it, if that returns true. Reads again if another event has been accepted meanwhile. Sends
  /// nothing after the end. Precondition: there is an element.
  @inlinable
  func update(_ change: (inout Element) -> Bool) {
    while true {
      var (element, number) = withSubject { ($0.buffer.last!, $0.beginUpdate()) }
      let writes = change(&element)
      withSubject { $0.endUpdate() }
      if !writes || send(element, if: { $0.accepted == number || $0.isOver }) { return }
    }
  }

  /// Accepts an element and delivers it as ``send(_:)`` does, if the condition, asked under the lock, is true. Returns whether it is.
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
}

/// Calls `update`, which calls its argument with the current value and writes the changed value if that returns true, perhaps several
/// times. Returns or throws what `body` does with the value that is written.
@inlinable
func updating<Value, Result, Failure: Error>(
  by update: ((inout Value) -> Bool) -> Void, _ body: (inout Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  // The compiler lets no closure that may not escape be used in the call of another one.
  let outcome = withoutActuallyEscaping(body) { body in
    var outcome: Swift.Result<Result, Failure>?
    update { value in
      outcome = Swift.Result { () throws(Failure) in try body(&value) }
      return if case .success = outcome { true } else { false }
    }
    return outcome!
  }
  return try outcome.get()
}
