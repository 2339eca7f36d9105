extension ObservableType {
  /// Subscribes an observer. The subscription retains the observer until it ends or is disposed.
  ///
  /// Otherwise like the form with one closure for all events.
  @inlinable
  public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
    subscribe { observer.on($0) }
  }

  /// Subscribes a closure that gets every event.
  ///
  /// The source replays on the calling thread, before this returns. It delivers later events on its own threads, one at a time. The
  /// subscription releases the closure at the terminal event or when the result is disposed.
  @inlinable
  public func subscribe(_ handler: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
    asObservable().connect { event in
      handler(event)
      return .more
    }
  }

  /// Subscribes a closure for each kind of event. `onDisposed` runs once, after the terminal event or at the dispose.
  ///
  /// Without an `onError`, an error ends the subscription silently. Otherwise like the form with one closure for all events.
  @inline(__always)
  @inlinable
  public func subscribe(
    onNext: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil
  ) -> any Disposable {
    // Most subscriptions pass only `onNext`. Inlined, the choice is made where the arguments are known.
    if let onNext, onError == nil, onCompleted == nil, onDisposed == nil {
      return asObservable().connect { event in
        if case .next(let element) = event { onNext(element) }
        return .more
      }
    }
    return subscribe(onNext, onError, onCompleted, onDisposed)
  }

  @inlinable
  func subscribe(
    _ onNext: (@Sendable (Element) -> Void)?, _ onError: (@Sendable (any Error) -> Void)?,
    _ onCompleted: (@Sendable () -> Void)?, _ onDisposed: (@Sendable () -> Void)?
  ) -> any Disposable {
    let end = onDisposed.map { Disposables.create($0) }
    let subscription = asObservable().connect { event in
      switch event {
      case .next(let element): onNext?(element)
      case .error(let error): onError?(error)
      case .completed: onCompleted?()
      }
      if event.isTerminal { end?.dispose() }
      return .more
    }
    return end.map { Disposables.create(subscription, $0) } ?? subscription
  }

  /// Passes every event to each of `observers`, in their order, on the thread on which the event arrives.
  ///
  /// The subscription retains them until it ends or is disposed.
  @inlinable
  public func bind(to observers: any ObserverType<Element>...) -> any Disposable {
    subscribe { event in
      for observer in observers { observer.on(event) }
    }
  }
}
