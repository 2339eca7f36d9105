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
    let scheduler = scheduler.reference
    let source = asObservable()
    // No template: each event has a timer of its own.
    return Observable { sink, scope in
      let delivery = ScheduledDelivery(
        in: scope, scheduledBy: { scope.schedule(after: dueTime, on: scheduler, $0) }, sink)
      let delayed = Sink(
        next: { delivery.enqueue(.next($0)) },
        end: { _ = $0 == nil ? delivery.enqueue(.completed) : delivery.serial.send(Event(end: $0)) })
      scope.connect(source, delayed)
    }
  }
}
