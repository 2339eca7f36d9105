extension Observable {
  /// Combines the first elements of any number of sources, then their second elements, and so on.
  ///
  ///     a                --1----2---3----|
  ///     b                ----x----y-------------|
  ///     c                -o----p-|
  ///     zip(a, b, c, +)  ----1xo--(2yp|)
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return Observable<[any Sendable]>.zip(erased).map { elements in
      var elements = elements.makeIterator()
      return try transform(repeat next(each types, of: &elements))
    }
  }

  /// Tuple.
  ///
  ///     a          --1-----2---3--|
  ///     b          ----x-y----------|
  ///     zip(a, b)  ----1x--2y-------|
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> where Element == (repeat (each Source).Element) {
    zip(repeat each sources, transform: { (element: repeat (each Source).Element) in (repeat each element) })
  }

  /// Array.
  ///
  ///     a            --1--------2---3--|
  ///     b            ----x-y----------|
  ///     zip([a, b])  ----[1,x]--[2,y]-|
  @inlinable
  public static func zip<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    let sources = sources.map { $0.asObservable() }
    if sources.isEmpty { return .empty() }
    return Observable { sink, scope in
      let waiting = SubscriptionState([Queue<Part>](repeating: Queue(), count: sources.count))
      let ended = SubscriptionState([Bool](repeating: false, count: sources.count))
      let places = sources.indices
      let isOver: @Sendable () -> Bool = { places.contains { ended.value[$0] && waiting.value[$0].isEmpty } }
      let missing = SubscriptionState(sources.count)
      let serial = Serial<(Int, Event<Part>)>(in: scope) { input in
        switch input.1 {
        case .next(let element):
          if waiting.value[input.0].isEmpty { missing.value -= 1 }
          waiting.value[input.0].append(element)
          if missing.value > 0 { return .more }
        case .error(let error): return forward(.error(error), to: sink)
        case .completed:
          ended.value[input.0] = true
          return isOver() ? forward(.completed, to: sink) : .more
        }
        let elements = places.map { waiting.value[$0].popFirst()! }
        missing.value = places.count { waiting.value[$0].isEmpty }
        return isOver() ? finish(with: .next(elements), sink) : sink(.next(elements))
      }
      for (index, source) in sources.enumerated() { scope.connect(source) { serial.send((index, $0)) } }
    }
  }
}
