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
  /// `afterNext` throws follows the element. Both end the stream and the subscription to the source. `onDispose` runs once: when the
  /// subscriber has received the terminal event, or when the subscription is disposed. A closure for after the event in which that happens
  /// runs after it.
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
    let watched = Observable.lifting(asObservable()) { sink in
      onSubscribe?()
      return { event in
        do {
          switch event {
          case .next(let element):
            try onNext?(element)
            guard let afterNext else { break }
            let demand = sink(event)
            try afterNext(element)
            return demand
          case .error(let error):
            try onError?(error)
            guard let afterError else { break }
            _ = sink(event)
            afterError(error)
            return .noMore
          case .completed:
            try onCompleted?()
            guard let afterCompleted else { break }
            _ = sink(event)
            afterCompleted()
            return .noMore
          }
        } catch {
          return forward(.error(error), to: sink)
        }
        return forward(event, to: sink)
      }
    }
    guard let onDispose else { return watched }
    return watched.onEnd { Disposables.create(onDispose) }
  }
}

extension Observable {
  /// Calls `resource` for each subscription, and disposes its result after the terminal event, or when the subscription is disposed or cut
  /// off.
  @inlinable
  func onEnd(_ resource: @escaping @Sendable () -> any Disposable) -> Observable {
    // Neither template: the scope holds one resource more, and the events stay as they are.
    Observable { sink, scope in
      scope.add(resource())
      if scope.isOpen { connect(sink, in: scope) }
    }
  }
}
