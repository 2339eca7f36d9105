extension ObservableType {
  /// Sends each element and the completion `dueTime` later.
  ///
  ///     source     -1--2---3|
  ///     delay(2–)  ---1--2---3|
  ///
  /// Sends them on `scheduler`, in order, even if the scheduler is concurrent. An error passes immediately, on the thread on which it
  /// arrives, and drops the pending events. Each event costs one scheduled piece of work.
  @inlinable
  public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    require(dueTime, atLeast: .zero, "delay: dueTime")
    let scheduler = SchedulerHandle(scheduler)
    let source = asObservable()
    // No template: each event has a timer of its own.
    return Observable { sink, scope in
      let serial = Serial<Event<Element>>(in: scope) { sink.on(consume $0) }
      let delayed = Sink<Element> { event in
        if case .error = event { return serial.send(event) }
        return serial.hold(event) { scheduler.schedule(after: dueTime, in: scope, $0) }
      }
      scope.connect(source, delayed)
    }
  }
}
