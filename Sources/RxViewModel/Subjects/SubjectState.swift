/// The state of a subject: its subscribers, the events that wait for delivery, and its terminal event.
///
/// The sending thread *accepts* an event under the lock: from then on the event is in the buffer, and a new subscriber gets it by replay or
/// not at all. The thread that found the mailbox idle *delivers* the events, in the order of acceptance, to the members at the beginning of
/// each delivery. A subscriber gets the events accepted after it subscribed. So a replay is atomic (contract 1.5), also while events wait.
///
/// A new subscriber is first a ``SubjectReplay``, unless there is nothing to replay: its thread delivers the buffer to it, and the events
/// whose delivery begins meanwhile. In the critical section in which none is left, it becomes a member.
///
/// The ``SubjectHost`` guards this value with its lock. No method runs user code or releases objects that may be the user's: it moves them
/// out for the caller to release.
@usableFromInline
struct SubjectState<Element: Sendable> {
  /// The subscribers whose replay is over, in the order in which they get each event.
  @usableFromInline var members = Bag<Subscriber<Element>>()
  /// The new subscribers whose replay is not over, usually at most one.
  @usableFromInline var replays: [SubjectReplay<Element>] = []
  /// The last elements, at most `size` of them, for new subscribers.
  @usableFromInline var buffer = Queue<Element>()
  @usableFromInline let size: Int
  @usableFromInline let replaysAfterEnd: Bool
  /// Its handler delivers.
  @usableFromInline var mailbox = Mailbox<Event<Element>>()
  /// The thread that delivers while the mailbox is busy.
  @usableFromInline var deliverer: ThreadID?
  /// The number of the event accepted last.
  @usableFromInline var accepted: UInt64 = 0
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
    if members.isEmpty, replays.isEmpty, !mailbox.isBusy { return false }
    return begin(.next(element), &delivery)
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

  /// Accepts the terminal event. Returns whether the caller delivers it, as for an element.
  @inlinable
  mutating func acceptEnd(_ error: (any Error)?, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if isOver { return false }
    accepted += 1
    (isOver, self.error) = (true, error)
    return begin(Event(end: error), &delivery)
  }

  @inline(__always)
  @inlinable
  mutating func begin(_ event: @autoclosure () -> Event<Element>, _ delivery: inout SubjectDelivery<Element>) -> Bool {
    if !mailbox.accept(event()) { return false }
    deliverer = .current
    if !replays.isEmpty { addToReplays(event(), accepted) }
    (delivery.members, delivery.number) = (members.values, accepted)
    return true
  }

  /// Ends the delivery of an event. Returns the next event, with its subscribers in `delivery`. If there is none, no thread delivers from
  /// now on, and after the terminal event, `delivery` has the members, for the caller to release.
  ///
  /// Precondition: `delivery` has no members, because they would be released under the lock.
  @inlinable
  mutating func next(_ delivery: inout SubjectDelivery<Element>) -> Event<Element>? {
    if !replays.isEmpty, let event = nextLeft(&delivery) { return event }
    let event = mailbox.next()
    delivery.number += 1
    if let event, !replays.isEmpty { addToReplays(event, delivery.number) }
    if event != nil || isOver { delivery.members = members.values }
    if event == nil, isOver { members = Bag() }
    return event
  }

  /// Adds an event, whose delivery to the members begins, to the replays that get it.
  @inlinable
  mutating func addToReplays(_ event: Event<Element>, _ number: UInt64) {
    for index in replays.indices where replays[index].subscriber.gets(number) { replays[index].add(event) }
  }

  /// The next event of a replay that has been left to the thread that delivers, with its subscriber in `delivery`.
  ///
  /// The subscriber gets it, because a replay is left only behind events that were accepted after the subscription.
  @inlinable
  mutating func nextLeft(_ delivery: inout SubjectDelivery<Element>) -> Event<Element>? {
    while let index = replays.firstIndex(where: { $0.thread == nil }) {
      if let event = nextReplayed(index) {
        delivery.members = [replays[index].subscriber]
        return event
      }
    }
    return nil
  }

  // MARK: Subscribing

  /// Returns the first event of the replay, for the caller to deliver. If there is none, the subscriber is a member.
  @inlinable
  mutating func subscribe(_ subscriber: Subscriber<Element>) -> Event<Element>? {
    subscriber.entry.since = accepted
    if size == 0 || buffer.isEmpty || isClosed || isOver && !replaysAfterEnd {
      if isOver || isClosed { return Event(end: isClosed ? nil : error) }
      subscriber.entry.key = members.insert(subscriber)
      return nil
    }
    var replay = SubjectReplay(subscriber, allowance: buffer.count + 1_024)
    for index in buffer.indices where index > 0 { replay.mailbox.waiting.append(.next(buffer[index])) }
    if isOver { replay.mailbox.waiting.append(Event(end: error)) }
    replays.append(replay)
    return .next(buffer.first!)
  }

