extension ObservableType {
  /// Delivers every event on `scheduler`, terminal events too, in their order and one at a time.
  ///
  ///     source             --1---2---3---|
  ///     observe(on: busy)  ----1---2---3---|
  ///
  /// In the diagram each turn on the scheduler comes two units of time after it was asked for.
  ///
  /// Events wait in a queue without bound. What waits when the subscription is disposed on the scheduler is not delivered.
  /// One scheduled turn delivers all that waits by then, so that order and one-at-a-time hold on a concurrent scheduler
  /// too.
  @inlinable
  public func observe(on scheduler: any Scheduler) -> Observable<Element> {
    let (source, scheduler) = (asObservable(), scheduler.reference)
    return Observable { sink in
      let drain = Drain<Event<Element>> { pass($0, to: sink) }
      let subscriptions = Subscriptions(closing: drain)
      let key = subscriptions.reserve()
      let subscription = source.connectChecked { event in
        if event.isTerminal { subscriptions.remove(key) }
        let admission = drain.enqueue(event)
        if admission == .first {
          scheduler.schedule {
            if !drain.run() { subscriptions.dispose() }
          }
        }
        return admission != .closed
      }
      subscriptions.set(key, to: subscription)
      return subscriptions
    }
  }
}
