/// The state of a subject: its subscribers, the buffer that it replays, the waiting events, and its terminal event.
///
/// The ``SubjectHost`` guards this value with its lock. No method runs user code or releases objects that may be the user's: it moves them
/// out for the caller to release.
@usableFromInline
struct SubjectState<Element: Sendable> {
  @usableFromInline var subscribers: [Subscriber<Element>?] = []
  /// The subscribers that have subscribed during a delivery.
  @usableFromInline var arrivals: [Subscriber<Element>?] = []
  /// The subscribers to which the buffer is being delivered.
  @usableFromInline var replaying = ReplayingEntries.none
  @usableFromInline var queue = DeliveryQueue<Event<Element>>()
  @usableFromInline var buffer: ReplayBuffer<Element>
  @usableFromInline var accepted: UInt64 = 0
  @usableFromInline var delivered: UInt64 = 0
  /// The largest `since` of the subscribers. All subscribers get each event after it.
  @usableFromInline var newest: UInt64 = 0
  @usableFromInline var population: Int32 = 0
  /// The number of empty places in `subscribers` and `arrivals`.
  @usableFromInline var gaps: Int32 = 0
  @usableFromInline var terminal: Event<Element>?
  @usableFromInline let replaysAfterEnd: Bool
  /// Whether a new subscriber only gets a completion, although the current subscribers have not received theirs yet.
  @usableFromInline var isClosed = false
  /// Whether the subject has been released, so that no thread can send or subscribe any more.
  @usableFromInline var isReleased = false

  @usableFromInline
  enum SubscribeOutcome {
    case live
    case replay(Element)
    case ended([Element], Event<Element>)
  }

  @inlinable
  init(_ buffer: ReplayBuffer<Element>, replaysAfterEnd: Bool = false) {
    self.buffer = buffer
    self.replaysAfterEnd = replaysAfterEnd
  }

  @inlinable
  var hasObservers: Bool { population > 0 }

  /// `.deliver` if the caller delivers the event and then calls `finish`; `.takeOver` if it calls `finish` at once.
  @inline(__always)
  @inlinable
  mutating func accept(
    _ event: borrowing Event<Element>, _ delivery: inout Delivery<Element>
  ) -> DeliveryQueue<Event<Element>>.Acceptance {
    if terminal != nil { return .queued }
    accepted += 1
    if event.isTerminal {
      terminal = copy event
    } else if buffer.capacity > 0 {
      buffer.append(event, displaced: &delivery.displaced)
    }
    let acceptance = queue.accept(event)
    switch acceptance {
    case .queued:
      break
    case .takeOver:
      swap(&delivery.subscribers, &subscribers)
    case .deliver:
      begin(event, &delivery)
      if subscribers.isEmpty {
        queue.stop()
        return .queued
      }
      swap(&delivery.subscribers, &subscribers)
    }
    return acceptance
  }

  /// Accepts the element that has just become the current one of `latest`, as ``accept(_:_:)`` does with an event. Precondition: no
  /// delivery is running. Returns true if the caller must deliver the element and then call `finish`.
  @inline(__always)
  @inlinable
  mutating func acceptLatest(_ latest: LatestElement<Element>, _ delivery: inout Delivery<Element>) -> Bool {
    if terminal != nil { return false }
    accepted += 1
    delivered += 1
    if !replaying.isEmpty { addToReplays(.next(latest.current.pointee)) }
    delivery.begin(delivered, isForAll: newest < delivered, isTerminal: false)
    if subscribers.isEmpty { return false }
    queue.begin()
    swap(&delivery.subscribers, &subscribers)
    return true
  }

  @inline(__always)
  @inlinable
  mutating func begin(_ event: borrowing Event<Element>, _ delivery: inout Delivery<Element>) {
    delivered += 1
    if !replaying.isEmpty { addToReplays(event) }
    delivery.begin(delivered, isForAll: newest < delivered, isTerminal: event.isTerminal)
  }

  @inlinable
  mutating func addToReplays(_ event: borrowing Event<Element>) {
    for entry in replaying.all where entry.since < delivered { entry.append(copy event) }
  }

  /// Ends the delivery of an event: moves the subscribers back into this state, or returns the next event for them.
  @inlinable
  mutating func finish(
    _ delivery: inout Delivery<Element>, next event: inout Event<Element>?, dropped: inout [Subscriber<Element>?]
  ) -> DeliveryQueue<Event<Element>>.Next {
    if delivery.isTerminal {
      for subscriber in delivery.subscribers { subscriber?.entry.status = .gone }
      population = Int32(replaying.all.count)
      gaps = 0
      queue.stop()
      return .stop
    }
    if !delivery.leaving.isEmpty {
      for entry in delivery.leaving where entry.status == .live { markGone(entry) }
      delivery.leaving = []
    }
    if gaps > 0 || !arrivals.isEmpty { mergeArrivals(&delivery.subscribers, &dropped) }
    let next = queue.next()
    if case .deliver = next {
      event = queue.takeNext()
      begin(event!, &delivery)
    } else {
      swap(&delivery.subscribers, &subscribers)
    }
    return next
  }

  /// Continues a delivery that another thread has handed over. Returns false if a thread has continued it already.
  @inlinable
  mutating func resume(_ delivery: inout Delivery<Element>) -> Bool {
    guard queue.resume() else { return false }
    swap(&delivery.subscribers, &subscribers)
    return true
  }

  @inlinable
  mutating func markGone(_ entry: SubjectEntry) {
    entry.status = .gone
    population -= 1
    gaps += 1
  }

