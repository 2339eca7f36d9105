/// The next step of a thread that delivers.
@usableFromInline
enum DeliveryStep<Item> {
  /// It delivers the item.
  case deliver(Item)
  /// It returns: the queue is idle, or another thread delivers the rest.
  case stop
  /// It schedules a continuation, which delivers the rest.
  case handOver
}

/// The owner of a ``DeliveryQueue``, and the loop of the thread that delivers: ``Serial``, a subject, the replay to a new subscriber.
@usableFromInline
protocol DeliveryLoop: Sendable {
  associatedtype Item
  /// What the delivering thread has taken out of the owner: the receivers.
  associatedtype Delivery

  /// Ends the delivery of the last item, and takes the next one. Gives the receivers back to the owner if there is none for this thread.
  func next(_ delivery: inout Delivery) -> DeliveryStep<Item>

  /// Sends the item to the receivers. Called without the lock.
  func deliver(_ item: Item, _ delivery: inout Delivery)

  /// Takes the receivers out of the owner if the condition on the queue holds.
  func takeReceivers(if condition: (inout DeliveryQueue<Item>) -> Bool) -> Delivery?

  /// Schedules a continuation. May run it at once.
  var schedule: Continuation { get }

  /// Continues a delivery that a thread has handed over, unless another thread has continued it.
  func resume()
}

extension DeliveryLoop {
  /// Delivers the waiting items, until none is left or this thread hands the rest over.
  @inline(__always)
  @inlinable
  func run(_ delivery: inout Delivery) {
    while true {
      switch next(&delivery) {
      case .deliver(let item): deliver(item, &delivery)
      case .stop: return
      case .handOver:
        guard let taken = handOver() else { return }
        delivery = taken
      }
    }
  }

  /// Returns the delivery if the scheduler has run the continuation at once.
  @inlinable
  @inline(never)
  func handOver() -> Delivery? {
    schedule { resume() }
    return takeReceivers { $0.isTakenBack() }
  }

  @inlinable
  func resume() {
    if var delivery = takeReceivers(if: { $0.resume() }) { run(&delivery) }
  }
}
