import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// Generates random scripts.
struct ScriptGenerator {
  private var random: SplitMix64
  /// Whether the script has a hot source or a `share`. It then does not become an inner stream, because the subscribers of several inner
  /// streams would take turns at each event.
  private var isHot = false
  /// Whether the script hops to the scheduler. It then gets no operator whose result depends on the order of events at the same instant.
  private var hops = false

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Returns a script, and the time at which its subscription is disposed, or nil for never.
  mutating func make() -> (script: Script, disposal: Duration?) {
    let script = node(depth: number(1...4))
    return (script, number(0...2) == 0 ? time(0...40) : nil)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func maybe(_ range: ClosedRange<Int>) -> Int? {
    number(0...1) == 0 ? nil : number(range)
  }

  /// A random time. Neither two of these nor two sums of them are equal, because they have a random number of attoseconds.
  private mutating func time(_ seconds: ClosedRange<Int>) -> Duration {
    let part = Int64(random.next() % 1_000_000_000_000_000_000)
    return Duration(secondsComponent: Int64(number(seconds)), attosecondsComponent: part)
  }

  /// - Parameter haveInstantsInCommon: Whether several events may have the same time. False for a hot source, whose subscribers take turns
  ///   at each event.
  private mutating func events(haveInstantsInCommon: Bool) -> [Recorded<Int>] {
    var (events, now): ([Recorded<Int>], Duration) = ([], time(0...2))
    for _ in 0..<number(0...5) {
      events.append(Recorded(now, .next(number(0...5))))
      if !haveInstantsInCommon || number(0...3) > 0 { now += time(0...3) }
    }
    switch number(0...5) {
    case 0: break
    case 1: events.append(Recorded(now, .error(ScriptError())))
    default: events.append(Recorded(now, .completed))
    }
    return events
  }

  private mutating func source(mayBeHot: Bool = true) -> Script {
    switch number(0...12) {
    case 0: return .of((0..<number(0...4)).map { _ in number(0...5) })
    case 1: return .failing
    case 2: return .never
    case 3: return .interval(time(1...5), count: number(1...4))
    case 4: return .timer(time(0...5))
    case 5,
      6 where mayBeHot:
      isHot = true
      return .hot(events(haveInstantsInCommon: false))
    case 7: return .repeatingTimer(time(0...5), every: time(1...5), count: number(1...4))
    default: return .cold(events(haveInstantsInCommon: true))
    }
  }

  private mutating func node(depth: Int) -> Script {
    if depth == 0 { return source() }
    let base = node(depth: depth - 1)
    switch number(0...(hops ? 26 : 40)) {
    case 0: return .map(base, plus: number(0...5))
    case 1: return .mapThrowing(base, at: number(0...7))
    case 2: return .compactMap(base, dropping: number(0...5))
    case 3: return .filter(base, remainder: number(0...1))
    case 4: return number(0...1) == 0 ? .scan(base) : .combinePrevious(base, initial: maybe(0...5))
    case 5: return .distinct(base)
    case 6: return .materialize(base)
    case 7, 8: return .take(base, number(0...4))
    case 9: return .takeWhile(base, below: number(1...6))
    case 10: return hops ? base : .takeUntil(base, source())
    case 11: return .skip(base, number(0...3))
    case 12: return .startWith(base, [number(0...5), number(0...5)])
    case 13, 14: return .debounce(base, time(0...5))
    case 15, 16: return .throttle(base, time(1...6), latest: number(0...2) > 0)
    case 17: return .delay(base, time(0...5))
    case 18: return .timeout(base, time(1...6))
    case 19:
      return [Script.doing(base), .doingAfter(base, throwingAfter: number(0...9)), .ignoring(base)][number(0...2)]
    case 20:
      isHot = true
      return .share(base, replay: number(0...2))
    case 21: return .catching(base, source())
    case 22:
      return number(0...1) == 0 ? .catchAndReturn(base, number(0...5)) : .demoteErrors(base, maybe(0...5))
    case 23: return .retry(base, number(1...3))
    case 24: return .takeWhileInclusive(base, below: number(1...6))
    case 25: return .toArray(base)
    case 26: return .retryLater(base, number(1...3), time(1...3))
    case 27: return .merge([base, source(), source()])
    case 28: return .concat([base, source()])
    case 29: return .zip([base] + (0..<[1, 3][number(0...1)]).map { _ in source() })
    case 30: return .combineLatest([base] + (0..<[1, 2][number(0...1)]).map { _ in source() })
    case 31: return number(0...1) == 0 ? .withLatestFrom(base, source()) : .takePairWhen(source(), base)
    case 32: return .combineLatest([base] + (0..<number(3...4)).map { _ in source() })
    case 33:
      hops = true
      return number(0...1) == 0 ? .observeOn(base) : .subscribeOn(base)
    case 34:
      isHot = true
      return .sharedByTwo(base, replay: number(0...2))
    case 35: return .paginate(base, source(), time(1...5))
    case 36: return .pages(base, time(1...5))
    default:
      let flattening = Script.Flattening.allCases[number(0...4)]
      return isHot || number(0...1) == 0
        ? .inner(base, flattening, source(mayBeHot: false)) : .inner(source(), flattening, base)
    }
  }
}
