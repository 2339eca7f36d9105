extension ObservableType {
  /// Sends each element, then maps it to an inner stream and sends the elements of that stream in the same way.
  ///
  ///     source         --1--|
  ///     inner 1          ---2|
  ///     inner 2             ---3|
  ///     inner 3                |
  ///     expand(inner)  --1--2--3|
  ///
  /// Calls `transform` with an element after the subscriber has received it, on the same thread. Subscribes to inner streams that send
  /// synchronously one after the other, so their elements arrive level by level. The stack does not grow with the levels. The inner streams
  /// may send from several threads; the operator sends their elements one at a time. The stream completes when the source and all inner
  /// streams have completed. An error of a stream, or an error that `transform` throws, ends the stream and all subscriptions.
  @inlinable
  public func expand(
    _ transform: @escaping @Sendable (Element) throws -> Observable<Element>
  ) -> Observable<Element> {
    let source = asObservable()
    // Neither template: it subscribes to a stream of the handler after the handler has returned. Otherwise the elements of a stream that
    // sends synchronously, perhaps without end, would wait in the queue.
    return Observable { sink, scope in
      let running = SubscriptionState(1)
      let made = Guarded(Queue<Observable<Element>>(), in: scope)
      let elements = Serial<Event<Element>>(in: scope) { event in
        guard case .next(let element) = event else {
          return running.isOneOfSeveralEnds(event) ? .more : forward(event, to: sink)
        }
        guard sink(event) == .more, scope.isOpen else { return .noMore }
        do {
          let inner = try transform(element)
          running.value += 1
          made.withLock { $0.append(inner) }
          return .more
        } catch {
          return scope.isOpen ? forward(.error(error), to: sink) : .noMore
        }
      }
      let inners = Serial<Expansion<Element>.Inner>(in: scope) { inner in
        scope.connect(inner: inner.stream, inner.sink)
        return .more
      }
      let expansion = Expansion(elements, inners, made)
      scope.connect(source: source) { expansion.send($0) }
    }
  }

  /// Sends each element, then maps it to an inner stream of another type, such as a subject, and sends the elements of that stream in the
  /// same way.
  ///
  ///     source            --1--|
  ///     inner 1             ---2|
  ///     inner 2                |
  ///     expand(subjects)  --1--2|
  ///
  /// Otherwise like the form whose closure returns an ``Observable``.
  @inlinable
  public func expand<Inner: ObservableType>(
    _ transform: @escaping @Sendable (Element) throws -> Inner
  ) -> Observable<Element> where Inner.Element == Element {
    expand { try transform($0).asObservable() }
  }
}

/// One subscription to `expand`: the queue of its elements, and the queue of the inner streams that are still to be subscribed.
@usableFromInline
struct Expansion<Element: Sendable>: Sendable {
  /// With its sink, because the handler that subscribes to it must not retain its own queue.
  @usableFromInline typealias Inner = (stream: Observable<Element>, sink: Observable<Element>.Sink)

  @usableFromInline let elements: Serial<Event<Element>>
  /// Subscribes to one inner stream after the other.
  @usableFromInline let inners: Serial<Inner>
  /// The inner streams that the handler of the elements has made.
  @usableFromInline let made: Guarded<Queue<Observable<Element>>>

  @inlinable
  init(_ elements: Serial<Event<Element>>, _ inners: Serial<Inner>, _ made: Guarded<Queue<Observable<Element>>>) {
    (self.elements, self.inners, self.made) = (elements, inners, made)
  }

  /// Sends an event to the handler. If this call has handled it, subscribes to the inner streams that the handler has made, unless a frame
  /// further up the stack, or another thread, does that.
  @inlinable
  func send(_ event: Event<Element>) -> Demand {
    guard let demand = elements.handle(event) else { return .more }
    while let inner = made.withLock({ $0.popFirst() }) { _ = inners.send((inner, { send($0) })) }
    return demand
  }
}
