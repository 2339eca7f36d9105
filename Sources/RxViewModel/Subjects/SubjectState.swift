/// The state of a subject: its subscribers, the replays to new ones, the waiting events, and its terminal event.
///
/// The sending thread *accepts* an event under the lock: from then on the event is in the buffer, and a new subscriber gets it by replay or
/// not at all. The one thread that found the queue idle *delivers* the events, in the order of acceptance. A subscriber gets the events
/// accepted after it subscribed. So a replay is atomic (contract 1.5), also while events wait for delivery.
///
/// The ``SubjectHost`` guards this value with its lock. No method runs user code or releases objects that may be the user's: it moves them
/// out for the caller to release.
@usableFromInline
struct SubjectState<Element: Sendable> {
  @usableFromInline var members = Bag<Subscriber<Element>>()
  /// The last elements, at most `size` of them, for new subscribers.
  @usableFromInline var buffer = Queue<Element>()
  @usableFromInline let size: Int
  @usableFromInline let replaysAfterEnd: Bool
  /// The new subscribers that are receiving the buffer, usually at most one, with their threads, and the events that each of them still
  /// gets.
  @usableFromInline var receivers: [(entry: SubjectEntry, thread: ThreadID, pending: Queue<Event<Element>>)] = []
  /// The thread that delivers.
  @usableFromInline var deliverer: ThreadID?
  /// The accepted events that wait for the thread that delivers.
  @usableFromInline var waiting = Queue<Event<Element>>()
  /// The numbers of the events accepted and delivered last.
  @usableFromInline var accepted: UInt64 = 0
  @usableFromInline var delivered: UInt64 = 0
  /// Set when the terminal event is accepted, or when the subject is released.
  @usableFromInline var terminal: Event<Element>?
  /// Whether a new subscriber only gets a completion, although the current subscribers have not received theirs yet.
  @usableFromInline var isClosed = false
  /// The threads that run the body of an update.
  @usableFromInline var updaters: [ThreadID] = []

  @inlinable
  init(size: Int = 0, _ element: Element? = nil, replaysAfterEnd: Bool = false) {
    (self.size, self.replaysAfterEnd) = (size, replaysAfterEnd)
    if let element { buffer.append(element) }
  }

  /// Whether the calling thread is inside a callback of a subscriber.
  var isDeliveringHere: Bool { deliverer?.isCurrent ?? false || receivers.contains { $0.thread.isCurrent } }

  @inlinable
  var hasObservers: Bool { !members.isEmpty || !receivers.isEmpty }

  /// Accepts an event. Returns whether the caller delivers it, and then calls ``next(_:)`` until that returns nil. Otherwise there is no
  /// subscriber, or the event waits for the thread that delivers, or the subject has ended.
  @inline(__always)
  @inlinable
  mutating func accept(_ event: Event<Element>, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if terminal != nil { return false }
    if !updaters.isEmpty { requireNoUpdateHere() }
    accepted += 1
    if case .next(let element) = event {
      if size > 0 { delivery.displaced = store(element) }
    } else {
      terminal = event
    }
    if deliverer != nil {
      waiting.append(event)
      return false
    }
    begin(event, &delivery)
    if delivery.members.isEmpty { return false }
    deliverer = .current
    return true
  }

  /// Returns the element that leaves the buffer.
  @inline(__always)
  @inlinable
  mutating func store(_ element: Element) -> Element? {
    if buffer.count < size {
      buffer.append(element)
      return nil
    }
    if size > 1 { buffer.append(element) } else { return buffer.replaceFirst(by: element) }
    return buffer.popFirst()
  }

  @inline(__always)
  @inlinable
  mutating func begin(_ event: Event<Element>, _ delivery: inout SubjectDelivery<Element>) {
    delivered += 1
    if !receivers.isEmpty {
      for index in receivers.indices where receivers[index].entry.since < delivered {
        receivers[index].pending.append(event)
      }
    }
    delivery.number = delivered
    delivery.members = members.values
    if event.isTerminal { members = Bag() }
  }

  /// Ends the delivery of an event. Returns the next one. Precondition: the delivery has no members any more.
  @inlinable
  mutating func next(_ delivery: inout SubjectDelivery<Element>) -> Event<Element>? {
    // Asked first, because an empty `popFirst()` costs more.
    if !waiting.isEmpty, let event = waiting.popFirst() {
      begin(event, &delivery)
      return event
    }
    deliverer = nil
    if terminal != nil {
      delivery.members = members.values
      members = Bag()
    }
    return nil
  }

