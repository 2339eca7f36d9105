import Dispatch

extension Observable {
  /// Delivers every event on the main actor, in order and one at a time. Delivers an event at once if it arrives on the main actor and no
  /// other event waits. Schedules any other event as a piece of work of its own on the main queue.
  ///
  /// While this subscribes, it delivers at most 1,024 of the events that have waited for the main actor (contract 1.10), and schedules the
  /// others. The handler returns whether it wants more events. So it can end the stream while the stream is being subscribed.
  func onMainActor(_ handler: @escaping @MainActor @Sendable (Event<Element>) -> Demand) -> any Disposable {
    let scope = Scope()
    let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void = { DispatchQueue.main.async(execute: $0) }
    let delivery = ScheduledDelivery<Element>(in: scope, scheduledBy: schedule) { event in
      let demand = MainActor.assumeIsolated { handler(event) }
      if demand == .noMore || event.isTerminal { scope.dispose() }
      return demand
    }
    let isSubscribing = MainQueue.isCurrent ? SubscriptionState(true) : nil
    scope.connect(source: self) { event in
      if MainQueue.isCurrent, isSubscribing?.value != true || scope.waited <= 1_024,
        let demand = delivery.deliverAtOnce(event)
      {
        return demand
      }
      return delivery.enqueue(event)
    }
    isSubscribing?.value = false
    return scope
  }
}
