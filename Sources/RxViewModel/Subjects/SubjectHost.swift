/// Owns a ``SubjectState``, and guards it with a lock. A subject has a lock of its own. The engine of a view model guards its state stream
/// with a lock that it takes anyway.
///
/// This does not use an ``EventSerializer``, because that would take two locks for each event: the serializer's and the subject's.
@usableFromInline
protocol SubjectHost<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Runs `body` under the host's lock.
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result

  /// Schedules the remaining part of a replay that the subscribing thread has handed over. May run it at once.
  func continueReplay(_ work: @escaping @Sendable () -> Void)

  /// Continues a delivery that another thread has handed over, unless a third thread has continued it.
  func resume()
}

extension SubjectHost {
  @inlinable
  func continueReplay(_ work: @escaping @Sendable () -> Void) {
    continueOnGlobalQueue(work)
  }

  @inlinable
  func resume() {
    var delivery = Delivery<Element>()
    if withSubject({ $0.resume(&delivery) }) { deliver(&delivery) }
  }

  /// Delivers an accepted event, unless another thread is delivering.
  @inlinable
  func deliver(
    _ event: UnsafePointer<Event<Element>>, _ acceptance: DeliveryQueue<Event<Element>>.Acceptance,
    _ delivery: inout Delivery<Element>
  ) {
    switch acceptance {
    case .queued:
      return
    case .takeOver:
      deliver(&delivery)
    case .deliver:
      Event.borrow(event) { delivery.send($0) }
      deliver(&delivery)
    }
  }

  /// Delivers the events that wait, until none is left or this thread hands over.
  @inlinable
  func deliver(_ delivery: inout Delivery<Element>) {
    while true {
      var dropped: [Subscriber<Element>?] = []
      var event: Event<Element>?
      switch withSubject({ $0.finish(&delivery, next: &event, dropped: &dropped) }) {
      case .deliver: delivery.send(event!)
      case .stop: return
      case .handOver(let needsContinuation):
        if needsContinuation { continueOnGlobalQueue { [self] in resume() } }
        return
      }
    }
  }
}

extension SubjectHost {
  @inlinable
  func connect(_ sink: @escaping Observable<Element>.Sink) -> any Disposable {
    let entry = SubjectEntry(host: self, disposeAction: Self.disposeEntry)
    switch withSubject({ $0.subscribe(sink, entry) }) {
    case .live:
      return entry
    case .replay(let first):
      replay(first, to: sink, entry)
      return entry
    case .ended(let buffered, let terminal):
      for element in buffered {
        if sink(.next(element)) == .noMore { return NopDisposable.shared }
      }
      _ = sink(terminal)
      return NopDisposable.shared
    }
  }

  /// Delivers the buffer on the subscribing thread, and then the events that the subject accepts meanwhile. Then the subscriber joins the
  /// others.
  @inlinable
  @inline(never)
  func replay(_ first: Element, to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    if forward(.next(first), to: sink) == .noMore { cancelReplay(entry) } else { replayNext(to: sink, entry) }
  }

  @inlinable
  func replayNext(to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    while true {
      var event: Event<Element>?
      switch withSubject({ $0.nextReplayed(to: sink, entry, &event) }) {
      case .deliver:
        if forward(event!, to: sink) == .noMore { return cancelReplay(entry) }
      case .stop:
        return
      case .handOver(let needsContinuation):
        guard needsContinuation, handsOverToItself(sink, entry), withSubject({ $0.resumeReplay(entry) }) else { return }
      }
    }
  }

  /// Schedules the rest of a replay. Returns true if the scheduler runs work at once: then the caller delivers the rest in its own loop, so
  /// that the stack does not grow.
  @inlinable
  @inline(never)
  func handsOverToItself(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> Bool {
    let continuation = ReplayContinuation()
    continueReplay { [self] in
      if continuation.begins(), withSubject({ $0.resumeReplay(entry) }) { replayNext(to: sink, entry) }
    }
    return continuation.hasBegunInside()
  }

  @inlinable
  func cancelReplay(_ entry: SubjectEntry) {
    var leftOver = Queue<Event<Element>>()
    withSubject { $0.cancelReplay(entry, &leftOver) }
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

/// Tells whether a scheduler has run a piece of work at once, on the stack of the thread that has scheduled it.
@usableFromInline
final class ReplayContinuation: Sendable {
  private enum Status: Equatable {
    case scheduling(ThreadID)
    case scheduled
    case begunInside
  }

  private let status: Lock<Status>

  @usableFromInline
  init() {
    status = Lock(.scheduling(.current))
  }

  /// The work calls this first. Returns false if the scheduling thread does the work itself.
  @usableFromInline
  func begins() -> Bool {
    status.withLock { status in
      if status == .scheduling(.current) { status = .begunInside }
      return status != .begunInside
    }
  }

  /// The scheduling thread calls this when the scheduler has returned.
  @usableFromInline
  func hasBegunInside() -> Bool {
    status.withLock { status in
      if status == .begunInside { return true }
      status = .scheduled
      return false
    }
  }
}
