/// The items that wait for delivery, and the thread that delivers them: a value that its owner guards with a lock.
///
///                accept                         next: nothing waits
///     idle ──────────────────▶ delivering ─────────────────────────▶ idle
///                                │      ▲
///        next: 1,024 delivered   │      │ accept, resume
///        of other threads' items ▼      │
///                              handed over
///
/// Items are delivered one at a time, in the order of acceptance, by the thread that found the queue idle. That thread
/// delivers all that it sends itself, from inside its own callbacks too, and at most 1,024 items of other threads
/// (contract 1.10). Then it hands the rest over: a continuation on another thread continues, or the next thread that
/// sends.
///
/// Two loops call this: ``EventSerializer`` has one handler; ``SubjectHost`` has any number of subscribers, which come
/// and go between two events, and delivers a replay to a new one of them.
@usableFromInline
struct DeliveryQueue<Item> {
  @usableFromInline
  enum Status: Equatable {
    case idle
    case delivering(ThreadID)
    /// Items wait, and no thread delivers them.
    case handedOver
  }

  /// What a thread that has sent an item does next.
  @usableFromInline
  enum Acceptance {
    /// It delivers this item, which is not in the queue, and then calls ``next()`` until there is nothing to do.
    case deliver
    /// It has taken over what waits, this item last, and calls ``next()`` until there is nothing to do.
    case takeOver
    /// It returns: another thread delivers the item, or a frame further up its own stack.
    case queued
  }

  /// What the delivering thread does next.
  @usableFromInline
  enum Next {
    /// It takes the next item with ``takeNext()``, and delivers it.
    case deliver
    /// The queue is idle.
    case stop
    /// The queue is handed over; where `needsContinuation` is true, the caller schedules a call of ``resume()``.
    case handOver(needsContinuation: Bool)
  }

  /// How many items of other threads one call delivers.
  @inlinable
  static var limit: Int { 1_024 }

  @usableFromInline var items = Queue<Item>()
  @usableFromInline var status: Status
  @usableFromInline var hasContinuation = false
  /// How many items other threads have added to this delivery, up to one more than the limit.
  @usableFromInline var foreign: UInt16 = 0
  /// How many items are still delivered before the hand-over.
  @usableFromInline var remaining = Int.max

  /// - Parameter status: `.delivering` where the items wait until the thread calls ``next()`` for the first time.
  @inlinable
  init(_ status: Status = .idle) {
    self.status = status
  }

  @inlinable
  var isIdle: Bool { status == .idle }

  /// Whether the calling thread delivers.
  @inlinable
  var isDeliveredHere: Bool {
    if case .delivering(let thread) = status { thread == .current } else { false }
  }

  // Inlined, here and below, because a large item is copied into each frame that it passes as an argument.
  @inline(__always)
  @inlinable
  mutating func accept(_ item: borrowing Item) -> Acceptance {
    switch status {
    case .idle:
      status = .delivering(.current)
      return .deliver
    case .delivering:
      append(copy item)
      return .queued
    case .handedOver:
      takeOver()
      items.append(copy item)
      return .takeOver
    }
  }

  /// Begins the delivery of an item that is not in the queue, by the calling thread. The queue must be idle.
  @inlinable
  mutating func begin() {
    status = .delivering(.current)
  }

  /// Adds an item during a delivery.
  @inlinable
  mutating func append(_ item: Item) {
    if foreign <= Self.limit, !isDeliveredHere {
      foreign += 1
      if foreign > Self.limit { remaining = min(remaining, items.count) }
    }
    items.append(item)
  }

  @inline(__always)
  @inlinable
  mutating func next() -> Next {
    if items.isEmpty {
      stop()
      return .stop
    }
    if remaining == 0 {
      status = .handedOver
      defer { hasContinuation = true }
      return .handOver(needsContinuation: !hasContinuation)
    }
    if remaining != .max { remaining -= 1 }
    return .deliver
  }

  /// The item that ``next()`` has announced.
  @inline(__always)
  @inlinable
  mutating func takeNext() -> Item {
    items.popFirst()!
  }

  /// Ends a delivery when no item waits.
  @inlinable
  mutating func stop() {
    status = .idle
    foreign = 0
    remaining = .max
  }

  /// The continuation of a delivery. True if it delivers, and so calls ``next()`` until there is nothing to do; false
  /// if another thread has taken over before.
  @inlinable
  mutating func resume() -> Bool {
    hasContinuation = false
    if status != .handedOver { return false }
    takeOver()
    return true
  }

  /// Makes this the delivering thread. All items that wait count as those of other threads.
  @inlinable
  mutating func takeOver() {
    status = .delivering(.current)
    foreign = UInt16(min(items.count, Self.limit + 1))
    remaining = items.count > Self.limit ? Self.limit : .max
  }
}
