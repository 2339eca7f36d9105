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
    let watched = Observable.lifting(asObservable()) { sink in
      onSubscribe?()
      return { event in
        var passed = event
        do {
          switch event {
          case .next(let element): try onNext?(element)
          case .error(let error): try onError?(error)
          case .completed: try onCompleted?()
          }
        } catch {
          passed = .error(error)
        }
        return forward(passed, to: sink)
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