  /// Removes empty places and adds the arrivals. O(subscribers), like the delivery before it.
  @inlinable
  mutating func mergeArrivals(_ all: inout [Subscriber<Element>?], _ dropped: inout [Subscriber<Element>?]) {
    for subscriber in arrivals { subscriber?.entry.status = .live }
    all += arrivals
    arrivals = []
    var kept = 0
    for index in all.indices {
      guard let entry = all[index]?.entry, entry.status == .live else { continue }
      entry.index = Int32(kept)
      all.swapAt(kept, index)
      kept += 1
    }
    dropped = Array(all[kept...])
    all.removeLast(all.count - kept)
    gaps = 0
  }

  @inlinable
  mutating func subscribe(
    _ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry
  ) -> SubscribeOutcome {
    if isClosed { return .ended([], .completed) }
    if let terminal { return .ended(replaysAfterEnd ? buffer.elements : [], terminal) }
    population += 1
    entry.since = accepted
    if buffer.isEmpty {
      add(sink, entry)
      return .live
    }
    entry.status = .replaying
    replaying.insert(entry)
    if buffer.latest == nil {
      let replay = Replay<Element>(entry)
      for element in buffer.elements.dropFirst() { replay.pending.items.append(.next(element)) }
      entry.replay = replay
    }
    return .replay(buffer.first)
  }

  /// Removes a subscriber from the list of those that are receiving the buffer. O(length of that list).
  @inlinable
  mutating func endReplay(_ entry: SubjectEntry) {
    replaying.remove(entry)
    entry.replay = nil
  }

  @inlinable
  mutating func add(_ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry) {
    let subscriber = Subscriber(sink: sink, entry: entry)
    newest = max(newest, entry.since)
    if case .delivering = queue.status {
      entry.status = .arriving
      entry.index = Int32(arrivals.count)
      arrivals.append(subscriber)
    } else {
      entry.status = .live
      entry.index = Int32(subscribers.count)
      subscribers.append(subscriber)
    }
  }

  /// Returns the next event of a replay, or `.stop` once the subscriber has joined the others or has been disposed.
  @inlinable
  mutating func nextReplayed(
    to sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry, _ event: inout Event<Element>?
  ) -> DeliveryQueue<Event<Element>>.Next {
    if entry.status != .replaying { return .stop }
    if let replay = entry.replay(of: Element.self) {
      let next = replay.pending.next()
      if case .deliver = next { event = replay.pending.takeNext() }
      guard case .stop = next else { return next }
    }
    endReplay(entry)
    // A released subject still delivers the events that wait. The thread that delivers them then releases all subscribers.
    if isReleased, queue.isIdle {
      entry.status = .gone
    } else {
      entry.since = max(entry.since, delivered)
      add(sink, entry)
    }
    return .stop
  }

  /// Continues a replay that the subscribing thread has handed over. Returns false if the subscriber has been disposed.
  @inlinable
  mutating func resumeReplay(_ entry: SubjectEntry) -> Bool {
    entry.status == .replaying && entry.replay(of: Element.self)!.pending.resume()
  }

  @inlinable
  mutating func cancelReplay(_ entry: SubjectEntry, _ leftOver: inout Queue<Event<Element>>) {
    if entry.status != .replaying { return }
    if let replay = entry.replay(of: Element.self) { swap(&leftOver, &replay.pending.items) }
    endReplay(entry)
    entry.status = .gone
    population -= 1
  }

  @inlinable
  mutating func dispose(
    _ entry: SubjectEntry, _ dropped: inout Subscriber<Element>?, _ leftOver: inout Queue<Event<Element>>
  ) {
    switch entry.status {
    case .gone:
      // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
      if queue.isDeliveredHere { entry.isCutOff = true }
    case .replaying:
      cancelReplay(entry, &leftOver)
    case .arriving:
      markGone(entry)
      swap(&dropped, &arrivals[Int(entry.index)])
      while let last = arrivals.last, last == nil {
        arrivals.removeLast()
        gaps -= 1
      }
    case .live:
      markGone(entry)
      if case .delivering = queue.status {
        if queue.isDeliveredHere { entry.isCutOff = true }
      } else {
        swap(&dropped, &subscribers[Int(entry.index)])
        if Int(entry.index) == subscribers.count - 1 {
          subscribers.removeLast()
          gaps -= 1
        } else if Int(gaps) * 2 > subscribers.count {
          compact()
        }
      }
    }
  }

  /// Removes empty places. O(subscribers), amortized over as many disposed subscribers.
  @inlinable
  mutating func compact() {
    var kept = 0
    for index in subscribers.indices {
      guard let entry = subscribers[index]?.entry else { continue }
      entry.index = Int32(kept)
      subscribers.swapAt(kept, index)
      kept += 1
    }
    subscribers.removeLast(subscribers.count - kept)
    gaps = 0
  }

  /// Moves the subscribers, the buffer and the terminal event out, unless events wait. In that case the thread that delivers them calls
  /// this again.
  @inlinable
  mutating func releaseAll(
    _ subscribers: inout [Subscriber<Element>?], _ buffer: inout ReplayBuffer<Element>,
    _ terminal: inout Event<Element>?
  ) {
    isReleased = true
    if !queue.isIdle { return }
    releaseAll(&subscribers)
    swap(&buffer, &self.buffer)
    swap(&terminal, &self.terminal)
  }

  /// Moves the subscribers out.
  @inlinable
  mutating func releaseAll(_ subscribers: inout [Subscriber<Element>?]) {
    for subscriber in self.subscribers { subscriber?.entry.status = .gone }
    swap(&subscribers, &self.subscribers)
  }
}
