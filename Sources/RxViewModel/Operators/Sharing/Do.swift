extension ObservableType {
  /// Looks at what passes and passes it on.
  ///
  /// `onSubscribe` runs before the source is subscribed. `onNext`, `onError` and `onCompleted` run before the event is
  /// passed on; an error that one of them throws takes the event's place and ends the stream and the subscription to the
  /// source. `onDispose` runs once: behind the terminal event, or when the subscription is disposed or cut off.
  @inlinable
  public func `do`(
    onNext: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    let watched = Observable<Element> { sink in
      onSubscribe?()
      return source.connect { event in
        pass(event.watched(onNext, onError, onCompleted), to: sink)
      }
    }
    guard let onDispose else { return watched }
    return watched.onEnd(onDispose)
  }
}

extension Event {
  /// The event, shown to the closure for its kind, or the error that this threw.
  @inlinable
  func watched(
    _ onNext: ((Element) throws -> Void)?,
    _ onError: ((any Error) throws -> Void)?,
    _ onCompleted: (() throws -> Void)?
  ) -> Event {
    do {
      switch self {
      case .next(let element): try onNext?(element)
      case .error(let error): try onError?(error)
      case .completed: try onCompleted?()
      }
      return self
    } catch {
      return .error(error)
    }
  }
}

extension Observable {
  /// Runs `action` once: behind the terminal event, or when the subscription is disposed or cut off.
  @inlinable
  func onEnd(_ action: @escaping @Sendable () -> Void) -> Observable {
    Observable { sink in
      let subscriptions = Subscriptions()
      let key = subscriptions.reserve()
      subscriptions.hold(Disposables.create(action))
      let subscription = connect { event in
        let isWanted = pass(event, to: sink)
        if !isWanted { subscriptions.dispose() }
        return isWanted
      }
      subscriptions.set(key, to: subscription)
      return subscriptions
    }
  }
}
