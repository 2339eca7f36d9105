extension ObservableType {
  /// Calls closures for the events of a stream, and passes the events on.
  ///
  ///     source              --1--2--|
  ///     do(onNext: log)     --1--2--|
  ///     do(afterNext: log)  --1--2--|
  ///
  /// `onSubscribe` runs on the subscribing thread, before the operator subscribes to the source. `onNext`, `onError` and `onCompleted` run
  /// on the thread of their event, before the operator passes it on. `afterNext` runs there too, after the operator has passed the element
  /// on, also if the subscriber has disposed the subscription meanwhile:
  ///
  /// ```swift
  /// let shown = routes.do(onNext: { _ in pending.start() }, afterNext: { _ in pending.finish() })
  /// ```
  ///
  /// An error that `onNext`, `onError` or `onCompleted` throws replaces the event, and none of the others is called for it. An error that
  /// `afterNext` throws follows the element, unless the stream ends with that element. Both end the stream and the subscription to the
  /// source. `onDispose` runs once: after `onCompleted` or `onError` and before the subscriber gets the terminal event, or when the
  /// subscription is disposed.
  @inlinable
  public func `do`(
    onNext: (@Sendable (Element) throws -> Void)? = nil,
    afterNext: (@Sendable (Element) throws -> Void)? = nil,
    onError: (@Sendable (any Error) throws -> Void)? = nil,
    onCompleted: (@Sendable () throws -> Void)? = nil,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onDispose: (@Sendable () -> Void)? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    // No template: `onSubscribe` may dispose the subscription.
    return Observable { sink, scope in
      if let onDispose { scope.add(Disposables.create(onDispose)) }
      if !scope.isOpen { return }
      onSubscribe?()
      if !scope.isOpen { return }
      source.connect(
        Sink { element in
          do { try onNext?(element) } catch { return sink.fail(error) }
          let demand = sink.next(element)
          do { try afterNext?(element) } catch { return demand == .more ? sink.fail(error) : .noMore }
          return demand
        } end: { end in
          do { if let end { try onError?(end) } else { try onCompleted?() } } catch { return sink.end(error) }
          sink.end(end)
        }, in: scope)
    }
  }
}
