extension ObservableType {
  /// Subscribes to the source, and disposes that subscription, on `scheduler`.
  ///
  ///     source                 --1--2--|
  ///     subscribe(on: busy)  ----1--2--|
  ///
  /// In the diagram a turn on the scheduler comes two units of time after it is requested.
  ///
  /// Events arrive on the source's threads. Events that the source sends inside `subscribe` arrive on `scheduler`. If the subscription is
  /// disposed before the scheduler has run it, the operator never subscribes to the source. A dispose stops the callbacks immediately, and
  /// the operator disposes the source's subscription on the scheduler. If the source ends, its subscription ends on the thread of the end.
  @inlinable
  public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
    let scheduler = SchedulerHandle(scheduler)
    let source = asObservable()
    // No template: it moves the subscription, and passes the events on as they are.
    return Observable { sink, scope in
      // Not a child of `scope`, because the scheduler disposes its contents.
      let upstream = Scope()
      let waiting = Guarded<(@Sendable () -> Void)?>(
        {
          let open = Sink(next: { scope.isOpen ? sink.next($0) : .noMore }, end: { if scope.isOpen { sink.end($0) } })
          source.connect(open, closing: upstream)
        }, in: scope)
      // Weak, because a scope retains no sink.
      scope.add(
        Disposables.create { [weak waiting] in
          _ = waiting?.withLock { $0.take() }
          upstream.dispose { scheduler.schedule($0) }
        })
      scheduler.schedule { waiting.withLock { $0.take() }?() }
    }
  }
}
