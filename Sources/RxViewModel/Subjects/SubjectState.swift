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
  /// The subscribers whose replay is over, in the order in which they get each event.
  @usableFromInline var members = Bag<Subscriber<Element>>()
  /// The last elements, at most `size` of them, for new subscribers.
  @usableFromInline var buffer = Queue<Element>()
  @usableFromInline let size: Int
  @usableFromInline let replaysAfterEnd: Bool
  /// The new subscribers whose replay is not over, usually at most one.
  @usableFromInline var replays: [SubjectReplay<Element>] = []
  /// The thread that delivers. Nil while none does.
  @usableFromInline var deliverer: ThreadID?
  /// The accepted events that wait for the thread that delivers.
  @usableFromInline var waiting = Queue<Event<Element>>()
  /// The numbers of the event accepted last, and of the one whose delivery has begun last.
  @usableFromInline var accepted: UInt64 = 0
  @usableFromInline var delivered: UInt64 = 0
  /// Set when the terminal event is accepted, or when the subject is released.
  @usableFromInline var isOver = false
  /// The error of the terminal event. Nil before the end, and for a completion.
  @usableFromInline var error: (any Error)?
  /// Whether a new subscriber only gets a completion, although the current subscribers have not received theirs yet. Set when a view model
  /// is cleared or released.
  @usableFromInline var isClosed = false
  /// The threads that run the body of an update.
  @usableFromInline var updaters: [ThreadID] = []

  @inlinable
  init(size: Int = 0, _ element: Element? = nil, replaysAfterEnd: Bool = false) {
    (self.size, self.replaysAfterEnd) = (size, replaysAfterEnd)
    if let element { buffer.append(element) }
  }

  /// Whether the calling thread is inside a callback of a subscriber.
  var isDeliveringHere: Bool {
    deliverer?.isCurrent ?? false || replays.contains { $0.thread.isCurrent && !$0.isOffered }
  }

  @inlinable
  var hasObservers: Bool { !isOver && !(members.isEmpty && replays.isEmpty) }

  // MARK: Sending

  /// Accepts an element. Returns whether the caller delivers it, and then calls ``next(_:)`` until that returns nil. Otherwise there is no
  /// subscriber, or the element waits for the thread that delivers, or the subject has ended.
  ///
  /// Precondition: `delivery` is empty, because what it held would be released under the lock.
  @inline(__always)
  @inlinable
  mutating func accept(_ element: Element, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if isOver { return false }
    accepted += 1
    if size > 0 { delivery.displaced = store(element) }
    if deliverer != nil {
      waiting.append(.next(element))
      return false
    }
    delivered += 1
    if !replays.isEmpty { addToReplays(.next(element)) }
    if members.isEmpty, !replays.contains(where: { $0.isOffered }) { return false }
    deliverer = .current
    (delivery.members, delivery.number) = (members.values, delivered)
    return true
  }

  /// Stores an element in the buffer. Returns the one that leaves it. Precondition: `size` is not 0.
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

  /// Accepts the terminal event. Returns whether the caller delivers what waits.
  @inlinable
  mutating func acceptEnd(_ error: (any Error)?) -> Bool {
    if isOver { return false }
    accepted += 1
    (isOver, self.error) = (true, error)
    waiting.append(Event(end: error))
    if deliverer != nil { return false }
    deliverer = .current
    return true
  }

  /// Ends the delivery of an event. Returns the next event, with its subscribers in `delivery`. If there is none, no thread delivers from
  /// now on, and after the terminal event, `delivery` has the members, for the caller to release.
  ///
  /// Precondition: `delivery` has no members, because they would be released under the lock.
  @inlinable
  mutating func next(_ delivery: inout SubjectDelivery<Element>) -> Event<Element>? {
    while !replays.isEmpty, let index = replays.firstIndex(where: { $0.isOffered }) {
      if let event = replays[index].pending.popFirst() {
        (delivery.members, delivery.number) = ([replays[index].subscriber], delivered)
        return event
      }
      becomeMember(index)
    }
    // Asked first, because an empty `popFirst()` costs more.
    if !waiting.isEmpty, let event = waiting.popFirst() {
      delivered += 1
      if !replays.isEmpty { addToReplays(event) }
      (delivery.members, delivery.number) = (members.values, delivered)
      return event
    }
    deliverer = nil
    if isOver {
      delivery.members = members.values
      members = Bag()
    }
    return nil
  }

  /// Adds an event, whose delivery to the members begins, to the replays that get it.
  @inlinable
  mutating func addToReplays(_ event: Event<Element>) {
    for index in replays.indices where replays[index].subscriber.gets(delivered) {
      replays[index].pending.append(event)
      // The replaying thread waits for others only.
      if replays[index].thread.isCurrent { replays[index].leftBefore += 1 }
    }
  }

  // MARK: Subscribing

  /// Returns the first event that the caller replays, before those of ``nextReplayed(to:)``. If there is none, the subscriber is a member.
  @inlinable
  mutating func subscribe(_ subscriber: Subscriber<Element>) -> Event<Element>? {
    subscriber.entry.since = accepted
    let (ends, error) = (isOver || isClosed, isClosed ? nil : error)
    let buffered = size == 0 || ends && (isClosed || !replaysAfterEnd) ? 0 : buffer.count
    if !ends, buffered == 0 {
      subscriber.entry.key = members.insert(subscriber)
      return nil
    }
    // Offered only after the buffered elements, because a deliverer skips what was accepted before the subscription.
    var replay = SubjectReplay(subscriber, allowance: buffered + 1_024)
    for index in 0..<buffered where index > 0 { replay.pending.append(.next(buffer[index])) }
    if buffered > 0, ends { replay.pending.append(Event(end: error)) }
    replays.append(replay)
    return buffered > 0 ? .next(buffer[0]) : Event(end: error)
  }

  /// Takes the next event of a replay, for the subscribing thread. Returns nil when the subscriber is a member, has been disposed, or gets
  /// the rest from the thread that delivers.
  ///
  /// - Parameter offers: Set to whether the caller offers the replay after that event.
  @inlinable
  mutating func nextReplayed(to entry: SubjectEntry, _ offers: inout Bool) -> Event<Element>? {
    guard let index = index(of: entry) else { return nil }
    if replays[index].isOffered, deliverer != nil { return nil }
    if let event = replays[index].takeNext(&offers) { return event }
    becomeMember(index)
    return nil
  }

  /// Offers a replay to the thread that sends or delivers next, until the replaying thread asks for the next event.
  @inlinable
  mutating func offer(_ entry: SubjectEntry) {
    if let index = index(of: entry) { replays[index].isOffered = true }
  }

  /// Ends a replay. Precondition: no event is pending, and the caller delivers or retains the subscriber. Otherwise a subscriber of an
  /// ended subject, which doesn't become a member, would be released under the lock.
  @inlinable
  mutating func becomeMember(_ index: Int) {
    let subscriber = replays.remove(at: index).subscriber
    // The thread that delivers the last events of a released subject then releases all subscribers.
    if !isOver || deliverer != nil {
      subscriber.entry.since = max(subscriber.entry.since, delivered)
      subscriber.entry.key = members.insert(subscriber)
    }
  }

  /// Removes a subscriber. Returns it and moves its pending events out, for the caller to release.
  @inlinable
  mutating func dispose(_ entry: SubjectEntry, _ leftOver: inout Queue<Event<Element>>) -> Subscriber<Element>? {
    // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
    if let deliverer, deliverer.isCurrent { entry.since = .max }
    if entry.key > 0 {
      defer { entry.key = 0 }
      return members.remove(entry.key)
    }
    guard let index = index(of: entry) else { return nil }
    swap(&leftOver, &replays[index].pending)
    return replays.remove(at: index).subscriber
  }

  /// The place among the replays. Nil if the replay is over.
  @inlinable
  func index(of entry: SubjectEntry) -> Int? {
    replays.indices.first { replays[$0].subscriber.entry === entry }
  }

  /// Ends the subject without a terminal event, once no thread can begin to send or to subscribe. Returns what the caller releases. If a
  /// thread is delivering, returns nil: that thread goes on until no event waits, and then releases the subscribers.
  @inlinable
  mutating func releaseAll() -> SubjectState? {
    let rest = deliverer == nil ? self : nil
    if rest != nil { self = SubjectState() }
    isOver = true
    return rest
  }

  // MARK: Updating

  /// Returns the number of the event accepted last. The caller ends the update on this thread.
  @inlinable
  mutating func beginUpdate() -> UInt64 {
    updaters.append(.current)
    return accepted
  }

  @inlinable
  mutating func endUpdate() {
    updaters.remove(at: updaters.lastIndex(of: .current)!)
  }

  /// Called for a write of the user's, because a write in the body of an update would make the body run again and again.
  @inline(__always)
  @inlinable
  func requireNoUpdateHere() {
    if updaters.isEmpty { return }
    let complaint = "update: the body writes the value itself; change only the argument that it gets"
    require(!updaters.contains(.current), complaint)
  }
}

