import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// The events of a subscription in the order of their times, with or without a terminal event.
typealias Events = [Recorded<Int>]

// A slow and simple implementation of the contract, over whole lists of events.
extension Script {
  /// The events of a subscription made at `start`.
  func reference(_ start: Duration) -> Events {
    func from(_ script: Script) -> Events { script.reference(start) }
    switch self {
    case .cold(let events): return events.map { Recorded(start + $0.time, $0.event) }
    case .hot(let events):
      let end = events.last { $0.event.isEnd && $0.time <= start }
      return end.map { [Recorded(start, $0.event)] } ?? events.filter { $0.time > start }
    case .of(let elements): return elements.map { Recorded(start, .next($0)) } + [Recorded(start, .completed)]
    case .failing: return [Recorded(start, .error(ScriptError()))]
    case .never: return []
    case .interval(let period, let count):
      let ticks = (0..<count).map { Recorded(start + period * ($0 + 1), Event.next($0)) }
      return ticks + [Recorded(ticks.last!.time, .completed)]
    case .timer(let delay): return [Recorded(start + delay, .next(0)), Recorded(start + delay, .completed)]
    case .repeatingTimer(let delay, let period, let count):
      let ticks = (0..<count).map { Recorded(start + delay + period * $0, Event.next($0)) }
      return ticks + [Recorded(ticks.last!.time, .completed)]
    case .map(let base, let plus): return from(base).mapElements { $0 + plus }
    case .mapThrowing(let base, let bad):
      return from(base).map { $0.element == bad ? Recorded($0.time, .error(ScriptError())) : $0 }.untilTheEnd
    case .compactMap(let base, let dropped): return from(base).filter { $0.element != dropped }
    case .filter(let base, let remainder): return from(base).filter { $0.element.map { $0 % 2 == remainder } ?? true }
    case .scan(let base):
      var sum = 0
      return from(base).mapElements { element in
        sum += element
        return sum
      }
    case .combinePrevious(let base, let initial):
      var previous = initial
      return from(base).compactMap { event in
        guard let element = event.element else { return event }
        defer { previous = element }
        return previous.map { Recorded(event.time, .next($0 * 7 + element)) }
      }
    case .distinct(let base):
      let events = from(base)
      return events.indices.filter {
        $0 == 0 || events[$0].element == nil || events[$0].element != events[$0 - 1].element
      }
      .map { events[$0] }
    case .materialize(let base):
      let events = from(base)
      let elements = events.map { Recorded($0.time, Event.next(Self.code($0.event))) }
      return elements + events.filter(\.event.isEnd).map { Recorded($0.time, .completed) }
    case .take(let base, let count): return count <= 0 ? [Recorded(start, .completed)] : from(base).taking(count)
    case .takeWhile(let base, let limit):
      return from(base).map { ($0.element ?? 0) < limit ? $0 : Recorded($0.time, .completed) }.untilTheEnd
    case .takeWhileInclusive(let base, let limit): return from(base).takingThrough { $0 >= limit }
    case .toArray(let base):
      let events = from(base)
      guard let end = events.last, end.event.isEnd else { return [] }
      return end.event.isError ? [end] : [Recorded(end.time, .next(Self.code(events.compactMap(\.element)))), end]
    case .takeUntil(let base, let other):
      let stop = from(other).first { $0.event.isElement || $0.event.isError }
      guard let stop else { return from(base) }
      let end = stop.event.isError ? stop : Recorded(stop.time, .completed)
      // `take(until:)` subscribes to the other source first.
      return (from(base).filter { $0.time < stop.time } + [end]).untilTheEnd
    case .skip(let base, let count):
      var left = max(count, 0)
      return from(base).filter { event in
        if event.event.isEnd || left == 0 { return true }
        left -= 1
        return false
      }
    case .startWith(let base, let elements): return elements.map { Recorded(start, .next($0)) } + from(base)
    case .debounce(let base, let time): return from(base).debounced(time)
    case .throttle(let base, let time, let latest): return from(base).throttled(time, latest)
    case .delay(let base, let time):
      let events = from(base)
      let later = events.map { $0.event.isError ? $0 : Recorded($0.time + time, $0.event) }
      guard let error = events.last, error.event.isError else { return later }
      return later.dropLast().filter { $0.time < error.time } + [error]
    case .timeout(let base, let time): return from(base).timedOut(time, from: start)
    case .doingAfter(let base, let bad):
      return from(base).flatMap { $0.element == bad ? [$0, Recorded($0.time, .error(ScriptError()))] : [$0] }
        .untilTheEnd
    case .ignoring(let base): return from(base).filter(\.event.isEnd)
    // A hop to the scheduler takes no virtual time.
    case .doing(let base), .share(let base, _), .observeOn(let base), .subscribeOn(let base): return from(base)
    case .sharedByTwo(let base, let replay): return from(base).sharedByTwo(replay, at: start)
    case .catching(let base, let other):
      let events = from(base)
      guard let error = events.last, error.event.isError else { return events }
      return events.dropLast() + other.reference(error.time)
    case .catchAndReturn(let base, let element):
      return from(base).flatMap { event -> Events in
        event.event.isError ? [Recorded(event.time, .next(element)), Recorded(event.time, .completed)] : [event]
      }
    case .demoteErrors(let base, let element):
      return from(base).flatMap { event -> Events in
        guard event.event.isError else { return [event] }
        return (element.map { [Recorded(event.time, .next($0))] } ?? []) + [Recorded(event.time, .completed)]
      }
    case .retry(let base, let count):
      let events = from(base)
      guard count > 1, let error = events.last, error.event.isError else { return events }
      return events.dropLast() + Script.retry(base, count - 1).reference(error.time)
    case .retryLater(let base, let count, let time): return retriedLater(base, count, time, failure: 1, start)
    case .merge(let sources): return Self.merged(sources.map(from))
    case .concat(let sources):
      guard let first = sources.first else { return [Recorded(start, .completed)] }
      let events = from(first)
      guard let end = events.last, end.event.isCompletion else { return events }
      return events.dropLast() + Script.concat(Array(sources.dropFirst())).reference(end.time)
    case .zip(let sources): return Self.zipped(sources.map(from))
    case .combineLatest(let sources): return Self.combined(sources.map(from))
    case .withLatestFrom(let a, let b): return Self.sampled(from(a), from(b))
    case .takePairWhen(let a, let b): return Self.sampled(from(b), from(a))
    case .paginate(let first, let next, let time): return from(first).paginated(from(next), time, from: start)
    case .pages(let base, let time): return from(base).paged(time)
    case .inner(let outer, let flattening, let inner):
      let start: (Int, Duration) -> Events = { element, time in inner.reference(time).mapElements { $0 + element } }
      switch flattening {
      case .flatMap: return from(outer).flatMapped(start)
      case .flatMapLatest: return from(outer).switched(start)
      case .flatMapFirst: return from(outer).exhausted(start)
      case .concatMap: return from(outer).concatenated(start)
      case .twoAtATime: return from(outer).flatMapped(atMost: 2, start)
      }
    }
  }

  private func retriedLater(
    _ base: Script, _ count: Int, _ time: Duration, failure: Int, _ start: Duration
  ) -> Events {
    let events = base.reference(start)
    guard count > 1, case .error(let error)? = events.last?.event, error is ScriptError else { return events }
    let again = events.last!.time + time * failure
    return events.dropLast() + retriedLater(base, count - 1, time, failure: failure + 1, again)
  }
}
