extension ObservableType {
  /// Subscribes an observer. The subscription retains the observer until it ends or is disposed.
  ///
  /// Otherwise it behaves like the form with one closure for all events.
  @inlinable
  public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
    asObservable().connect(Sink(each: { observer.onNext($0) }, end: { observer.on(Event(end: $0)) }))
  }

  /// Subscribes a closure that gets every event.
  ///
  /// What the source replays comes on the calling thread, before this returns. Later events come on the source's threads, one at a time.
  /// The subscription releases your closure at the terminal event, or when you dispose the result.
  @inlinable
  public func subscribe(_ handler: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
    asObservable().connect(
      Sink { event in
        handler(event)
        return .more
      })
  }

  /// Subscribes a closure for each kind of event. `onDisposed` runs once, after the terminal event or at the dispose.
  ///
  /// Without an `onError`, an error ends the subscription, and debug builds write a line about it to standard error. Otherwise it behaves
  /// like the form with one closure for all events.
  @inline(__always)
  @inlinable
  public func subscribe(
    onNext: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil
  ) -> any Disposable {
    // Most subscriptions pass only `onNext`. Inlined, the choice is made where the arguments are known.
    if let onNext, onError == nil, onCompleted == nil, onDisposed == nil { return subscribe(elements: onNext) }
    return subscribe(onNext, onError, onCompleted, onDisposed)
  }

  @inlinable
  func subscribe(elements onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
    let sink = Sink(each: onNext) { if let error = $0 { reportUnhandled(error, by: "subscribe", of: Element.self) } }
    return asObservable().connect(sink)
  }

  @inlinable
  func subscribe(
    _ onNext: (@Sendable (Element) -> Void)?, _ onError: (@Sendable (any Error) -> Void)?,
    _ onCompleted: (@Sendable () -> Void)?, _ onDisposed: (@Sendable () -> Void)?
  ) -> any Disposable {
    let disposed = onDisposed.map { Disposables.create($0) }
    let sink = Sink<Element>(
      each: { onNext?($0) },
      end: { error in
        if let error, onError == nil { reportUnhandled(error, by: "subscribe", of: Element.self) }
        if let error { onError?(error) } else { onCompleted?() }
        disposed?.dispose()
      })
    let subscription = asObservable().connect(sink)
    return disposed.map { Disposables.create(subscription, $0) } ?? subscription
  }

  /// Subscribes closures that get `owner`, which the subscription holds weakly.
  ///
  ///     viewModel.errorObservable.subscribe(with: self) { screen, error in screen.show(error) }.disposed(by: bag)
  ///
  /// Calls nothing once `owner` has been released. Otherwise it behaves like the form with a closure for each kind of event.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable>(
    with owner: Owner, onNext: @escaping @Sendable (Owner, Element) -> Void,
    onError: (@Sendable (Owner, any Error) -> Void)? = nil, onCompleted: (@Sendable (Owner) -> Void)? = nil
  ) -> any Disposable {
    let sink = Sink<Element>(
      each: { [weak owner] in if let owner { onNext(owner, $0) } },
      end: { [weak owner] error in
        if let error, onError == nil { reportUnhandled(error, by: "subscribe(with:)", of: Element.self) }
        guard let owner else { return }
        if let error { onError?(owner, error) } else { onCompleted?(owner) }
      })
    return asObservable().connect(sink)
  }
}
