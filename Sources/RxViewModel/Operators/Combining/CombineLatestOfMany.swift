extension Observable {
  /// Combines the latest elements of any number of sources each time that one of them sends an element.
  ///
  ///     a                             --1-------------2---|
  ///     b                             ----x----------------y---|
  ///     c                             ------o--|
  ///     d                             -p---------q--|
  ///     combineLatest(a, b, c, d, +)  ------1xop-1xoq-2xoq-2yoq|
  ///
  /// Subscribes to the sources in their order. Without a source the stream completes immediately. Otherwise it behaves like the form with
  /// two sources.
  ///
  /// Once every source has sent an element, each element costs O(n) for n sources. It costs more than in the forms with two and three
  /// sources, because this form erases the types of the elements.
  @inlinable
  @_disfavoredOverload
  public static func combineLatest<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    joining(repeat each sources, by: { .combineLatest($0) }, transform)
  }

  /// Sends the latest elements of any number of sources as a tuple each time that one of them sends an element.
  ///
  ///     a                    --1-----2--------|
  ///     b                    ----x------y--|
  ///     combineLatest(a, b)  ----1x--2x-2y----|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Otherwise it behaves like the form with a closure.
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
  /// Without a source the stream completes immediately. Otherwise it behaves like the form with two sources. Each element costs O(n) for n
  /// sources.
  @inlinable
  public static func combineLatest<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    .joining(sources.map { $0.asObservable() }, ElementsOfMany<Part>(count: sources.count, areKept: true)) {
      try $0.receive($1.0, $1.1, $2)
    }
  }
}
