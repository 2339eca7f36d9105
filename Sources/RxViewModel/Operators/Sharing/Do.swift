extension ObservableType {
  /// Calls closures for the events of a stream, and passes the events on.
  ///
  ///     source              --1--2--|
  ///     do(onNext: log)     --1--2--|
  ///     do(afterNext: log)  --1--2--|
  ///
  /// `onSubscribe` runs on the subscribing thread, before the operator subscribes to the source. `onNext`, `onError` and `onCompleted` run
  /// on the thread of their event, before the operator passes it on. `afterNext`, `afterError` and `afterCompleted` run there too, after
  /// the operator has passed it on, also if the subscriber has disposed the subscription meanwhile:
  ///
  /// ```swift
  /// let shown = routes.do(onNext: { _ in pending.start() }, afterNext: { _ in pending.finish() })
  /// ```
  ///
  /// An error that `onNext`, `onError` or `onCompleted` throws replaces the event, and none of the others is called for it. An error that
  /// `afterNext` throws follows the element. Both end the stream and the subscription to the source. `onDispose` runs once: after
  /// `onCompleted` or `onError` and before the subscriber gets the terminal event, or when the subscription is disposed.
  @inlinable
  public func `do`(
    onNext: (@Sendable (Element) throws -> Void)? = nil,
    afterNext: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    afterError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    afterCompleted: (@Sendable () -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Observable<Element> {
    let before = eventHandler(onNext, onError, onCompleted), after = eventHandler(afterNext, afterError, afterCompleted)
    let watched: Observable<Element> = .lifting(asObservable()) { sink in
      onSubscribe?()
      return { event in
        if let error = before(event) { return forward(.error(error), to: sink) }
        let demand = forward(event, to: sink)
        return after(event).map { forward(.error($0), to: sink) } ?? demand
      }
    }
    guard let onDispose else { return watched }
    return watched.onEnd { Disposables.create(onDispose) }
  }
}

/// Makes a closure that calls one of three, and returns the error that it throws. Made once for a stream: converting the closures for each
/// event would enlarge the frame of the event (contract 1.6).
@inlinable
func eventHandler<Element>(
  _ onNext: (@Sendable (Element) throws -> Void)?, _ onError: (@Sendable (any Error) throws -> Void)?,
  _ onCompleted: (@Sendable () throws -> Void)?
) -> @Sendable (Event<Element>) -> (any Error)? {
  { event in
    do {
      switch event {
      case .next(let element): try onNext?(element)
      case .error(let error): try onError?(error)
      case .completed: try onCompleted?()
      }
      return nil
    } catch {
      return error
    }
  }
}

extension Observable {
  /// Calls `resource` for each subscription, and disposes its result after the terminal event, or when the subscription is disposed or cut
  /// off.
  @inlinable
  func onEnd(_ resource: @escaping @Sendable () -> any Disposable) -> Observable {
    // No template: the scope holds one resource more, and the events stay as they are.
    Observable { sink, scope in
      scope.add(resource())
      if scope.isOpen { connect(sink, in: scope) }
    }
  }
}
