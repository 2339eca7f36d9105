extension ObservableType {
  /// Passes everything on, and ends with ``RxError/timeout`` if no event comes for `dueTime`.
  ///
  ///     source       --1--2-------3--|
  ///     timeout(4–)  --1--2----#
  ///
  /// The time is counted from the subscription, then from each element. The error comes on `scheduler`; the subscription to the
  /// source ends with it. Each element costs one scheduled piece of work.
  @inlinable
  public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let (source, scheduler) = (asObservable(), scheduler.reference)
    return Observable { sink in
      let alarm = Alarm<AlarmedInput<Element, UInt64>>(on: scheduler)
      let number = SerialState<UInt64>(0)
      let drain = Drain<AlarmedInput<Element, UInt64>> { input in
        switch input {
        case .source(let event):
          number.value += 1
          if !event.isTerminal {
            alarm.set(after: dueTime) { [number = number.value] in .alarm(number, $0) }
          }
          return pass(event, to: sink)
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
