import RxViewModel
import RxViewModelTesting

// Reference implementations of operators that collect, drop and expand elements.
extension Events {
  /// The events up to and including the first element for which `isLast` is true, followed by a completion.
  func takingThrough(_ isLast: (Int) -> Bool) -> Events {
    guard let last = firstIndex(where: { $0.element.map(isLast) ?? false }) else { return self }
    return self[...last] + [Recorded(self[last].time, .completed)]
  }

  /// Replaces all elements by the result of `collect`, at the time of the completion. If that is nil, the events stay as they are.
  func collected(_ collect: ([Int]) -> [Int]?) -> Events {
    guard let collected = collect(compactMap(\.element)) else { return self }
    guard let end = last, end.event.isEnd else { return [] }
    return end.event.isError ? [end] : collected.map { Recorded(end.time, .next($0)) } + [end]
  }

  /// `skip(until:)` subscribes to the other source first.
  func skipping(until other: Events) -> Events {
    var (result, isOpen): (Events, Bool) = ([], false)
    for (source, event) in Events.inOrder([other, self]) {
      switch (source, event.event) {
      case (0, .next): isOpen = true
      case (0, .error) where !isOpen: return result + [event]
      case (1, _) where event.event.isEnd: return result + [event]
      case (1, _) where isOpen: result.append(event)
      default: break
      }
    }
    return result
  }

  func sampled(by sampler: Events) -> Events {
    var (result, pending, ended): (Events, Event<Int>?, [Bool]) = ([], nil, [false, false])
    for (source, event) in Events.inOrder([self, sampler]) {
      if event.event.isError { return result + [event] }
      if source == 0, event.event.isElement { pending = ended[1] ? nil : event.event }
      if source == 1, let element = pending {
        result.append(Recorded(event.time, element))
        pending = nil
      }
      if event.event.isCompletion { ended[source] = true }
      if ended[0], source == 1 || ended[1] { return result + [Recorded(event.time, .completed)] }
    }
    return result
  }

  func buffered(_ count: Int) -> Events {
    var (result, buffer): (Events, [Int]) = ([], [])
    for event in self {
      if let element = event.element { buffer.append(element) }
      if buffer.count == count || event.event.isCompletion && !buffer.isEmpty {
        result.append(Recorded(event.time, .next(Script.code(buffer))))
        buffer = []
      }
      if event.event.isEnd { result.append(event) }
    }
    return result
  }

  /// - Parameter limit: The number of arrays after which the list stops if the source does not end.
  func buffered(_ time: Duration, _ count: Int, from start: Duration, limit: Int) -> Events {
    var (result, buffer, due): (Events, [Int], Duration) = ([], [], start + time)
    func flush(_ now: Duration) {
      result.append(Recorded(now, .next(Script.code(buffer))))
      buffer = []
      due = now + time
    }
    for event in self {
      while due < event.time { flush(due) }
      if event.event.isError { return result + [event] }
      if let element = event.element { buffer.append(element) }
      if buffer.count == count || event.event.isCompletion { flush(event.time) }
      if event.event.isEnd { return result + [event] }
    }
    while result.count < limit { flush(due) }
    return result
  }

  func expanded(below limit: Int, _ time: Duration) -> Events {
    let end = last.flatMap { $0.event.isEnd ? $0 : nil }
    var (result, waiting): (Events, Events) = ([], filter(\.event.isElement))
    // Each new element is inserted at its time, so that the list stays in order.
    while !waiting.isEmpty {
      let event = waiting.removeFirst()
      if let end, end.event.isError, event.time > end.time { break }
      result.append(event)
      if event.element! < limit {
        let later = Recorded(event.time + time, Event.next(abs(event.element!) * 2 + 7))
        waiting.insert(later, at: waiting.firstIndex { $0.time > later.time } ?? waiting.count)
      }
    }
    guard let end else { return result }
    if end.event.isError { return result + [end] }
    return result + [Recorded(Swift.max(end.time, result.last?.time ?? .zero), .completed)]
  }

  /// An element waits, in order, until fewer than `count` inner streams run.
  func flatMapped(atMost count: Int, _ start: (Int, Duration) -> Events) -> Events {
    // The time at which each place becomes free. Nil means never.
    var (lists, places): ([Events], [Duration?]) = ([], [Duration?](repeating: .zero, count: count))
    for event in self {
      guard let element = event.element else {
        lists.append([event])
        continue
      }
      guard let place = places.indices.filter({ places[$0] != nil }).min(by: { places[$0]! < places[$1]! }) else {
        continue
      }
      let inner = start(element, Swift.max(event.time, places[place]!))
      lists.append(inner)
      places[place] = inner.last.flatMap { $0.event.isCompletion ? $0.time : nil }
    }
    return Script.merged(lists, closing: last?.event.isCompletion != true)
  }
}
