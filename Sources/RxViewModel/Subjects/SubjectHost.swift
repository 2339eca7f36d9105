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
  /// Accepts an event and delivers it, unless another thread is delivering, which then delivers this event too.
  @inline(__always)
  @inlinable
  func on(_ event: Event<Element>) {
    var delivery = SubjectDelivery<Element>()
    if withSubject({ $0.accept(event, &delivery) }) { deliver(event, &delivery) }
  }

  /// Delivers an accepted event, and then those that arrive meanwhile, until none waits (contract 1.10).
  @inlinable
  func deliver(_ event: Event<Element>, _ delivery: inout SubjectDelivery<Element>) {
    delivery.send(event)
    while let event = withSubject({ $0.next(&delivery) }) { delivery.send(event) }
  }

  /// The stream of this host's events. Each subscription keeps the host alive.
  @inlinable
  var stream: Observable<Element> {
    Observable(.subject { [self] in connect($0, $1) })
  }

  @inlinable
  func connect(_ sink: @escaping Observable<Element>.Sink, _ scope: Scope?) -> any Disposable {
    let entry = SubjectEntry(host: self) { entry in
      let host = unsafeDowncast(entry.host, to: Self.self)
      var (dropped, leftOver) = (Subscriber<Element>?.none, Queue<Event<Element>>())
      host.withSubject { $0.dispose(entry, &dropped, &leftOver) }
    }
    let replays = withSubject { $0.subscribe(sink, entry) }
    // Delivers the buffer on this thread, and then the events that the subject accepts meanwhile, until none waits. Then the subscriber
    // joins the others.
    guard scope?.add(entry) ?? true, replays else { return entry }
    while let event = withSubject({ $0.nextReplayed(to: sink, entry) }) {
      if forward(event, to: sink) == .noMore { entry.dispose() }
    }
    return entry
  }

  /// Sends the last element as `change` leaves it, if that returns true. Reads again if another event has been accepted meanwhile. Sends
  /// nothing after the end. Precondition: there is an element.
  @inlinable
  func update(_ change: (inout Element) -> Bool) {
    while true {
      var (element, number) = withSubject { ($0.buffer.last!, $0.beginUpdate()) }
      let writes = change(&element)
      withSubject { $0.endUpdate() }
      if !writes || on(.next(element), after: number) { return }
    }
  }

  /// Sends an event, unless another one has been accepted since `number`. Returns false in that case.
  @inlinable
  func on(_ event: Event<Element>, after number: UInt64) -> Bool {
    var delivery = SubjectDelivery<Element>()
    let (isLatest, delivers) = withSubject { state in
      let isLatest = state.accepted == number || state.terminal != nil
      return (isLatest, isLatest && state.accept(event, &delivery))
    }
    if delivers { deliver(event, &delivery) }
    return isLatest
  }
}

/// Calls `update`, which calls its argument with the current value and writes the changed value if that returns true, perhaps several
/// times. Returns or throws what `body` does with the value that is written.
@inlinable
func updating<Value, Result, Failure: Error>(
  by update: ((inout Value) -> Bool) -> Void, _ body: (inout Value) throws(Failure) -> Result
) throws(Failure) -> Result {
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
