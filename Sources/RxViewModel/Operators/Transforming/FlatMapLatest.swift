extension ObservableType {
  /// Maps each element to an inner stream, and sends only the elements of the latest inner stream.
  ///
  ///     source                --1-----2--------|
  ///     inner 1                 -a--b--c|
  ///     inner 2                       -x--y--z|
  ///     flatMapLatest(inner)  ---a--b--x--y--z-|
  ///
  /// A new element disposes the subscription to the previous inner stream, and drops its undelivered elements. The
  /// stream completes when the source and the last inner stream have completed. An error of a stream, or an error that
  /// `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func flatMapLatest<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    let source = asObservable()
    // Neither template: inner streams begin and end, and another thread must see at once which is the latest.
    return Observable { sink, scope in
      let latest = Guarded(LatestInner(), in: scope)
      let serial = Serial<SwitchInput<Result>>(in: scope) { input in
        forward(latest.withLock { $0.receive(input) }, to: sink)
      }
      scope.connect(source: source) { event in
        switch event.map({ try transform($0) }) {
        case .next(let inner):
          return serial.switchTo(inner, latest)
        case .error(let error):
          _ = serial.send((number: latest.withLock { $0.number }, event: .error(error)))
        case .completed:
          if let last = latest.withLock({ $0.sourceCompleted() }) { _ = serial.send((number: last, event: .completed)) }
        }
        return .noMore
      }
    }
  }

  /// Sends the elements of the latest inner stream of another type, such as a subject.
  ///
  ///     source                   --1-----|
  ///     inner 1                    -a--b--|
  ///     flatMapLatest(subjects)  ---a--b--|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func flatMapLatest<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Inner.Element> {
    flatMapLatest { try transform($0).asObservable() }
  }
}

/// An event of the inner stream with the given number. The operator's terminal event has the number of the latest one.
@usableFromInline typealias SwitchInput<Element: Sendable> = (number: UInt64, event: Event<Element>)

/// The state of one subscription to `flatMapLatest`: which inner stream is the latest, and which streams are alive.
@usableFromInline
struct LatestInner {
  @usableFromInline var number: UInt64 = 0
  /// The scope of the latest inner stream while it is alive.
  @usableFromInline var scope: Scope?
  @usableFromInline var isSourceAlive = true

  @inlinable
  init() {}

  /// Returns the event for the subscriber, if there is one.
  @inlinable
  mutating func receive<Element>(_ input: SwitchInput<Element>) -> Event<Element>? {
    guard input.number == number else { return nil }
    if !input.event.isCompleted { return input.event }
    scope = nil
    return isSourceAlive ? nil : .completed
  }

  /// Returns the number of the latest inner stream if the operator's stream is complete.
  @inlinable
  mutating func sourceCompleted() -> UInt64? {
    isSourceAlive = false
    return scope == nil ? number : nil
  }

}

extension Guarded<LatestInner> {
  /// Replaces the latest inner stream, and disposes the scope of the previous one. Returns the number of the new one.
  @inline(__always)
  @inlinable
  func replace(with scope: Scope?) -> UInt64 {
    var previous = scope
    let number = withLock { latest in
      latest.number += 1
      swap(&previous, &latest.scope)
      return latest.number
    }
    previous?.dispose()
    return number
  }
}

extension Serial {
  /// Disposes the previous inner stream of `flatMapLatest`, and subscribes to the new one.
  @inlinable
  func switchTo<Element>(_ inner: Observable<Element>, _ latest: Guarded<LatestInner>) -> Demand
  where Input == SwitchInput<Element> {
    if case .just(let element) = inner.representation {
      return send((number: latest.replace(with: nil), event: .next(element)))
    }
    guard let child = scope.child() else { return .noMore }
    let number = latest.replace(with: child)
    inner.connect(
      { [self] event in
        let demand = send((number: number, event: event))
        if event.isTerminal { child.dispose() }
        return child.isOpen ? demand : .noMore
      }, in: child)
    return isOpen ? .more : .noMore
  }
}
