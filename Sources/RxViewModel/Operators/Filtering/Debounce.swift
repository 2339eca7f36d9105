extension ObservableType {
  /// Sends an element when no other has followed it for `dueTime`.
  ///
  ///     source        -1-2-3--------4-5-|
  ///     debounce(3–)  --------3---------(5|)
  ///
  /// Sends the elements on `scheduler`. When the source completes, sends the pending element and the completion at
  /// once, on that thread. An error drops the pending element and is passed on at once. Each element costs one
  /// scheduled piece of work.
  @inlinable
  public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let (source, scheduler) = (asObservable(), scheduler.reference)
    return Observable { sink in
      let alarm = Alarm<AlarmedInput<Element, UInt64>>(on: scheduler)
      let state = SerialState(Debounced<Element>())
      let drain = Drain<AlarmedInput<Element, UInt64>> { input in
        state.value.receive(input, alarm, dueTime, sink)
      }
      let subscriptions = alarm.subscriptions(closing: drain)
      subscriptions.connect(source, to: drain) { .source($0) }
      return subscriptions
    }
  }
}

/// What `debounce` remembers.
@usableFromInline
struct Debounced<Element: Sendable> {
  @usableFromInline typealias Input = AlarmedInput<Element, UInt64>

  @usableFromInline var pending: Element?
  /// The element that the alarm is set for: an alarm that has come too late is known by it.
  @usableFromInline var number: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func receive(
    _ input: Input, _ alarm: Alarm<Input>, _ dueTime: Duration, _ sink: Observable<Element>.Sink
  ) -> Bool {
    switch input {
    case .source(.next(let element)):
      pending = element
      number += 1
      alarm.set(after: dueTime) { [number] in .alarm(number, $0) }
      return true
    case .source(.error(let error)):
      return pass(.error(error), to: sink)
    case .source(.completed):
      guard let last = pending.take() else { return pass(.completed, to: sink) }
      alarm.finish(with: last, sink)
      return false
    case .alarm(let number, let thread):
      guard number == self.number, let element = pending else { return true }
      guard alarm.isHandled(on: thread, { .alarm(number, $0) }) else { return true }
      pending = nil
      return sink(.next(element))
    }
  }
}
