extension Observable {
  /// Sends one element, then completes, both before `subscribe` returns.
  ///
  ///     just(1)  (1|)
  @inlinable
  public static func just(_ element: Element) -> Observable<Element> { Observable(.just(element)) }

  /// Sends the elements in order, then completes, all before `subscribe` returns.
  ///
  ///     of(1, 2, 3)  (1,2,3|)
  @inlinable
  public static func of(_ elements: Element...) -> Observable<Element> { from(elements) }

  /// Sends the elements of a sequence, then completes, all before `subscribe` returns.
  ///
  ///     from(1...3)  (1,2,3|)
  ///
  /// Each subscription iterates over the sequence again, and stops when its subscriber wants no more elements, so the sequence may be
  /// endless. If an operator such as `filter` drops the elements, a dispose stops the iteration within 256 elements.
  @inlinable
  public static func from(_ elements: some Sequence<Element> & Sendable) -> Observable<Element> {
    Observable { sink, scope in
      var count = 0
      for element in elements {
        if sink.next(element) == .noMore { return }
        count += 1
        // An operator that drops elements does not pass on that the scope is closed.
        if count.isMultiple(of: 256), !scope.isOpen { return }
      }
      sink.end(nil)
    }
  }

  /// Completes immediately.
  ///
  ///     empty()  |
  @inlinable
  public static func empty() -> Observable<Element> { Observable { sink, _ in sink.end(nil) } }

  /// Sends nothing and never ends.
  ///
  ///     never()  ----------
  @inlinable
  public static func never() -> Observable<Element> { Observable { _, _ in } }

  /// Ends with `error` immediately.
  ///
  ///     error(offline)  #
  @inlinable
  public static func error(_ error: any Error) -> Observable<Element> { Observable { sink, _ in sink.end(error) } }

  /// Calls `factory` for each subscription and subscribes to the stream that it returns.
  ///
  ///     source               --1--2--|
  ///     deferred { source }  --1--2--|
  ///
  /// An error that `factory` throws ends the stream.
  @inlinable
  public static func deferred(_ factory: @escaping @Sendable () throws -> Observable<Element>) -> Observable<Element> {
    Observable { sink, scope in
      let source: Observable<Element>
      do {
        source = try factory()
      } catch {
        return sink.end(error)
      }
      if scope.isOpen { source.connect(sink, in: scope) }
    }
  }
}
