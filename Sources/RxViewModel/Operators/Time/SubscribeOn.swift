extension ObservableType {
  /// Subscribes to the source, and disposes that subscription, on `scheduler`.
  ///
  /// Events come where the source sends them: what it sends while it is being subscribed comes on `scheduler`. A subscription that
  /// is disposed before its turn has come on the scheduler never reaches the source. A dispose cuts off the callback at once; on
  /// the scheduler it reaches the source.
  @inlinable
  public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink in
      let drain = Drain<Event<Element>> { pass($0, to: sink) }
      let (subscriptions, upstream) = (Subscriptions(closing: drain), SerialDisposable())
      let key = subscriptions.reserve()
      subscriptions.set(key, to: Disposables.create { scheduler.schedule { upstream.dispose() } })
      scheduler.schedule { [weak subscriptions] in
        guard drain.isOpen else { return }
        let subscription = source.connect { [weak subscriptions] event in
          // The source drops the sink then, and there is nothing left to dispose.
          if drain.send(event) { return true }
          subscriptions?.remove(key)
          return false
        }
        upstream.replace(with: subscription)
      }
      return subscriptions
    }
  }
}
