/// The items that wait for delivery, and the thread that delivers them. The owner guards this value with a lock.
///
///                accept                         next: nothing waits
///     idle ──────────────────▶ delivering ─────────────────────────▶ idle
///                                │      ▲
///        next: 1,024 delivered   │      │ accept, resume
///        of other threads' items ▼      │
///                              handed over
///
/// The thread that finds the queue idle delivers the items one at a time, in the order of acceptance. It delivers all items that it sends
/// itself, also from inside its own callbacks, and at most 1,024 items of other threads (contract 1.10). Then it hands the rest over, to a
/// continuation on another thread or to the next thread that sends.
///
/// Two loops use this queue. ``EventSerializer`` has one handler. ``SubjectHost`` has any number of subscribers, which may change between
/// two events, and delivers a replay to a new subscriber.
@usableFromInline
struct DeliveryQueue<Item> {
  @usableFromInline
  enum Status: Equatable {
    case idle
    case delivering(ThreadID)
    /// Items wait, and no thread delivers them.
    case handedOver
  }

  /// The next step of a thread that has sent an item.
  @usableFromInline
  enum Acceptance {
    /// The thread delivers this item, which is not in the queue, and then calls ``next()`` until the queue is idle or handed over.
    case deliver
    /// The thread has taken over the waiting items, this one last, and calls ``next()`` until the queue is idle or handed over.
    case takeOver
    /// The thread returns: another thread, or a frame further up its own stack, delivers the item.
    case queued
  }

  /// The next step of the delivering thread.
  @usableFromInline
  enum Next {
    /// The thread takes the next item with ``takeNext()``, and delivers it.
    case deliver
    /// The queue is idle.
    case stop
    /// The queue is handed over. If `needsContinuation` is true, the caller schedules a call of ``resume()``.
    case handOver(needsContinuation: Bool)
  }

  /// The maximum number of other threads' items that one call delivers.
  @inlinable
  static var limit: Int { 1_024 }

  @usableFromInline var items = Queue<Item>()
  @usableFromInline var status: Status
  @usableFromInline var hasContinuation = false
  /// The number of items that other threads have added to this delivery, up to one more than the limit.
  @usableFromInline var foreign: UInt16 = 0
  /// The number of items that this thread still delivers before it hands over.
  @usableFromInline var remaining = Int.max

  /// - Parameter status: `.delivering` if items must wait until the thread calls ``next()`` for the first time.
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

  // Inlined, here and below, because each call that is not inlined copies a large item into its frame.
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

  /// Continues a delivery that was handed over. True if the caller now delivers, and calls ``next()`` until the queue is idle or handed
  /// over; false if another thread has taken over already.
  @inlinable
  mutating func resume() -> Bool {
    hasContinuation = false
    if status != .handedOver { return false }
    takeOver()
    return true
  }

  /// Makes the calling thread the delivering one. All waiting items count as those of other threads.
  @inlinable
  mutating func takeOver() {
    status = .delivering(.current)
    foreign = UInt16(min(items.count, Self.limit + 1))
    remaining = items.count > Self.limit ? Self.limit : .max
  }
}
