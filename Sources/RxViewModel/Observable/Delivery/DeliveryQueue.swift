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
/// continuation on another thread or to the next thread that sends. ``DeliveryLoop`` is that thread's loop.
@usableFromInline
struct DeliveryQueue<Item> {
  @usableFromInline
  enum Status: Equatable {
    case idle
    case delivering(ThreadID)
    /// Items wait, and the thread is scheduling the continuation.
    case handingOver(ThreadID)
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

  /// The maximum number of other threads' items that one call delivers.
  @inlinable
  static var limit: Int { 1_024 }

  @usableFromInline var items = Queue<Item>()
  @usableFromInline var status: Status
  /// Whether a continuation has been scheduled that has not run yet.
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

  @inlinable
  var isDelivering: Bool { if case .delivering = status { true } else { false } }

  /// Whether the calling thread delivers.
  @inlinable
  var isDeliveredHere: Bool { if case .delivering(let thread) = status { thread.isCurrent } else { false } }

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
    case .handingOver, .handedOver:
      takeOver()
      items.append(copy item)
      return .takeOver
    }
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

  /// Called by the delivering thread.
  @inline(__always)
  @inlinable
  mutating func next() -> DeliveryStep<Item> {
    if items.isEmpty {
      stop()
      return .stop
    }
    if remaining == 0 {
      status = hasContinuation ? .handedOver : .handingOver(.current)
      if hasContinuation { return .stop }
      hasContinuation = true
      return .handOver
    }
    if remaining != .max { remaining -= 1 }
    return .deliver(items.popFirst()!)
  }

  /// Ends a delivery when no item waits.
  @inlinable
  mutating func stop() {
    status = .idle
    foreign = 0
    remaining = .max
  }

  /// The continuation calls this. True if its thread now delivers. False if another thread has taken over already, or if the scheduler runs
  /// the continuation at once, inside the call that schedules it.
  @inlinable
  mutating func resume() -> Bool {
    hasContinuation = false
    switch status {
    case .idle, .delivering: return false
    case .handedOver:
      takeOver()
      return true
    case .handingOver(let thread):
      takeOver()
      return !thread.isCurrent
    }
  }

  /// Called by the thread that has scheduled the continuation. True if the continuation has run at once: then this thread delivers the rest
  /// in its own loop, so that the stack does not grow.
  @inlinable
  mutating func isTakenBack() -> Bool {
    if status == .handingOver(.current) { status = .handedOver }
    return isDeliveredHere
  }

  /// Makes the calling thread the delivering one. All waiting items count as those of other threads.
  @inlinable
  mutating func takeOver() {
    status = .delivering(.current)
    foreign = UInt16(min(items.count, Self.limit + 1))
    remaining = items.count > Self.limit ? Self.limit : .max
  }
}
