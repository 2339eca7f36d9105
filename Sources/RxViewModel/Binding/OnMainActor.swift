import Dispatch

extension Observable {
  /// Delivers every event on the main actor, in order and one at a time. Delivers an event at once if it arrives on the main actor and no
  /// other event waits. Schedules any other event as a piece of work of its own on the main queue.
  ///
  /// While this subscribes, it delivers at most 1,024 events (contract 1.10), and schedules the others. The handler returns whether it
  /// wants more events. So it can end the stream while the stream is being subscribed.
  func onMainActor(_ handler: @escaping @MainActor @Sendable (Event<Element>) -> Demand) -> any Disposable {
    let scope = Scope()
    let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void = { DispatchQueue.main.async(execute: $0) }
    let sink = Sink<Element> { event in
      let demand = MainActor.assumeIsolated { handler(event) }
      if demand == .noMore || event.isTerminal { scope.dispose() }
      return demand
    }
    let delivery = ScheduledDelivery(in: scope, scheduledBy: schedule, sink)
    // The number of events that it still delivers while it subscribes on the main actor.
    let left = MainQueue.isCurrent ? SubscriptionState(1_024) : nil
    let receive = Sink<Element> { event in
      guard MainQueue.isCurrent, left?.value != 0, let demand = delivery.deliverAtOnce(event) else {
        return delivery.enqueue(event)
      }
      left?.value -= 1
      return demand
    }
    scope.connect(self, receive)
    left?.value = .max
    return scope
  }
}
