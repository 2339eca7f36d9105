import Dispatch

extension Observable {
  /// Delivers every event on the main actor, in order and one at a time. Delivers an event immediately if it arrives on the main actor and
  /// no other event waits. Schedules any other event as a piece of work of its own on the main queue.
  ///
  /// While this subscribes, it delivers at most 1,024 events (contract 1.10), and schedules the others. `next` returns whether it wants
  /// more elements, so it can end the stream even while the stream is being subscribed.
  func onMainActor(
    _ next: @escaping @MainActor @Sendable (Element) -> Demand,
    onEnd end: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> any Disposable {
    let scope = Scope()
    let sink = Sink<Element>(
      next: { element in
        let demand = MainActor.assumeIsolated { next(element) }
        if demand == .noMore { scope.dispose() }
        return demand
      },
      end: { error in
        MainActor.assumeIsolated { end(error) }
        scope.dispose()
      })
    let serial = Serial<Event<Element>>(in: scope) { sink.on(consume $0) }
    // The number of events that it still delivers while it subscribes on the main actor.
    let left = MainQueue.isCurrent ? SubscriptionState(1_024) : nil
    let receive = Sink<Element> { event in
      let isHere = MainQueue.isCurrent && left?.value != 0
      if isHere { left?.value -= 1 }
      return serial.hold(event, unless: isHere) { DispatchQueue.main.async(execute: $0) }
    }
    scope.connect(self, receive)
    left?.value = .max
    return scope
  }
}
