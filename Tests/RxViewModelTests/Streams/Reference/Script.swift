import RxViewModel
import RxViewModelTesting

/// A stream described as data, which the library and the reference both turn into events.
///
/// Events of different sources coincide only if these sources have been subscribed at the same instant. Their order is then the order of
/// the subscriptions.
indirect enum Script: Sendable {
  /// Events at times relative to the subscription.
  case cold([Recorded<Int>])
  /// Events at absolute times.
  case hot([Recorded<Int>])
  case of([Int])
  case failing
  case never
  case interval(Duration, count: Int)
  case timer(Duration)
  case repeatingTimer(Duration, every: Duration, count: Int)

  case map(Script, plus: Int)
  case mapThrowing(Script, at: Int)
  case compactMap(Script, dropping: Int)
  case filter(Script, remainder: Int)
  case scan(Script)
  case combinePrevious(Script, initial: Int?)
  case distinct(Script)
  case materialize(Script)
  case take(Script, Int)
  case takeWhile(Script, below: Int)
  case takeUntil(Script, Script)
  case takeWhileInclusive(Script, below: Int)
  case toArray(Script)
  case skip(Script, Int)
  case startWith(Script, [Int])
  case debounce(Script, Duration)
  case throttle(Script, Duration, latest: Bool)
  case delay(Script, Duration)
  case timeout(Script, Duration)
  case doing(Script)
  /// With an error after the given element.
  case doingAfter(Script, throwingAfter: Int)
  /// Without its elements.
  case ignoring(Script)
  case share(Script, replay: Int)
  /// Two subscribers to one `share`. The second one subscribes after the first.
  case sharedByTwo(Script, replay: Int)
  case observeOn(Script)
  case subscribeOn(Script)
  case catching(Script, Script)
  case catchAndReturn(Script, Int)
  case demoteErrors(Script, Int?)
  case retry(Script, Int)
  /// The delay after the n-th failure is n times the given one. Only a `ScriptError` is retried.
  case retryLater(Script, Int, Duration)

  case merge([Script])
  case concat([Script])
  /// Of two sources, or of an array.
  case zip([Script])
  /// Of two, three or four sources, or of an array.
  case combineLatest([Script])
  case withLatestFrom(Script, Script)
  case takePairWhen(Script, Script)
  /// The trigger of first pages, the trigger of next pages, and the time that a request takes.
  case paginate(Script, Script, Duration)
  /// A first page for each element, and the time that its request takes.
  case pages(Script, Duration)
  case inner(Script, Flattening, Script)

  enum Flattening: CaseIterable, Sendable {
    case flatMap, flatMapLatest, flatMapFirst, concatMap, twoAtATime
  }

  /// Encodes an array as an element.
  static func code(_ elements: [Int]) -> Int {
    elements.reduce(3) { ($0 &* 7 &+ $1) % 1_000_003 }
  }
}

struct ScriptError: Error, Equatable {}
