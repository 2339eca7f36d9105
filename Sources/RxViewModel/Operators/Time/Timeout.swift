extension ObservableType {
  /// Passes all events on, and fails with ``RxError/timeout`` if no event arrives for `dueTime`.
  ///
  ///     source       --1--2-------3--|
  ///     timeout(4–)  --1--2---#
  ///
  /// The time starts at the subscription, and again when the subscriber has returned from an element, so a slow subscriber does not cause a
  /// timeout. Sends the error on `scheduler`, and disposes the subscription to the source. Each element costs one scheduled piece of work.
  @inlinable
  public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = scheduler.reference
    let source = asObservable()
    return .serial { sink, scope in
      let timer = RestartableTimer<TimedInput<Element, UInt64>>(on: scheduler, in: scope)
      let number = SubscriptionState<UInt64>(0)
      let serial = timer.serializing(isBusy: true) { input in
        switch input {
        case .source(let event):
          // An input of the timer that arrives while the event is being delivered has an older number, and is ignored.
          number.value += 1
          let demand = forward(event, to: sink)
          if demand == .noMore { return demand }
          timer.start(after: dueTime) { [number = number.value] in .timer(number, $0) }
          return demand
        case .timer(number.value, let thread):
          guard timer.isHandled(on: thread, { [number = number.value] in .timer(number, $0) }) else { return .more }
          return forward(.error(RxError.timeout), to: sink)
        case .timer:
          return .more
        }
      }
      timer.start(after: dueTime) { .timer(0, $0) }
      _ = serial.run()
      scope.connect(source, to: serial) { .source($0) }
    }
  }
}
