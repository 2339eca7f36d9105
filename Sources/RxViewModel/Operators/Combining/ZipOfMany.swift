extension Observable {
  /// Combines the first elements of any number of sources, then their second elements, and so on.
  ///
  ///     a                --1----2---3----|
  ///     b                ----x----y-------------|
  ///     c                -o----p-|
  ///     zip(a, b, c, +)  ----1xo--(2yp|)
  ///
  /// Subscribes to the sources in their order. The stream completes when a source has completed and none of its
  /// elements waits; without a source it completes at once. Otherwise like the form with two sources.
  ///
  /// Each combined element costs O(n) for n sources. It costs more than in the form with two sources, because this form erases the types of
  /// the elements.
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    combining(repeat each sources, by: { .zip($0) }, transform)
  }

  /// Sends the first elements of any number of sources as a tuple, then their second elements, and so on.
  ///
  ///     a          --1-----2---3--|
  ///     b          ----x-y----------|
  ///     zip(a, b)  ----1x--2y-------|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Otherwise like the form with a closure.
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
  /// Without a source the stream completes at once. Otherwise like the form with two sources. Each array costs O(n) for n sources.
  @inlinable
  public static func zip<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    combining(sources, ZipOfManyState.init)
  }
}

/// The state of one subscription to `zip` of any number of sources: the elements that wait for their partners.
@usableFromInline
struct ZipOfManyState<Element: Sendable>: CombiningState {
  @usableFromInline var waiting: [Queue<Element>]
  @usableFromInline var isCompleted: [Bool]
  /// The number of sources without a waiting element.
  @usableFromInline var missing: Int
  @usableFromInline var isOver = false

  @inlinable
  init(count: Int) {
    waiting = Array(repeating: Queue(), count: count)
    isCompleted = Array(repeating: false, count: count)
    missing = count
  }

  @inlinable
  mutating func receive(_ input: SourceInput<Element>) -> Event<[Element]>? {
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
