extension Observable {
  /// Combines the first elements of any number of sources, then their second elements, and so on.
  ///
  ///     a                --1----2---3----|
  ///     b                ----x----y-------------|
  ///     c                -o----p-|
  ///     zip(a, b, c, +)  ----1xo--(2yp|)
  ///
  /// Subscribes to the sources in their order. Without a source the stream completes immediately. Otherwise it behaves like the form with
  /// two sources.
  ///
  /// Each combined element costs O(n) for n sources. It costs more than in the form with two sources, because this form erases the types of
  /// the elements.
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    joining(repeat each sources, by: { .zip($0) }, transform)
  }

  /// Sends the first elements of any number of sources as a tuple, then their second elements, and so on.
  ///
  ///     a          --1-----2---3--|
  ///     b          ----x-y----------|
  ///     zip(a, b)  ----1x--2y-------|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Otherwise it behaves like the form with a closure.
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
  /// Without a source the stream completes immediately. Otherwise it behaves like the form with two sources. Each array costs O(n) for n
  /// sources.
  @inlinable
  public static func zip<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    .joining(sources.map { $0.asObservable() }, ElementsOfMany<Part>(count: sources.count, areKept: false)) {
      try $0.receive($1.0, $1.1, $2)
    }
  }
}
