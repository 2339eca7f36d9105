extension ObservableType {
  /// Sends each element and the completion `dueTime` later.
  ///
  ///     source     -1--2---3|
  ///     delay(2–)  ---1--2---3|
  ///
  /// Sends them on `scheduler`, in order, even if the scheduler is concurrent. An error passes at once, on the thread on which it arrives,
  /// and drops the pending events. Each event costs one scheduled piece of work.
  @inlinable
  public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = scheduler.reference
    return .composing(asObservable()) { source, sink in
      let waiting = Lock(Queue<Event<Element>>())
      // An input is an error, or nil when the first waiting event is due. The handler removes that event from the queue, so that events
      // keep their order.
      let serializer = EventSerializer<Event<Element>?> { error in
        forward(error ?? waiting.withLock { $0.popFirst() }, to: sink)
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      let key = subscriptions.reserve()
      return subscriptions.connectingChecked(source, key) { event in
        if case .error = event {
          return subscriptions.dispose(unlessWanted: serializer.send(event))
        }
        if case .completed = event { subscriptions.remove(key) }
        waiting.withLock { $0.append(event) }
        subscriptions.schedule(after: dueTime, on: scheduler) { [weak subscriptions] in
          let demand = serializer.send(nil)
          subscriptions?.dispose(unlessWanted: demand)
        }
        return subscriptions.isOpen ? .pending : .noMore
      }
    }
  }
}
