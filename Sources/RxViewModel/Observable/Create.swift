extension Observable {
  /// Creates an observable from a closure that sends events to an observer.
  ///
  /// `subscribe` runs once per subscription, on the subscribing thread. It may call its observer from any thread, also from several threads
  /// at the same time, and after a terminal event: the subscriber sees one event at a time, and nothing after the first terminal event
  /// (contract 1.1, 1.2). The disposable that `subscribe` returns is disposed once: at the terminal event or when the subscription is
  /// disposed, whichever is first.
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
