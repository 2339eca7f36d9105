import RxViewModel
import RxViewModelTesting

@testable import TestSupport

extension Event {
  var isElement: Bool { if case .next = self { true } else { false } }
  var isError: Bool { if case .error = self { true } else { false } }
  var isCompletion: Bool { if case .completed = self { true } else { false } }
  var isEnd: Bool { !isElement }
}

extension Recorded {
  var element: Element? { if case .next(let element) = event { element } else { nil } }
}

extension Events {
  /// The events up to and including the first terminal one.
  var untilTheEnd: Events {
    guard let end = firstIndex(where: \.event.isEnd) else { return self }
    return Array(self[...end])
  }

  func mapElements(_ transform: (Int) -> Int) -> Events {
    map { event in event.element.map { Recorded(event.time, .next(transform($0))) } ?? event }
  }

  func taking(_ count: Int) -> Events {
    guard self.count >= count, self[count - 1].event.isElement else { return self }
    return prefix(count) + [Recorded(self[count - 1].time, .completed)]
  }

  /// The events up to and including the first element for which `isLast` is true, followed by a completion.
  func takingThrough(_ isLast: (Int) -> Bool) -> Events {
    guard let last = firstIndex(where: { $0.element.map(isLast) ?? false }) else { return self }
    return self[...last] + [Recorded(self[last].time, .completed)]
  }

  func debounced(_ time: Duration) -> Events {
    indices.flatMap { index -> Events in
      let event = self[index]
      guard event.event.isElement else { return [event] }
      let due = Recorded(event.time + time, event.event)
      guard index + 1 < count, self[index + 1].time < due.time else { return [due] }
      let next = self[index + 1]
      return next.event.isCompletion ? [Recorded(next.time, event.event)] : []
    }
  }

  func throttled(_ time: Duration, _ latest: Bool) -> Events {
    var (result, end, pending): (Events, Duration?, Event<Int>?) = ([], nil, nil)
    func closeWindows(until now: Duration?) {
      while let closing = end, now.map({ closing < $0 }) ?? true {
        end = nil
        guard let trailing = pending else { return }
        pending = nil
        result.append(Recorded(closing, trailing))
        end = closing + time
      }
    }
    for event in self {
      closeWindows(until: event.time)
      if event.event.isError {
        return result + [event]
      } else if event.event.isCompletion {
        guard let trailing = pending else { return result + [event] }
        return result + [Recorded(end!, trailing), Recorded(end!, .completed)]
      } else if end == nil {
        result.append(event)
        end = event.time + time
      } else if latest {
        pending = event.event
      }
    }
    closeWindows(until: nil)
    return result
  }

  func timedOut(_ time: Duration, from start: Duration) -> Events {
    var (result, due): (Events, Duration) = ([], start + time)
    for event in self {
      if event.time > due { break }
      result.append(event)
      if event.event.isEnd { return result }
      due = event.time + time
    }
    return result + [Recorded(due, .error(RxError.timeout))]
  }

  /// The second subscriber subscribes after the first one has received the events that the source sends at once. If the source has
  /// completed by then, the second subscriber makes a connection of its own.
  func sharedByTwo(_ replay: Int, at start: Duration) -> Events {
    let atOnce = filter { $0.time == start }
    if let end = atOnce.last, end.event.isError { return atOnce }
    if let end = atOnce.last, end.event.isCompletion { return atOnce.dropLast() + atOnce }
    let later = dropFirst(atOnce.count).flatMap { $0.event.isElement ? [$0, $0] : [$0] }
    return atOnce + atOnce.suffix(replay) + later
  }

  /// The events of all lists, ordered by time and, at the same instant, by list.
  static func inOrder(_ lists: [Events]) -> [(source: Int, event: Recorded<Int>)] {
    lists.enumerated().flatMap { source, events in events.map { (source, $0) } }
      .enumerated().sorted { ($0.element.1.time, $0.offset) < ($1.element.1.time, $1.offset) }.map(\.element)
  }
}

// Operators with inner streams. At the instant of an outer element, the only other events are those that its inner stream sends while it
// is being subscribed.
extension Events {
  func flatMapped(_ start: (Int, Duration) -> Events) -> Events {
    Script.merged(map { event in event.element.map { start($0, event.time) } ?? [event] }, closing: !hasCompleted)
  }

  /// An element waits, in order, until fewer than `count` inner streams run.
  ///
  /// An inner stream that has waited starts inside the completion of another one. So what it sends at that instant comes before the events
  /// that a third one sends at the same instant.
  func flatMapped(atMost count: Int, _ start: (Int, Duration) -> Events) -> Events {
    // The time at which each place becomes free, and the list that ends then. Nil means never.
    var (lists, places): ([Events], [(time: Duration, list: Int?)?]) = (
      [], [(time: Duration, list: Int?)?](repeating: (.zero, nil), count: count)
    )
    for event in self {
      guard let element = event.element else {
        lists.append([event])
        continue
      }
      let free = places.indices.filter { places[$0] != nil }
      guard let place = free.min(by: { places[$0]!.time < places[$1]!.time }) else { continue }
      let (time, ended) = places[place]!
      var (inner, list) = (start(element, Swift.max(event.time, time)), lists.count)
      let end = inner.last.flatMap { $0.event.isCompletion ? $0.time : nil }
      if time > event.time, let ended {
        let atOnce = inner.prefix { $0.time == time && !$0.event.isCompletion }
        lists[ended].insert(contentsOf: atOnce, at: lists[ended].count - 1)
        inner.removeFirst(atOnce.count)
        if end == time { list = ended }
      }
      lists.append(inner)
      places[place] = end.map { ($0, list) }
    }
    return Script.merged(lists, closing: !hasCompleted)
  }

