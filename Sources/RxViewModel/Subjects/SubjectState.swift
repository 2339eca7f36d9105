/// The state of a subject: its members, the replays to new subscribers, the waiting events, and its terminal event.
///
/// The ``SubjectHost`` guards this value with its lock. No method runs user code or releases objects that may be the user's: it moves them
/// out for the caller to release.
@usableFromInline
struct SubjectState<Element: Sendable> {
  @usableFromInline var members = Members<Element>()
  @usableFromInline var replays: Replays<Element>
  @usableFromInline var queue = DeliveryQueue<Event<Element>>()
  /// The numbers of the events accepted and delivered last.
  @usableFromInline var accepted: UInt64 = 0
  @usableFromInline var delivered: UInt64 = 0
  @usableFromInline var terminal: Event<Element>?
  @usableFromInline let replaysAfterEnd: Bool
  /// Whether a new subscriber only gets a completion, although the current subscribers have not received theirs yet.
  @usableFromInline var isClosed = false
  @usableFromInline var updaters = Updaters()
  /// Whether the subject has been released, so that no thread can send or subscribe any more.
  @usableFromInline var isReleased = false

  @usableFromInline typealias Step = DeliveryStep<Event<Element>>

  @usableFromInline
  enum SubscribeOutcome {
    case live
    case replay(Element)
    case ended([Element], Event<Element>)
  }

  @inlinable
  init(_ buffer: ReplayBuffer<Element>, replaysAfterEnd: Bool = false) {
    replays = Replays(buffer)
    self.replaysAfterEnd = replaysAfterEnd
  }

  @inlinable
  var hasObservers: Bool { members.count > 0 || replays.first != nil }

  /// `.deliver` if the caller delivers the event and then runs the loop; `.takeOver` if it runs the loop at once.
  @inline(__always)
  @inlinable
  mutating func accept(
    _ event: borrowing Event<Element>, _ delivery: inout SubjectDelivery<Element>
  ) -> DeliveryQueue<Event<Element>>.Acceptance {
    if terminal != nil { return .queued }
    updaters.requireNoneHere()
    accepted += 1
    if event.isTerminal {
      terminal = copy event
    } else if replays.buffer.capacity > 0 {
      replays.buffer.append(event, displaced: &delivery.displaced)
    }
    let acceptance = queue.accept(event)
    if case .queued = acceptance { return .queued }
    if case .deliver = acceptance {
      begin(event, &delivery)
      if members.all.isEmpty {
        queue.stop()
        return .queued
      }
    }
    swap(&delivery.members, &members.all)
    return acceptance
  }

  /// Accepts the element that has just become the current one of `latest`, as ``accept(_:_:)`` does with an event. Precondition: no
  /// delivery is running. Returns true if the caller must deliver the element and then call ``next(_:)``.
  @inline(__always)
  @inlinable
  mutating func acceptLatest(_ latest: LatestElement<Element>, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if terminal != nil { return false }
    accepted += 1
    delivered += 1
    if replays.first != nil { replays.append(.next(latest.current.pointee), number: delivered) }
    delivery.number = delivered
    delivery.isForAll = members.lastSince < delivered
    delivery.isTerminal = false
    if members.all.isEmpty { return false }
    queue.status = .delivering(.current)
    swap(&delivery.members, &members.all)
    return true
  }

  @inline(__always)
  @inlinable
  mutating func begin(_ event: borrowing Event<Element>, _ delivery: inout SubjectDelivery<Element>) {
    delivered += 1
    if replays.first != nil { replays.append(event, number: delivered) }
    delivery.number = delivered
    delivery.isForAll = members.lastSince < delivered
    delivery.isTerminal = event.isTerminal
  }

  /// Ends the delivery of an event. Takes the next one, or moves the members back into this state.
  @inlinable
  mutating func next(_ delivery: inout SubjectDelivery<Element>, _ dropped: inout [Subscriber<Element>?]) -> Step {
    if delivery.isTerminal {
      members.end(delivery.members)
      queue.stop()
      return .stop
    }
    members.settle(&delivery, &dropped)
    let step = queue.next()
    if case .deliver(let event) = step {
      begin(event, &delivery)
    } else {
      swap(&delivery.members, &members.all)
    }
    return step
  }

  @inlinable
  mutating func subscribe(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> SubscribeOutcome {
    if isClosed || terminal != nil {
      entry.status = .gone
      return isClosed ? .ended([], .completed) : .ended(replaysAfterEnd ? replays.buffer.elements : [], terminal!)
    }
    entry.since = accepted
    if replays.buffer.isEmpty {
      members.add(Subscriber(sink: sink, entry: entry), isDelivering: queue.isDelivering)
      return .live
    }
    replays.begin(entry)
    return .replay(replays.buffer.first)
  }

  /// Takes the next event of a replay. Returns `.stop` once the subscriber has become a member or has been disposed.
  @inlinable
  mutating func nextReplayed(to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> Step {
    if entry.status != .replaying { return .stop }
    let step = replays.next(entry)
    // Handed over: the continuation that has been scheduled before goes on.
    guard case .stop = step, entry.replay(of: Element.self)?.pending.isIdle ?? true else { return step }
    replays.end(entry)
    // A released subject still delivers the events that wait. The thread that delivers them then releases all subscribers.
    if isReleased, queue.isIdle {
      entry.status = .gone
    } else {
      entry.since = max(entry.since, delivered)
      members.add(Subscriber(sink: sink, entry: entry), isDelivering: queue.isDelivering)
    }
    return .stop
  }

  @inlinable
  mutating func dispose(
    _ entry: SubjectEntry, _ dropped: inout Subscriber<Element>?, _ leftOver: inout Queue<Event<Element>>
  ) {
    // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
    if queue.isDeliveredHere { entry.isCutOff = true }
    switch entry.status {
    case .gone: break
    case .replaying:
      if let replay = entry.replay(of: Element.self) { swap(&leftOver, &replay.pending.items) }
      replays.end(entry)
      entry.status = .gone
    case .arriving, .live: members.remove(entry, isDelivering: queue.isDelivering, &dropped)
    }
  }

  /// Moves the members, the buffer and the terminal event out, unless events wait. In that case the thread that delivers them calls this
  /// again.
  @inlinable
  mutating func releaseAll(
    _ members: inout [Subscriber<Element>?], _ buffer: inout ReplayBuffer<Element>, _ terminal: inout Event<Element>?
  ) {
    isReleased = true
    if !queue.isIdle { return }
    releaseAll(&members)
    swap(&buffer, &replays.buffer)
    swap(&terminal, &self.terminal)
  }

  /// Moves the members out.
  @inlinable
  mutating func releaseAll(_ members: inout [Subscriber<Element>?]) {
    self.members.end(self.members.all)
    swap(&members, &self.members.all)
  }
}
