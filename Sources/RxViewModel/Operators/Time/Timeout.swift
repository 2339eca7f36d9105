extension ObservableType {
  /// Passes all events on, and ends with ``RxError/timeout`` when none arrives for `dueTime`.
  ///
  ///     source       --1--2-------3--|
  ///     timeout(4–)  --1--2---#
  ///
  /// The time runs from the subscription, then from the moment when the subscriber has returned from an element: a slow
  /// subscriber is not taken for a slow source. The error is sent on `scheduler` and ends the subscription to the source.
  /// Each element costs one scheduled piece of work.
  @inlinable
  public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let (source, scheduler) = (asObservable(), scheduler.reference)
    return Observable { sink in
      let alarm = Alarm<AlarmedInput<Element, UInt64>>(on: scheduler)
      let number = SerialState<UInt64>(0)
      let drain = Drain<AlarmedInput<Element, UInt64>> { input in
        switch input {
        case .source(let event):
          // An alarm that comes while the event is being passed on is late by this number.
          number.value += 1
          guard pass(event, to: sink) else { return false }
          alarm.set(after: dueTime) { [number = number.value] in .alarm(number, $0) }
          return true
        case .alarm(number.value, let thread):
          guard alarm.isHandled(on: thread, { [number = number.value] in .alarm(number, $0) }) else { return true }
          return pass(.error(RxError.timeout), to: sink)
        case .alarm:
          return true
        }
      }
      let subscriptions = alarm.subscriptions(closing: drain)
      alarm.set(after: dueTime) { .alarm(0, $0) }
      subscriptions.connect(source, to: drain) { .source($0) }
      return subscriptions
    }
  }
}
