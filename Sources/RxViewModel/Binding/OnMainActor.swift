extension Observable {
  /// Delivers every event on the main actor, in order and one at a time: at once if it comes there and nothing waits, otherwise later.
  ///
  /// The handler says whether it wants more: so it can end what it gets while it is being subscribed.
  func onMainActor(_ handler: @escaping @MainActor @Sendable (Event<Element>) -> Bool) -> any Disposable {
    let drain = Drain<Event<Element>> { event in
      MainActor.assumeIsolated { handler(event) } && !event.isTerminal
    }
    let subscriptions = Subscriptions(closing: drain)
    let key = subscriptions.reserve()
    let subscription = connectChecked { event in
      if event.isTerminal { subscriptions.remove(key) }
      if MainQueue.isCurrent { return drain.send(event) }
      let admission = drain.enqueue(event)
      if admission == .first {
        Task { @MainActor in _ = drain.run() }
      }
      return admission != .closed
    }
    subscriptions.set(key, to: subscription)
    return subscriptions
  }
}
