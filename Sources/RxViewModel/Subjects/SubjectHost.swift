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
  @inlinable
  func on(_ event: Event<Element>) {
    withUnsafePointer(to: event) { send($0) }
  }

  @inline(__always)
  @inlinable
  func send(_ event: UnsafePointer<Event<Element>>) {
    var delivery = SubjectDelivery<Element>()
    let isDeliverer = withSubject { state in Event.borrow(event) { state.accept($0, &delivery) } }
    if isDeliverer { deliver(event, &delivery) }
  }

  /// Delivers an accepted event, and then those that arrive meanwhile, until none waits (contract 1.10).
  @inlinable
  func deliver(_ event: UnsafePointer<Event<Element>>, _ delivery: inout SubjectDelivery<Element>) {
    Event.borrow(event) { delivery.send($0) }
    while let event = next(&delivery) { delivery.send(event) }
  }

  @inline(__always)
  @inlinable
  func next(_ delivery: inout SubjectDelivery<Element>) -> Event<Element>? {
    var dropped: [Subscriber<Element>?] = []
    return withSubject { $0.next(&delivery, &dropped) }
  }
}

extension SubjectHost {
  /// The stream of this host's events. Each subscription keeps the host alive.
  @inlinable
  var stream: Observable<Element> {
    Observable(.subject { [self] in connect($0, $1) })
  }

  @inlinable
  func connect(_ sink: @escaping Observable<Element>.Sink, _ scope: Scope?) -> any Disposable {
    let entry = SubjectEntry(host: self, disposeAction: Self.disposeEntry)
    let outcome = withSubject { $0.subscribe(sink, entry) }
    guard scope?.add(entry) ?? true else { return entry }
    switch outcome {
    case .live: break
    case .replay(let first, let count): replay(first, count, to: sink, entry, scope)
    case .ended(let buffered, let terminal):
      for event in buffered.map({ .next($0) }) + [terminal] where !(scope?.isOpen ?? true) || sink(event) == .noMore {
        return entry
      }
    }
    return entry
  }

  /// Delivers the buffer on the subscribing thread, and then the events that the subject accepts meanwhile, until none waits. Then the
  /// subscriber joins the others.
  @inlinable
  @inline(never)
  func replay(
    _ first: Element, _ count: Int, to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry, _ scope: Scope?
  ) {
    var (event, buffered) = (Optional(Event.next(first)), count)
    while let next = event {
      buffered -= 1
      if buffered < 0 { scope?.lock.withLock { $0 += 1 } }
      if forward(next, to: sink) == .noMore { entry.dispose() }
      event = withSubject { $0.nextReplayed(to: sink, entry) }
    }
  }

  @inlinable
  static var disposeEntry: @Sendable (SubjectEntry) -> Void {
    { entry in
      let host = unsafeDowncast(entry.host, to: Self.self)
      var dropped: Subscriber<Element>?
      var leftOver = Queue<Event<Element>>()
      host.withSubject { $0.dispose(entry, &dropped, &leftOver) }
    }
  }
}
