extension Observable {
  /// Combines the first elements of any number of sources, then their second elements, and so on.
  ///
  ///     a                --1----2---3----|
  ///     b                ----x----y-------------|
  ///     c                -o----p-|
  ///     zip(a, b, c, +)  ----1xo--(2yp|)
  ///
  /// Subscribes to the sources in their order. The stream completes when a source has completed and none of its
  /// elements waits; without a source it completes at once. Everything else is as with two sources.
  ///
  /// Each combined element costs O(n) for n sources, and more than in the form with two sources, because the types of
  /// the elements are erased on the way.
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    // The types, and not the sources: the closure below is held by the sources.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return Observable<[any Sendable]>.zip(erased).map { elements in
      var elements = ErasedElements(elements)
      return try transform(repeat elements.read(each types))
    }
  }

  /// Sends the first elements of any number of sources as a tuple, then their second elements, and so on.
  ///
  ///     a          --1-----2---3--|
  ///     b          ----x-y----------|
  ///     zip(a, b)  ----1x--2y-------|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Everything else is as in the form with a closure.
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> where Element == (repeat (each Source).Element) {
    zip(repeat each sources, transform: { (element: repeat (each Source).Element) in (repeat each element) })
  }

  /// Sends the first elements of all `sources` as an array, in their order, then their second elements, and so on.
  ///
  ///     a            --1--------2---3--|
  ///     b            ----x-y----------|
  ///     zip([a, b])  ----[1,x]--[2,y]-|
  ///
  /// Without a source the stream completes at once. Everything else is as with two sources. Each array costs O(n) for n
  /// sources.
  @inlinable
  public static func zip<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    if sources.isEmpty { return .empty() }
    return .composing(sources.map { $0.asObservable() }) { sources, sink in
      let state = SubscriptionState(ZipOfManyState<Part>(count: sources.count))
      // Disposed with the other subscriptions: tells the handler whether the callback of an element has disposed all.
      let open = CompositeDisposable()
      let serializer = EventSerializer<SourceInput<Part>> { input in
        guard let event = state.value.zip(input) else { return .more }
        if !state.value.isOver { return forward(event, to: sink) }
        open.finish(with: event, sink)
        return .noMore
      }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(open)
      return subscriptions.connecting(sources, to: serializer)
    }
  }
}

/// The state of one subscription to `zip` of any number of sources: the elements that wait for their partners.
@usableFromInline
struct ZipOfManyState<Element: Sendable> {
  @usableFromInline var waiting: [Queue<Element>]
  @usableFromInline var isCompleted: [Bool]
  /// How many sources have no element that waits.
  @usableFromInline var missing: Int
  /// No further combination is possible.
  @usableFromInline var isOver = false

  @inlinable
  init(count: Int) {
    waiting = Array(repeating: Queue(), count: count)
    isCompleted = Array(repeating: false, count: count)
    missing = count
  }

  @inlinable
  mutating func zip(_ input: SourceInput<Element>) -> Event<[Element]>? {
    switch input.event {
    case .next(let element):
      if waiting[input.index].isEmpty { missing -= 1 }
      waiting[input.index].append(element)
      return missing == 0 ? .next(popFirst()) : nil
    case .error(let error):
      return .error(error)
    case .completed:
      isCompleted[input.index] = true
      if waiting[input.index].isEmpty { isOver = true }
      return isOver ? .completed : nil
    }
  }

  @inlinable
  mutating func popFirst() -> [Element] {
    waiting.indices.map { index in
      let element = waiting[index].popFirst()!
      if waiting[index].isEmpty {
        missing += 1
        if isCompleted[index] { isOver = true }
      }
      return element
    }
  }
}