  func switched(_ start: (Int, Duration) -> Events) -> Events {
    var result: Events = []
    for (index, event) in enumerated() {
      guard let element = event.element else {
        return result + [event]
      }
      let inner = start(element, event.time)
      let next = index + 1 < count ? self[index + 1] : nil
      if let next, !next.event.isCompletion {
        // The next element, or an error, cuts the inner stream off.
        let kept = inner.filter { $0.time < next.time || $0.time == event.time }
        if let error = kept.last, error.event.isError { return result + kept }
        result += kept.filter(\.event.isElement)
      } else if let end = inner.last, end.event.isCompletion {
        result += inner.dropLast() + (next.map { [Recorded(Swift.max($0.time, end.time), .completed)] } ?? [])
        return result
      } else {
        return result + inner
      }
    }
    return result
  }

  func exhausted(_ start: (Int, Duration) -> Events) -> Events {
    inTurn(start) { element, freeAt in element.time >= freeAt ? element.time : nil }
  }

  func concatenated(_ start: (Int, Duration) -> Events) -> Events {
    inTurn(start) { element, freeAt in Swift.max(element.time, freeAt) }
  }

  /// Runs one inner stream at a time.
  ///
  /// - Parameter begin: Returns the time at which the element's inner stream begins, or nil to ignore the element. Its second argument is
  ///   the time at which the previous inner stream has ended.
  private func inTurn(
    _ start: (Int, Duration) -> Events, _ begin: (Recorded<Int>, Duration) -> Duration?
  ) -> Events {
    var (result, freeAt): (Events, Duration?) = ([], .zero)
    for event in self where event.event.isElement {
      guard let free = freeAt, let time = begin(event, free) else { continue }
      let inner = start(event.element!, time)
      result += inner.filter { !$0.event.isCompletion }
      if result.last?.event.isError == true { break }
      freeAt = inner.last.flatMap { $0.event.isCompletion ? $0.time : nil }
    }
    guard let end = last, end.event.isEnd else { return result }
    if end.event.isError {
      // The events that an inner stream sends at the instant of the error come before it.
      let kept = result.filter { $0.time <= end.time }
      return kept.last?.event.isError == true ? kept : kept + [end]
    }
    if let free = freeAt, result.last?.event.isError != true {
      result.append(Recorded(Swift.max(free, end.time), .completed))
    }
    return result
  }

  private var hasCompleted: Bool { last?.event.isCompletion == true }
}

// Operators with several sources.
extension Script {
  /// - Parameter isOpen: Whether the merged list has no completion even if all lists have one.
  static func merged(_ lists: [Events], closing isOpen: Bool = false) -> Events {
    var (result, left): (Events, Int) = ([], lists.count)
    for (_, event) in Events.inOrder(lists) {
      if event.event.isCompletion {
        left -= 1
        if left == 0, !isOpen { result.append(event) }
      } else {
        result.append(event)
        if event.event.isError { return result }
      }
    }
    return result
  }

  static func zipped(_ lists: [Events]) -> Events {
    var (result, waiting, ended): (Events, [[Int]], [Bool]) = ([], lists.map { _ in [] }, lists.map { _ in false })
    for (source, event) in Events.inOrder(lists) {
      if event.event.isError { return result + [event] }
      if let element = event.element { waiting[source].append(element) } else { ended[source] = true }
      if waiting.allSatisfy({ !$0.isEmpty }) {
        let elements = waiting.indices.map { waiting[$0].removeFirst() }
        result.append(Recorded(event.time, .next(elements.reduce(0) { $0 * 7 + $1 })))
      }
      if lists.indices.contains(where: { ended[$0] && waiting[$0].isEmpty }) {
        return result + [Recorded(event.time, .completed)]
      }
    }
    return result
  }

  static func combined(_ lists: [Events]) -> Events {
    var (result, latest, ended): (Events, [Int?], Int) = ([], lists.map { _ in nil }, 0)
    for (source, event) in Events.inOrder(lists) {
      if event.event.isError { return result + [event] }
      guard let element = event.element else {
        ended += 1
        // Without an element of each source nothing can be combined.
        if ended == lists.count || latest[source] == nil { return result + [event] }
        continue
      }
      latest[source] = element
      let known = latest.compactMap { $0 }
      if known.count == lists.count { result.append(Recorded(event.time, .next(known.reduce(0) { $0 * 7 + $1 }))) }
    }
    return result
  }

  static func sampled(_ a: Events, _ b: Events) -> Events {
    var (result, latest): (Events, Int?) = ([], nil)
    // `withLatestFrom` subscribes to the other source first.
    for (source, event) in Events.inOrder([b, a]) {
      if event.event.isError || source == 1 && event.event.isCompletion { return result + [event] }
      guard let element = event.element else { continue }
      if source == 0 {
        latest = element
      } else if let latest {
        result.append(Recorded(event.time, .next(element * 7 + latest)))
      }
    }
    return result
  }
}