  /// Takes the next event of a replay, for the thread that subscribed. Returns nil if the subscriber is a member, has been disposed, or gets
  /// the rest from elsewhere.
  ///
  /// - Parameter wakes: Set to whether the caller wakes the queue that takes the rest back.
  @inlinable
  mutating func nextReplayed(to entry: SubjectEntry, _ wakes: inout Bool) -> Event<Element>? {
    guard let index = index(of: entry) else { return nil }
    if replays[index].mayGoOn() { return nextReplayed(index) }
    (replays[index].thread, wakes) = (nil, !mailbox.isBusy)
    return nil
  }

  /// Takes a replay back that has been left, and its next event, unless a thread delivers.
  @usableFromInline
  mutating func takeBack(_ entry: SubjectEntry) -> (Event<Element>?, Sink<Element>)? {
    guard let index = index(of: entry), replays[index].thread == nil, !mailbox.isBusy else { return nil }
    let sink = replays[index].subscriber.sink
    (replays[index].thread, replays[index].allowance) = (.current, 1_024)
    return (nextReplayed(index), sink)
  }

  /// Takes the next event of a replay. If there is none, the subscriber becomes a member. The caller retains the subscriber.
  @inlinable
  mutating func nextReplayed(_ index: Int) -> Event<Element>? {
    if let event = replays[index].mailbox.next() { return event }
    let subscriber = replays.remove(at: index).subscriber
    // After the end, the thread that delivers releases the members when it has delivered everything.
    if !isOver || mailbox.isBusy { subscriber.entry.key = members.insert(subscriber) }
    return nil
  }

  /// The place among the replays. Nil if the replay is over, or if the subscriber has been disposed.
  @inlinable
  func index(of entry: SubjectEntry) -> Int? { replays.firstIndex { $0.subscriber.entry === entry } }

  /// Removes a subscriber. Returns it, and moves the rest of its replay out, for the caller to release.
  @inlinable
  mutating func dispose(_ entry: SubjectEntry, _ rest: inout Mailbox<Event<Element>>) -> Subscriber<Element>? {
    // Only a dispose on the delivering thread must stop the current event; after a dispose on another thread it may still arrive.
    if mailbox.isBusy, deliverer!.isCurrent { entry.since = .max }
    if entry.key > 0 { return members.remove(entry.key) }
    guard let index = index(of: entry) else { return nil }
    swap(&rest, &replays[index].mailbox)
    return replays.remove(at: index).subscriber
  }

  /// Ends the subject without a terminal event, once no thread can begin to send or to subscribe. Returns what the caller releases. If a
  /// thread is delivering, the subscribers stay: that thread goes on until no event waits, and then releases them.
  @inlinable
  mutating func releaseAll() -> SubjectState {
    isOver = true
    var rest = SubjectState()
    if mailbox.isBusy {
      swap(&rest.buffer, &buffer)
      swap(&rest.error, &error)
      return rest
    }
    // The replays go on to their ends.
    (rest.isOver, rest.replays) = (true, replays)
    swap(&rest, &self)
    return rest
  }
}

/// A new subscriber, and the events that it gets before it is a member: those of the buffer, and those whose delivery begins meanwhile.
///
/// The mailbox is busy until the subscriber is a member. Its first handler is the thread that subscribes. After the buffer and 1,024 more
/// events, and while other threads send, that handler *leaves* the rest, between two callbacks, so that a flood doesn't keep the call for
/// ever (contract 1.10). From then on the thread that delivers is the handler: it takes the rest before it delivers anything else, and
/// before it stops delivering. If none delivers, a queue is woken to take the rest back and to go on like the thread that subscribed.
@usableFromInline
struct SubjectReplay<Element: Sendable> {
  @usableFromInline let subscriber: Subscriber<Element>
  @usableFromInline var mailbox = Mailbox<Event<Element>>(isBusy: true)
  /// The thread that handles. Nil if it has left the rest to the thread that delivers.
  @usableFromInline var thread: ThreadID? = .current
  /// The number of events after which it may leave the rest.
  @usableFromInline var allowance: Int
  /// Whether another thread has sent since the last event was taken.
  @usableFromInline var isFlooded = false

  @inlinable
  init(_ subscriber: Subscriber<Element>, allowance: Int) {
    (self.subscriber, self.allowance) = (subscriber, allowance)
  }

  @inlinable
  mutating func add(_ event: Event<Element>) {
    _ = mailbox.accept(event)
    if thread?.isCurrent != true { isFlooded = true }
  }

  /// Whether the thread that subscribes, which has delivered an event, takes the next one.
  @inlinable
  mutating func mayGoOn() -> Bool {
    allowance -= 1
    defer { isFlooded = false }
    return allowance > 0 || !isFlooded
  }
}
