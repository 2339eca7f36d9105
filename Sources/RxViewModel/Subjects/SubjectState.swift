/// The state of a subject: its members, the replays to new subscribers, the waiting events, and its terminal event.
///
/// The ``SubjectHost`` guards this value with its lock. No method runs user code or releases objects that may be the user's: it moves them
/// out for the caller to release.
@usableFromInline
struct SubjectState<Element: Sendable> {
  @usableFromInline var members = Members<Element>()
  /// The elements for new subscribers.
  @usableFromInline var buffer: ReplayBuffer<Element>
  /// The new subscribers that are receiving the buffer, usually at most one, and the events that each of them then gets.
  @usableFromInline var receivers: [(entry: SubjectEntry, pending: Queue<Event<Element>>)] = []
  /// The thread that delivers. It has taken the members out.
  @usableFromInline var deliverer: ThreadID?
  /// The accepted events that wait for the thread that delivers.
  @usableFromInline var waiting = Queue<Event<Element>>()
  /// The numbers of the events accepted and delivered last.
  @usableFromInline var accepted: UInt64 = 0
  @usableFromInline var delivered: UInt64 = 0
  /// Set when the terminal event is accepted, or when the subject is released.
  @usableFromInline var terminal: Event<Element>?
  @usableFromInline let replaysAfterEnd: Bool
  /// Whether a new subscriber only gets a completion, although the current subscribers have not received theirs yet.
  @usableFromInline var isClosed = false
  @usableFromInline var updaters = Updaters<Event<Element>>()

  @usableFromInline
  enum SubscribeOutcome {
    case live
    /// The first element of the buffer, and their number.
    case replay(Element, count: Int)
    case ended([Element], Event<Element>)
  }

  @inlinable
  init(_ buffer: ReplayBuffer<Element>, replaysAfterEnd: Bool = false) {
    self.buffer = buffer
    self.replaysAfterEnd = replaysAfterEnd
  }

  @inlinable
  var hasObservers: Bool { members.count > 0 || !receivers.isEmpty }

  /// Accepts an event. Returns true if the caller delivers it, and then calls ``next(_:_:)`` until that returns nil. Otherwise there is
  /// no subscriber, or the event waits for the thread that delivers, or the subject has ended.
  @inline(__always)
  @inlinable
  mutating func accept(_ event: borrowing Event<Element>, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if terminal != nil { return false }
    if !updaters.isEmpty, !event.isTerminal, updaters.holds(copy event) { return false }
    return take(event, &delivery)
  }

  /// Accepts an event that waits for no update. Precondition: the subject has not ended.
  @inline(__always)
  @inlinable
  mutating func take(_ event: borrowing Event<Element>, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    accepted += 1
    if event.isTerminal {
      terminal = copy event
    } else if buffer.capacity > 0 {
      buffer.append(event, displaced: &delivery.displaced)
    }
    if deliverer != nil {
      waiting.append(copy event)
      return false
    }
    startDelivery(of: event, &delivery)
    return takeMembers(&delivery)
  }

  /// Accepts the events up to the terminal one. Returns the event that the caller delivers.
  @inlinable
  mutating func take(
    _ events: [Event<Element>], _ delivery: inout SubjectDelivery<Element>, _ displaced: inout [Element?]
  ) -> Event<Element>? {
    var first: Event<Element>?
    for event in events where terminal == nil {
      displaced.append(delivery.displaced.take())
      if take(event, &delivery) { first = event }
    }
    return first
  }

  /// Makes this thread the one that delivers, if there are members.
  @inline(__always)
  @inlinable
  mutating func takeMembers(_ delivery: inout SubjectDelivery<Element>) -> Bool {
    if members.all.isEmpty { return false }
    deliverer = .current
    swap(&delivery.members, &members.all)
    return true
  }

  @inline(__always)
  @inlinable
  mutating func startDelivery(of event: borrowing Event<Element>, _ delivery: inout SubjectDelivery<Element>) {
    delivered += 1
    if !receivers.isEmpty {
      for index in receivers.indices where receivers[index].entry.since < delivered {
        receivers[index].pending.append(copy event)
      }
    }
    delivery.number = delivered
    delivery.isForAll = members.lastSince < delivered
    delivery.isTerminal = event.isTerminal
  }

  /// Ends the delivery of an event. Returns the next one, or moves the members back into this state.
  @inlinable
  mutating func next(
    _ delivery: inout SubjectDelivery<Element>, _ dropped: inout [Subscriber<Element>?]
  ) -> Event<Element>? {
    if !delivery.isTerminal {
      members.settle(&delivery, &dropped)
      // Asked first, because an empty `popFirst()` costs more.
      if !waiting.isEmpty, let event = waiting.popFirst() {
        startDelivery(of: event, &delivery)
        return event
      }
    }
    deliverer = nil
    // The caller releases the members of a subject that has ended or has been released.
    if terminal != nil {
      members.end(delivery.members)
    } else {
      swap(&delivery.members, &members.all)
    }
    return nil
  }

  @inlinable
  mutating func subscribe(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> SubscribeOutcome {
    if isClosed || terminal != nil {
      entry.status = .gone
      return isClosed ? .ended([], .completed) : .ended(replaysAfterEnd ? buffer.elements : [], terminal!)
    }
    entry.since = accepted
    guard let first = buffer.first else {
      members.add(Subscriber(sink: sink, entry: entry), isDelivering: deliverer != nil)
      return .live
    }
    entry.status = .replaying
    receivers.append((entry, Queue()))
    if buffer.capacity > 1 {
      for element in buffer.elements.dropFirst() { receivers[receivers.count - 1].pending.append(.next(element)) }
    }
    return .replay(first, count: buffer.count)
  }

  /// Takes the next event of a replay. Returns nil once the subscriber has become a member or has been disposed.
  @inlinable
  mutating func nextReplayed(to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> Event<Element>? {
    guard let index = receivers.firstIndex(where: { $0.entry === entry }) else { return nil }
    if let event = receivers[index].pending.popFirst() { return event }
    receivers.remove(at: index)
    // The thread that delivers the last events of a released subject then releases all subscribers.
    if terminal != nil, deliverer == nil {
      entry.status = .gone
    } else {
      entry.since = max(entry.since, delivered)
      members.add(Subscriber(sink: sink, entry: entry), isDelivering: deliverer != nil)
    }
    return nil
  }

  @inlinable
  mutating func dispose(
    _ entry: SubjectEntry, _ dropped: inout Subscriber<Element>?, _ leftOver: inout Queue<Event<Element>>
  ) {
    // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
    if let deliverer, deliverer.isCurrent { entry.isCutOff = true }
    switch entry.status {
    case .gone: break
    case .replaying:
      leftOver = receivers.remove(at: receivers.firstIndex { $0.entry === entry }!).pending
      entry.status = .gone
    case .arriving, .live: members.remove(entry, isDelivering: deliverer != nil, &dropped)
    }
  }

  /// Moves the members, the buffer and the terminal event out. The thread that is delivering releases its members itself.
  @inlinable
  mutating func releaseAll(
    _ members: inout [Subscriber<Element>?], _ buffer: inout ReplayBuffer<Element>, _ terminal: inout Event<Element>?
  ) {
    swap(&terminal, &self.terminal)
    swap(&buffer, &self.buffer)
    releaseAll(&members)
  }

  /// Moves the members out.
  @inlinable
  mutating func releaseAll(_ members: inout [Subscriber<Element>?]) {
    terminal = .completed
    if deliverer != nil { return }
    self.members.end(self.members.all)
    swap(&members, &self.members.all)
  }
}
