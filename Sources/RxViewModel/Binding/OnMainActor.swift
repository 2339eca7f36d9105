import Dispatch

extension Observable {
  /// Delivers every event on the main actor, in order and one at a time. Delivers an event at once if it arrives on the main actor and no
  /// other event waits. Schedules any other event as a piece of work of its own on the main queue.
  ///
  /// The handler returns whether it wants more events. So it can end the stream while the stream is being subscribed.
  func onMainActor(_ handler: @escaping @MainActor @Sendable (Event<Element>) -> Demand) -> any Disposable {
    let schedule: Continuation = { DispatchQueue.main.async(execute: $0) }
    let scope = Scope()
    let delivery = ScheduledDelivery<Element>(in: scope, scheduledBy: schedule) { event in
      let demand = MainActor.assumeIsolated { handler(event) }
      if demand == .noMore || event.isTerminal { scope.dispose() }
      return demand
    }
    scope.connect(source: self) { event in
      if MainQueue.isCurrent, let demand = delivery.deliverAtOnce(event) { return demand }
      return delivery.enqueue(event)
    }
    return scope
  }
}
