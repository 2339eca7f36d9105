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
    let source = asObservable()
    // Neither template: each event has a timer of its own.
    return Observable { sink, scope in
      let waiting = Guarded(Queue<Event<Element>>(), in: scope)
      // An input is an error, or nil when the first waiting event is due. The handler removes that event from the queue, so that events
      // keep their order.
      let serial = Serial<Event<Element>?>(in: scope) { error in
        forward(error ?? waiting.withLock { $0.popFirst() }, to: sink)
      }
      scope.connect(source) { event in
        if case .error = event { return serial.send(event) }
        waiting.withLock { $0.append(event) }
        let timer = scope.schedule(after: dueTime, on: scheduler) { _ = serial.send(nil) }
        return timer == nil ? .noMore : .more
      }
    }
  }
}