/// A new subscriber, and the events that it gets before it is a member: those of the buffer, and those that are accepted meanwhile.
///
/// Its own thread delivers them, until none is pending. After 1,024 events of other threads, and while more arrive, it *offers* the replay
/// before each further one, so that a flood does not keep it for ever (contract 1.10): a thread that sends or delivers then takes over.
///
/// **Who calls the subscriber.** One thread at a time: its own thread while `isOffered` is false, the deliverer while it is true. Only its
/// own thread changes `isOffered`, and only between two callbacks: `offer` sets it, and `takeNext` unsets it if there is no deliverer.
/// Before a deliverer stops, it takes every offered replay to its end, and makes the subscriber a member (see `next`). So without a
/// deliverer, no thread has taken the offer, and the own thread goes on. With one, which may be the own thread further up its stack, the
/// own thread leaves the rest of the replay to it.
///
/// **In which order.** Each event is appended to `pending` when it is delivered to the members, and removed from the front under the lock.
/// So the subscriber gets the events in the order of the members, from either thread, and becomes a member when none is pending.
///
/// **When it is offered.** If more events are pending than `leftBefore`, another thread has sent since the last one was removed, and can
/// take over. The events that the own thread sends count as left before, because there may be no other thread to deliver them.
@usableFromInline
struct SubjectReplay<Element: Sendable> {
  @usableFromInline let subscriber: Subscriber<Element>
  @usableFromInline let thread = ThreadID.current
  @usableFromInline var pending = Queue<Event<Element>>()
  /// The number of events that were pending after the last one had been taken, and of those that this thread has sent since.
  @usableFromInline var leftBefore = 0
  /// The number of events until the replay may be offered.
  @usableFromInline var allowance: Int
  /// Whether no thread is inside a callback of the subscriber, except the one that delivers.
  @usableFromInline var isOffered = false

