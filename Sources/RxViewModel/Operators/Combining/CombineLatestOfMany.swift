extension Observable {
  /// Combines the latest elements of any number of sources each time that one of them sends an element.
  ///
  ///     a                             --1-------------2---|
  ///     b                             ----x----------------y---|
  ///     c                             ------o--|
  ///     d                             -p---------q--|
  ///     combineLatest(a, b, c, d, +)  ------1xop-1xoq-2xoq-2yoq|
  ///
  /// Subscribes to the sources in their order. The stream completes when all sources have completed; without a source
  /// it completes at once. Otherwise like the form with two sources.
  ///
  /// Once every source has sent an element, each element costs O(n) for n sources. It costs more than in the forms with two and three
  /// sources, because this form erases the types of the elements.
  @inlinable
  @_disfavoredOverload
  public static func combineLatest<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    // Captures the types and not the sources, because the sources retain the closure below.
    let types = (repeat (each Source).Element.self)
    var erased: [Observable<any Sendable>] = []
    for source in repeat each sources { erased.append(source.asObservable().map { $0 }) }
    return Observable<[any Sendable]>.combineLatest(erased).map { elements in
      var elements = elements.makeIterator()
      return try transform(repeat next(each types, of: &elements))
    }
  }

  /// Sends the latest elements of any number of sources as a tuple each time that one of them sends an element.
  ///
  ///     a                    --1-----2--------|
  ///     b                    ----x------y--|
  ///     combineLatest(a, b)  ----1x--2x-2y----|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Otherwise like the form with a closure.
  @inlinable
  @_disfavoredOverload
  public static func combineLatest<each Source: ObservableType>(
    _ sources: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> where Element == (repeat (each Source).Element) {
    combineLatest(repeat each sources, transform: { (element: repeat (each Source).Element) in (repeat each element) })
  }

  /// Sends the latest elements of all `sources` as an array, in their order, each time that one of them sends an
  /// element.
  ///
  ///     a                      --1-------2-------|
  ///     b                      ----x-----------y----|
  ///     combineLatest([a, b])  ----[1,x]-[2,x]-[2,y]|
  ///
  /// The stream completes when all sources have completed; without a source it completes at once. Otherwise like the form with two sources.
  /// Each element costs O(n) for n sources.
  @inlinable
  public static func combineLatest<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    .joining(sources.map { $0.asObservable() }, LatestOfMany<Part>(count: sources.count)) { $0.receive($1, $2) }
  }
}

/// Returns the next type-erased element. Precondition: it has this type.
@inlinable
func next<Element>(_ type: Element.Type, of elements: inout IndexingIterator<[any Sendable]>) -> Element {
  elements.next() as! Element
}

/// The state of one subscription to `combineLatest` of any number of sources.
@usableFromInline
struct LatestOfMany<Element: Sendable>: Sendable {
  /// The latest element of each source, nil for a source that has not sent one.
  @usableFromInline var latest: [Element?]
  @usableFromInline var (missing, alive): (Int, Int)

  @inlinable
  init(count: Int) {
    (latest, missing, alive) = (Array(repeating: nil, count: count), count, count)
  }

  @inlinable
  mutating func receive(_ index: Int, _ event: Event<Element>) -> Event<[Element]>? {
    switch event {
    case .next(let element):
      if latest[index] == nil { missing -= 1 }
      latest[index] = element
      return missing == 0 ? .next(latest.map { $0! }) : nil
    case .error(let error): return .error(error)
    case .completed:
      alive -= 1
      return alive == 0 || latest[index] == nil ? .completed : nil
    }
  }
}
