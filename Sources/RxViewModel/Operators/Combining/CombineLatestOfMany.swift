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
  /// it completes at once. Everything else is as with two sources.
  ///
  /// Each element costs one allocation and, once every source has sent an element, O(n) for n sources.
  @inlinable
  @_disfavoredOverload
  public static func combineLatest<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    let sources = (repeat (each sources).asObservable())
    var count = 0
    for _ in repeat each sources { count += 1 }
    return latest(of: count) { progress in
      let slots = (repeat LatestSlot(for: each sources, progress))
      return Slots { subscriptions, drain in
        repeat subscriptions.connect(each sources, to: drain, each slots)
      } combine: {
        try transform(repeat (each slots).latest())
      }
    }
  }

  /// Sends the latest elements of any number of sources as a tuple each time that one of them sends an element.
  ///
  ///     a                    --1-----2--------|
  ///     b                    ----x------y--|
  ///     combineLatest(a, b)  ----1x--2x-2y----|
  ///
  /// In the diagram `1x` is the tuple `(1, x)`. Everything else is as in the form with a closure.
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
  /// The stream completes when all sources have completed; without a source it completes at once. Everything else is as
  /// with two sources. Each element costs O(n) for n sources.
  @inlinable
  public static func combineLatest<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]>
  where Element == [Part] {
    let sources = sources.map { $0.asObservable() }
    return latest(of: sources.count) { progress in
      let slots = sources.map { LatestSlot(for: $0, progress) }
      return Slots { subscriptions, drain in
        for (source, slot) in Swift.zip(sources, slots) { subscriptions.connect(source, to: drain, slot) }
      } combine: {
        slots.map { $0.latest() }
      }
    }
  }

  @inlinable
  static func latest(
    of count: Int, _ makeSlots: @escaping @Sendable (LatestProgress) -> Slots<Element>
  ) -> Observable<Element> {
    if count == 0 { return .empty() }
    return Observable { sink in
      let progress = LatestProgress(count)
      let slots = makeSlots(progress)
      let combine = slots.combine
      let drain = Drain<SlotInput> { input in
        switch input {
        case .next(let store):
          store()
          return progress.empty > 0 || pass(Event(catching: combine), to: sink)
        case .error(let error):
          return pass(.error(error), to: sink)
        case .completed(let note):
          note()
          return progress.alive > 0 || pass(.completed, to: sink)
        }
      }
      let subscriptions = Subscriptions(closing: drain)
      slots.connect(subscriptions, drain)
      return subscriptions
    }
  }
}

/// How many sources of a `combineLatest` have not sent yet, and how many have not completed.
@usableFromInline
final class LatestProgress: @unchecked Sendable {  // Sendable: the drain's handler alone touches it.
  @usableFromInline var empty: Int
  @usableFromInline var alive: Int

  @inlinable
  init(_ count: Int) {
    empty = count
    alive = count
  }
}

/// The latest element of one source.
@usableFromInline
final class LatestSlot<Element: Sendable>: @unchecked Sendable {  // Sendable: the drain's handler alone touches it.
  @usableFromInline let progress: LatestProgress
  @usableFromInline var element: Element?

  @inlinable
  init(for source: Observable<Element>, _ progress: LatestProgress) {
    self.progress = progress
  }

  @inlinable
  func store(_ element: Element) {
    if self.element == nil { progress.empty -= 1 }
    self.element = element
  }

  /// The slot is filled. A function, because Swift 6.3 crashes at `(each slots).element!`.
  @inlinable
  func latest() -> Element {
    element!
  }
}

extension Subscriptions {
  @inlinable
  func connect<Element>(_ source: Observable<Element>, to drain: Drain<SlotInput>, _ slot: LatestSlot<Element>) {
    connect(source, to: drain) { event in
      switch event {
      case .next(let element): .next { slot.store(element) }
      case .error(let error): .error(error)
      case .completed: .completed { slot.progress.alive -= 1 }
      }
    }
  }
}
