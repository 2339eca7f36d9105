extension ObservableType {
  /// Sends each element, and the completion, `dueTime` later.
  ///
  ///     source     -1--2---3|
  ///     delay(2–)  ---1--2---3|
  ///
  /// They come on `scheduler`, in their order, also on a concurrent one. An error passes at once, where it comes, and drops what
  /// waits. Each event costs one scheduled piece of work.
  @inlinable
  public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink in
      let waiting = SerialState(Queue<Event<Element>>())
      let drain = Drain<AlarmedInput<Element, Void>> { input in
        switch input {
        case .source(.error(let error)):
          return pass(.error(error), to: sink)
        case .source(let event):
          waiting.value.append(event)
          return true
        case .alarm:
          return pass(waiting.value.popFirst(), to: sink)
        }
      }
      let subscriptions = Subscriptions(closing: drain)
      let key = subscriptions.reserve()
      let subscription = source.connect { event in
        if event.isTerminal { subscriptions.remove(key) }
        guard drain.send(.source(event)) else {
          subscriptions.dispose()
          return false
        }
        subscriptions.schedule(after: dueTime, on: scheduler) { [weak subscriptions] in
          if !drain.send(.alarm(())) { subscriptions?.dispose() }
        }
        return true
      }
      subscriptions.set(key, to: subscription)
      return subscriptions
    }
  }
}
