/// Owns a ``SubjectState``, and guards it with a lock. A subject has a lock of its own. The engine of a view model guards its state stream
/// with a lock that it takes anyway.
///
/// This does not use a ``Serial``, because that would take two locks for each event: the scope's and the subject's.
@usableFromInline
protocol SubjectHost<Element>: AnyObject, DeliveryLoop
where Item == Event<Element>, Delivery == SubjectDelivery<Element> {
  associatedtype Element: Sendable

  /// Runs `body` under the host's lock.
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result

  /// Schedules the remaining part of a replay that the subscribing thread has handed over. May run it at once.
  func continueReplay(_ continuation: @escaping @Sendable () -> Void)
}

extension SubjectHost {
  @inlinable
  func continueReplay(_ continuation: @escaping @Sendable () -> Void) {
    continueOnGlobalQueue(continuation)
  }

  @inlinable
  var schedule: Continuation { continueOnGlobalQueue }

  /// Accepts an event and delivers it, unless another thread is delivering, which then delivers this event too.
  @inlinable
  func on(_ event: Event<Element>) {
    withUnsafePointer(to: event) { accept($0) }
  }

  @inlinable
  func accept(_ event: UnsafePointer<Event<Element>>) {
    var delivery = SubjectDelivery<Element>()
    let acceptance = withSubject { state in Event.borrow(event) { state.accept($0, &delivery) } }
    deliver(event, acceptance, &delivery)
  }

  /// Delivers an accepted event, unless another thread is delivering.
  @inlinable
  func deliver(
    _ event: UnsafePointer<Event<Element>>, _ acceptance: DeliveryQueue<Event<Element>>.Acceptance,
    _ delivery: inout SubjectDelivery<Element>
  ) {
    switch acceptance {
    case .queued: return
    case .takeOver: break
    case .deliver: Event.borrow(event) { delivery.send($0) }
    }
    run(&delivery)
  }

  @inline(__always)
  @inlinable
  func next(_ delivery: inout SubjectDelivery<Element>) -> DeliveryStep<Event<Element>> {
    var dropped: [Subscriber<Element>?] = []
    return withSubject { $0.next(&delivery, &dropped) }
  }

  @inline(__always)
  @inlinable
  func deliver(_ event: Event<Element>, _ delivery: inout SubjectDelivery<Element>) {
    delivery.send(event)
  }

  @inlinable
  func takeReceivers(if condition: (inout DeliveryQueue<Event<Element>>) -> Bool) -> SubjectDelivery<Element>? {
    var delivery = SubjectDelivery<Element>()
    return withSubject { state in
      guard condition(&state.queue) else { return nil }
      swap(&delivery.members, &state.members.all)
      return delivery
    }
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
    case .replay(let first): replay(first, to: sink, entry)
    case .ended(let buffered, let terminal):
      for event in buffered.map({ .next($0) }) + [terminal] where !(scope?.isOpen ?? true) || sink(event) == .noMore {
        return entry
      }
    }
    return entry
  }

  /// Delivers the buffer on the subscribing thread, and then the events that the subject accepts meanwhile. Then the subscriber joins the
  /// others.
  @inlinable
  @inline(never)
  func replay(_ first: Element, to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    var demand = Demand.more
    let loop = ReplayLoop(host: self, entry: entry, sink: sink)
    loop.deliver(.next(first), &demand)
    loop.run(&demand)
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
