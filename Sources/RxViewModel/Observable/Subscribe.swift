extension ObservableType {
  /// Subscribes an observer. The subscription holds it until it ends or is disposed.
  @inlinable
  public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
    asObservable().connect { event in
      observer.on(event)
      return .more
    }
  }

  /// Subscribes a closure that gets every event.
  ///
  /// What the source replays is delivered on this thread before this returns; the rest on the source's threads, one event
  /// at a time. The closure, with what it holds, is dropped at the end or when the result is disposed.
  @inlinable
  public func subscribe(_ handler: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
    asObservable().connect { event in
      handler(event)
      return .more
    }
  }

  /// Subscribes a closure per kind of event. `onDisposed` runs once, at the terminal event or at dispose.
  ///
  /// An error for which no `onError` is given ends the subscription in silence.
  @inlinable
  public func subscribe(
    onNext: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil
  ) -> any Disposable {
    let source = onDisposed == nil ? asObservable() : self.do(onDispose: onDisposed)
    if let onNext, onError == nil, onCompleted == nil {
      // The closure that most subscriptions have holds no more than it needs.
      return source.connect { event in
        event.visit { element in
          onNext(element)
        } error: { _ in
        } completed: {
        }
        return .more
      }
    }
    return source.connect { event in
      event.visit { element in
        onNext?(element)
      } error: { error in
        onError?(error)
      } completed: {
        onCompleted?()
      }
      return .more
    }
  }

  /// Passes every event on to each of `observers`, in their order, where it comes.
  ///
  /// The subscription holds them until it ends or is disposed.
  @inlinable
  public func bind(to observers: any ObserverType<Element>...) -> any Disposable {
    subscribe { event in
      for observer in observers { observer.on(event) }
    }
  }
}
