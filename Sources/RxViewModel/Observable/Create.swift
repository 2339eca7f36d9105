extension Observable {
  /// An observable from code that sends events to an observer.
  ///
  /// `subscribe` runs once per subscription, on the subscribing thread. The observer that it gets may be called from
  /// any thread and by badly behaved code: its subscriber sees one event at a time, and nothing after the first end
  /// (contract 1.1, 1.2). The disposable that `subscribe` returns is disposed once: at the terminal event or when the
  /// subscription is disposed, whichever is first.
  @inlinable
  public static func create(
    _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> {
    Observable { sink in
      let serializer = EventSerializer<Event<Element>> { forward($0, to: sink) }
      let subscriptions = CompositeDisposable(closing: serializer)
      let observer = AnyObserver<Element> { event in
        subscriptions.dispose(unlessWanted: serializer.send(event))
      }
      subscriptions.add(subscribe(observer))
      return subscriptions
    }
  }
}
