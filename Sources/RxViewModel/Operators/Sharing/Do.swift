extension ObservableType {
  /// Calls closures for the events of a stream, and passes the events on.
  ///
  ///     source           --1--2--|
  ///     do(onNext: log)  --1--2--|
  ///
  /// `onSubscribe` runs on the subscribing thread, before the operator subscribes to the source. `onNext`, `onError` and `onCompleted` run
  /// on the thread of their event, before the operator passes it on. An error that one of them throws replaces the event, and ends the
  /// stream and the subscription to the source. `onDispose` runs once: after the terminal event, or when the subscription is disposed.
  @inlinable
  public func `do`(
    onNext: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Observable<Element> {
    let taps = EventTaps(onNext: onNext, onError: onError, onCompleted: onCompleted)
    let watched = Observable.lifting(asObservable()) { sink in
      onSubscribe?()
      return { forward(taps.show($0), to: sink) }
    }
    guard let onDispose else { return watched }
    return watched.onEnd { Disposables.create(onDispose) }
  }
}

/// The closures of a `do` that see its events.
@usableFromInline
struct EventTaps<Element: Sendable>: Sendable {
  @usableFromInline let onNext: (@Sendable (Element) throws -> Void)?
  @usableFromInline let onError: (@Sendable (any Error) throws -> Void)?
  @usableFromInline let onCompleted: (@Sendable () throws -> Void)?

  @inlinable
  init(
    onNext: (@Sendable (Element) throws -> Void)?, onError: (@Sendable (any Error) throws -> Void)?,
    onCompleted: (@Sendable () throws -> Void)?
  ) {
    self.onNext = onNext
    self.onError = onError
    self.onCompleted = onCompleted
  }

  /// Calls the closure for the kind of event. Returns the event, or the error that the closure throws.
  @inlinable
  func show(_ event: Event<Element>) -> Event<Element> {
    do {
      switch event {
      case .next(let element): try onNext?(element)
      case .error(let error): try onError?(error)
      case .completed: try onCompleted?()
      }
      return event
    } catch {
      return .error(error)
    }
  }
}

extension Observable {
  /// Calls `resource` for each subscription, and disposes its result after the terminal event, or when the subscription is disposed or cut
  /// off.
  @inlinable
  func onEnd(_ resource: @escaping @Sendable () -> any Disposable) -> Observable {
    .composing(self) { source, sink in
      let subscriptions = CompositeDisposable()
      let key = subscriptions.reserve()
      subscriptions.add(resource())
      return subscriptions.connecting(source, key) { event in
        subscriptions.dispose(unlessWanted: forward(event, to: sink))
      }
    }
  }
}