  @inlinable
  init(_ subscriber: Subscriber<Element>, allowance: Int) {
    (self.subscriber, self.allowance) = (subscriber, allowance)
  }

  /// Takes the next event for the own thread, and takes back an offer. Sets `offers` to whether the thread offers the replay afterwards.
  @inlinable
  mutating func takeNext(_ offers: inout Bool) -> Event<Element>? {
    isOffered = false
    allowance -= 1
    offers = allowance <= 0 && pending.count > leftBefore
    let event = pending.popFirst()
    leftBefore = pending.count
    return event
  }
}

/// The delivery of an event, and then of those that arrive meanwhile. It has members only while an event is being sent.
@usableFromInline
struct SubjectDelivery<Element: Sendable> {
  /// The members at the beginning of the delivery. A subscribe or a dispose during it copies the list.
  @usableFromInline var members: [Subscriber<Element>?] = []
  /// The number of the event.
  @usableFromInline var number: UInt64 = 0
  /// The element that a new one has displaced from the buffer. The caller releases it outside the lock.
  @usableFromInline var displaced: Element?

  @inlinable
  init() {}

  /// Sends an element to those members that get it, and removes those that want no more.
  @inline(__always)
  @inlinable
  mutating func send(_ element: Element) {
    for index in members.indices where members[index]?.gets(number) ?? false {
      if members[index]!.sink.next(element) == .noMore { members[index]!.entry.dispose() }
    }
    members = []
  }

  @inlinable
  mutating func send(_ event: Event<Element>) {
    if case .next(let element) = event { return send(element) }
    for index in members.indices where members[index]?.gets(number) ?? false {
      _ = members[index]!.sink.on(event)
    }
    members = []
  }
}

/// A subscriber of a subject.
@usableFromInline
struct Subscriber<Element: Sendable> {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let entry: SubjectEntry
  /// For reading: retaining the entry would cost a third of a delivery.
  @usableFromInline let unretainedEntry: Unmanaged<SubjectEntry>

  @inlinable
  init(_ sink: Sink<Element>, _ entry: SubjectEntry) {
    (self.sink, self.entry, unretainedEntry) = (sink, entry, .passUnretained(entry))
  }

  /// Whether the event with this number is for the subscriber.
  @inline(__always)
  @inlinable
  func gets(_ number: UInt64) -> Bool {
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
  /// The key among the members. 0 during the replay, and after the dispose.
  @exclusivity(unchecked) @usableFromInline var key: UInt64 = 0

  @inlinable
  init(host: AnyObject, remove: @escaping @Sendable (SubjectEntry) -> Void) {
    (self.host, self.remove) = (host, remove)
  }

  @usableFromInline
  func dispose() { remove(self) }
}
