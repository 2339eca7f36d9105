extension Observable {
  /// Creates an observable from a closure that sends events to an observer.
  ///
  /// `subscribe` runs once for each subscription, on the subscribing thread. Call its observer from any thread, even from several
  /// at the same time: the subscriber still sees one event at a time, and nothing after the first terminal event (contract 1.1, 1.2). What
  /// `subscribe` returns is disposed once, at the terminal event or when the subscription is disposed.
  @inlinable
  public static func create(
    _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> {
    Observable { sink, scope in
      let serial = Serial<Event<Element>>(in: scope) { event in sink.on(consume event) }
      scope.add(subscribe(AnyObserver(Sink { serial.send(consume $0) })))
    }
  }
}
