/// What a subject knows: its subscribers, the buffer that it replays, the events that wait, and its end.
///
/// A value that the ``SubjectHost`` guards with its lock. No method runs code of the user's or drops what may be the user's: it
/// hands that to the caller.
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
  /// The largest `since` of the subscribers: an event after it is for all of them.
  @usableFromInline var newest: UInt64 = 0
  @usableFromInline var population: Int32 = 0
  /// Places in `subscribers` and `arrivals` given up.
  @usableFromInline var vacant: Int32 = 0
  @usableFromInline var terminal: Event<Element>?
  @usableFromInline let replaysAfterEnd: Bool
  /// A new subscriber gets the completion only. The present subscribers have yet to get theirs.
  @usableFromInline var isSealed = false
  /// The subject has gone: nothing can send or subscribe any more.
  @usableFromInline var isReleased = false

  @usableFromInline
  enum Admission {
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

  /// Accepts the element that has just become the current one of `latest`, as ``accept(_:_:)`` does with an event, where no delivery
  /// is going on. True if the caller delivers it and then calls `finish`.
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

  /// Ends the delivery of an event: takes the subscribers back, or gives the next event for them.
  @inlinable
  mutating func finish(
    _ delivery: inout Delivery<Element>, next event: inout Event<Element>?, dropped: inout [Subscriber<Element>?]
  ) -> DeliveryQueue<Event<Element>>.Next {
    if delivery.isTerminal {
      for subscriber in delivery.subscribers { subscriber?.entry.status = .gone }
      population = Int32(replaying.all.count)
      vacant = 0
      queue.stop()
      return .stop
    }
    if !delivery.leaving.isEmpty {
      for entry in delivery.leaving where entry.status == .live { giveUp(entry) }
      delivery.leaving = []
    }
    if vacant > 0 || !arrivals.isEmpty { settle(&delivery.subscribers, &dropped) }
    let next = queue.next()
    if case .deliver = next {
      event = queue.takeNext()
      begin(event!, &delivery)
    } else {
      swap(&delivery.subscribers, &subscribers)
    }
    return next
  }

  /// Goes on with a delivery that another thread has handed over. False if that has been done.
  @inlinable
  mutating func resume(_ delivery: inout Delivery<Element>) -> Bool {
    guard queue.resume() else { return false }
    swap(&delivery.subscribers, &subscribers)
    return true
  }

  @inlinable
  mutating func giveUp(_ entry: SubjectEntry) {
    entry.status = .gone
    population -= 1
    vacant += 1
  }

  /// Closes the gaps and adds the arrivals. O(subscribers), after a delivery that was that too.
  @inlinable
  mutating func settle(_ all: inout [Subscriber<Element>?], _ dropped: inout [Subscriber<Element>?]) {
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
    vacant = 0
  }

  @inlinable
  mutating func subscribe(
    _ sink: @escaping Observable<Element>.Sink, _ entry: SubjectEntry
  ) -> Admission {
    if isSealed { return .ended([], .completed) }
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

  /// Takes a subscriber out of the list of those to which the buffer is being delivered. O(those).
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

  /// What a replay delivers next; `.stop` once the subscriber has joined the others, or is gone.
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
    if isReleased {
      entry.status = .gone
    } else {
      entry.since = max(entry.since, delivered)
      add(sink, entry)
    }
    return .stop
  }

  /// Goes on with a replay that the subscribing thread has handed over. False if the subscriber is gone.
  @inlinable
  mutating func resumeReplay(_ entry: SubjectEntry) -> Bool {
    entry.status == .replaying && entry.replay(of: Element.self)!.pending.resume()
  }

  @inlinable
  mutating func leave(_ entry: SubjectEntry, _ leftOver: inout Queue<Event<Element>>) {
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
      // Another thread may have disposed it, which does not keep this one from calling it.
      if queue.isDeliveredHere { entry.isCutOff = true }
    case .replaying:
      leave(entry, &leftOver)
    case .arriving:
      giveUp(entry)
      swap(&dropped, &arrivals[Int(entry.index)])
      while let last = arrivals.last, last == nil {
        arrivals.removeLast()
        vacant -= 1
      }
    case .live:
      giveUp(entry)
      if case .delivering = queue.status {
        if queue.isDeliveredHere { entry.isCutOff = true }
      } else {
        swap(&dropped, &subscribers[Int(entry.index)])
        if Int(entry.index) == subscribers.count - 1 {
          subscribers.removeLast()
          vacant -= 1
        } else if Int(vacant) * 2 > subscribers.count {
          compact()
        }
      }
    }
  }

  /// Closes the gaps. O(subscribers), once for as many given up.
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
    vacant = 0
  }

  /// Moves the subscribers, the buffer and the end out, unless events wait for their delivery: the thread that delivers
  /// them calls this again.
  @inlinable
  mutating func empty(
    _ subscribers: inout [Subscriber<Element>?], _ buffer: inout ReplayBuffer<Element>,
    _ terminal: inout Event<Element>?
  ) {
    isReleased = true
    if !queue.isIdle { return }
    empty(&subscribers)
    swap(&buffer, &self.buffer)
    swap(&terminal, &self.terminal)
  }

  /// Moves the subscribers out.
  @inlinable
  mutating func empty(_ subscribers: inout [Subscriber<Element>?]) {
    for subscriber in self.subscribers { subscriber?.entry.status = .gone }
    swap(&subscribers, &self.subscribers)
  }
}
