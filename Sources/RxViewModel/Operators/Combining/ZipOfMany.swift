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
  /// Each element costs one allocation; each combined element costs O(n) for n sources.
  @inlinable
  @_disfavoredOverload
  public static func zip<each Source: ObservableType>(
    _ sources: repeat each Source,
    transform: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    let sources = (repeat (each sources).asObservable())
    var count = 0
    for _ in repeat each sources { count += 1 }
    return zipped(of: count) { progress in
      let slots = (repeat ZipSlot(for: each sources, progress))
      return Slots { subscriptions, drain in
        repeat subscriptions.connect(each sources, to: drain, each slots)
      } combine: {
        try transform(repeat (each slots).popFirst())
      }
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
  public static func zip<Part>(_ sources: [some ObservableType<Part>]) -> Observable<[Part]> where Element == [Part] {
    let sources = sources.map { $0.asObservable() }
    return zipped(of: sources.count) { progress in
      let slots = sources.map { ZipSlot(for: $0, progress) }
      return Slots { subscriptions, drain in
        for (source, slot) in Swift.zip(sources, slots) { subscriptions.connect(source, to: drain, slot) }
      } combine: {
        slots.map { $0.popFirst() }
      }
    }
  }

  @inlinable
  static func zipped(
    of count: Int, _ makeSlots: @escaping @Sendable (ZipProgress) -> Slots<Element>
  ) -> Observable<Element> {
    if count == 0 { return .empty() }
    return Observable { sink in
      let progress = ZipProgress(count)
      let slots = makeSlots(progress)
      let combine = slots.combine
      // Disposed with the rest: tells the handler whether the callback of a combined element has disposed all.
      let open = Subscriptions()
      let drain = Drain<SlotInput> { input in
        switch input {
        case .next(let store):
          store()
          if progress.empty > 0 { return true }
          let event = Event(catching: combine)
          if !progress.isOver { return pass(event, to: sink) }
          open.finish(with: event, sink)
          return false
        case .error(let error):
          return pass(.error(error), to: sink)
        case .completed(let note):
          note()
          return !progress.isOver || pass(.completed, to: sink)
        }
      }
      let subscriptions = Subscriptions(closing: drain)
      subscriptions.hold(open)
      slots.connect(subscriptions, drain)
      return subscriptions
    }
  }
}

/// How many sources of a `zip` have no element waiting, and whether one of these has completed.
@usableFromInline
final class ZipProgress: @unchecked Sendable {  // Sendable: the drain's handler alone touches it.
  @usableFromInline var empty: Int
  /// No further combination is possible.
  @usableFromInline var isOver = false

  @inlinable
  init(_ count: Int) {
    empty = count
  }
}

/// The elements of one source that wait for their partners.
@usableFromInline
final class ZipSlot<Element: Sendable>: @unchecked Sendable {  // Sendable: the drain's handler alone touches it.
  @usableFromInline let progress: ZipProgress
  @usableFromInline var waiting = Queue<Element>()
  @usableFromInline var isCompleted = false

  @inlinable
  init(for source: Observable<Element>, _ progress: ZipProgress) {
    self.progress = progress
  }

  @inlinable
  func append(_ element: Element) {
    if waiting.isEmpty { progress.empty -= 1 }
    waiting.append(element)
  }

  @inlinable
  func popFirst() -> Element {
    let element = waiting.popFirst()!
    if waiting.isEmpty {
      progress.empty += 1
      if isCompleted { progress.isOver = true }
    }
    return element
  }

  @inlinable
  func complete() {
    isCompleted = true
    if waiting.isEmpty { progress.isOver = true }
  }
}

extension Subscriptions {
  @inlinable
  func connect<Element>(_ source: Observable<Element>, to drain: Drain<SlotInput>, _ slot: ZipSlot<Element>) {
    connect(source, to: drain) { event in
      switch event {
      case .next(let element): .next { slot.append(element) }
      case .error(let error): .error(error)
      case .completed: .completed { slot.complete() }
      }
    }
  }
}