  /// Returns whether the subscriber replays: whether the caller calls ``nextReplayed(to:_:)`` until that returns nil.
  @inlinable
  mutating func subscribe(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> Bool {
    let terminal = isClosed ? .completed : terminal
    entry.since = accepted
    if terminal == nil, buffer.isEmpty {
      entry.key = members.insert(Subscriber(sink, entry))
      return false
    }
    var pending = Queue<Event<Element>>()
    if terminal == nil || replaysAfterEnd && !isClosed {
      for index in buffer.indices { pending.append(.next(buffer[index])) }
    }
    if let terminal { pending.append(terminal) }
    receivers.append((entry, .current, pending))
    return true
  }

  /// Takes the next event of a replay. Returns nil once the subscriber has become a member or has been disposed.
  @inlinable
  mutating func nextReplayed(to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) -> Event<Element>? {
    guard let index = receivers.firstIndex(where: { $0.entry === entry }) else { return nil }
    if let event = receivers[index].pending.popFirst() { return event }
    receivers.remove(at: index)
    // The thread that delivers the last events of a released subject then releases all subscribers.
    if terminal == nil || deliverer != nil {
      entry.since = max(entry.since, delivered)
      entry.key = members.insert(Subscriber(sink, entry))
    }
    return nil
  }

  @inlinable
  mutating func dispose(
    _ entry: SubjectEntry, _ dropped: inout Subscriber<Element>?, _ leftOver: inout Queue<Event<Element>>
  ) {
    // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
    if let deliverer, deliverer.isCurrent { entry.since = .max }
    if entry.key > 0 {
      dropped = members.remove(entry.key)
      entry.key = 0
    } else if let index = receivers.firstIndex(where: { $0.entry === entry }) {
      leftOver = receivers.remove(at: index).pending
    }
  }

  /// Called when no thread can send or subscribe any more. Returns what the caller releases. A thread that is delivering goes on until no
  /// event waits.
  @inlinable
  mutating func end() -> SubjectState? {
    var rest: SubjectState? = deliverer == nil ? SubjectState() : nil
    if rest != nil { swap(&rest!, &self) }
    if terminal == nil { terminal = .completed }
    return rest
  }

  /// Returns the number of the last event.
  @inlinable
  mutating func beginUpdate() -> UInt64 {
    updaters.append(.current)
    return accepted
  }

  @inlinable
  mutating func endUpdate() {
    updaters.remove(at: updaters.lastIndex(of: .current)!)
  }

  @usableFromInline
  func requireNoUpdateHere() {
    require(
      !updaters.contains(.current), "update: the body writes the value that it changes; it must only change its argument")
  }
}

/// The delivery of one event.
@usableFromInline
struct SubjectDelivery<Element: Sendable> {
  /// The members at the beginning of the delivery. A subscribe or a dispose during it copies the list.
  @usableFromInline var members: [Subscriber<Element>?] = []
  @usableFromInline var number: UInt64 = 0
  /// The element that a new one has displaced from the buffer. The caller releases it outside the lock.
  @usableFromInline var displaced: Element?

  @inlinable
  init() {}

  /// Sends the event to the members that have subscribed before it was accepted, and removes those that want no more.
  @inline(__always)
  @inlinable
  mutating func send(_ event: Event<Element>) {
    for index in members.indices where members[index]?.isWaiting(for: number) ?? false {
      if members[index]!.sink(event) == .noMore { members[index]!.entry.dispose() }
    }
    members = []
  }
}

/// A subscriber of a subject.
@usableFromInline
struct Subscriber<Element: Sendable> {
  @usableFromInline let sink: Observable<Element>.Sink
  @usableFromInline let entry: SubjectEntry
  /// For reading: retaining the entry would cost a third of a delivery.
  @usableFromInline let unretainedEntry: Unmanaged<SubjectEntry>

  @inlinable
  init(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    (self.sink, self.entry, unretainedEntry) = (sink, entry, .passUnretained(entry))
  }

  @inline(__always)
  @inlinable
  func isWaiting(for number: UInt64) -> Bool {
    unretainedEntry._withUnsafeGuaranteedRef { $0.since < number }
  }
}

/// A subscriber's place in a subject. Disposing it removes the subscriber. It does not retain the sink, which retains the scope that holds
/// this.
///
/// It is not generic, and disposes through a function that captures nothing. The caller makes that function where the types are known, so
/// it is specialized. A generic method that is called through `any Disposable` would not be.
@usableFromInline
final class SubjectEntry: Disposable, @unchecked Sendable {  // Sendable: the host's lock guards the variables.
  /// The ``SubjectHost``. A subject empties it at its release, so that this entry keeps no object of the user's alive.
  @usableFromInline let host: AnyObject
  @usableFromInline let remove: @Sendable (SubjectEntry) -> Void
  /// The number of the last event that is not for this subscriber. The largest number once the delivering thread has disposed it.
  @exclusivity(unchecked) @usableFromInline var since: UInt64 = 0
  /// The key among the members. 0 during the replay, and after the end.
  @exclusivity(unchecked) @usableFromInline var key: UInt64 = 0

  @inlinable
  init(host: AnyObject, remove: @escaping @Sendable (SubjectEntry) -> Void) {
    (self.host, self.remove) = (host, remove)
  }

  @usableFromInline
  func dispose() {
    remove(self)
  }
}
