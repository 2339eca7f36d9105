import Dispatch

/// The way to the main actor, for code that may be on it already.
///
/// Whether it is, is asked of the main dispatch queue, which the main actor runs on, and not of the thread: on Linux the main queue
/// need not be served by the main thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) != nil
  }

  /// Runs `body` on the main actor: at once if this is it, otherwise later.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if isCurrent {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}

extension Observable {
  /// Delivers every event on the main actor, in order and one at a time: at once if it comes there and no other waits,
  /// otherwise as a piece of work of its own on the main queue.
  ///
  /// The handler says whether it wants more: so it can end what it gets while it is being subscribed.
  func onMainActor(_ handler: @escaping @MainActor @Sendable (Event<Element>) -> Bool) -> any Disposable {
    let schedule: Continuation = { DispatchQueue.main.async(execute: $0) }
    let delivery = ScheduledDelivery<Element>(scheduledBy: schedule) { event in
      MainActor.assumeIsolated { handler(event) }
    }
    let subscriptions = Subscriptions(closing: delivery)
    let key = subscriptions.reserve()
    let subscription = connectChecked { event in
      if event.isTerminal { subscriptions.remove(key) }
      if MainQueue.isCurrent, let isOpen = delivery.deliverAtOnce(event) { return isOpen }
      return delivery.enqueue(event)
    }
    subscriptions.set(key, to: subscription)
    return subscriptions
  }
}
