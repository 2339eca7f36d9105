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
    let watch = { @Sendable (sink: Sink<Element>) -> Sink<Element> in
      onSubscribe?()
      return Sink { element in
        do { try onNext?(element) } catch { return sink.fail(error) }
        let demand = sink.next(element)
        do { try afterNext?(element) } catch { return demand == .more ? sink.fail(error) : .noMore }
        return demand
      } end: { end in
        do { if let end { try onError?(end) } else { try onCompleted?() } } catch { return sink.end(error) }
        sink.end(end)
      }
    }
    guard let onDispose else { return .lifting(source, watch) }
    // Not `onEnd`, which would be another level of the stack.
    return Observable { sink, scope in
      scope.add(Disposables.create(onDispose))
      if scope.isOpen { source.connect(watch(sink), in: scope) }
    }
  }
}

extension Observable {
  /// Calls `resource` for each subscription, and disposes its result when the scope closes: before the subscriber gets the terminal event,
  /// or when the subscription is disposed.
  @inlinable
  func onEnd(_ resource: @escaping @Sendable () -> any Disposable) -> Observable {
    // No template: the scope holds one resource more, and the events stay as they are.
    Observable { sink, scope in
      scope.add(resource())
      if scope.isOpen { connect(sink, in: scope) }
    }
  }
}
