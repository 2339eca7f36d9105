import RxViewModel
import RxViewModelTesting

/// A stream as data: the library and the reference make of it what they will.
///
/// What happens at one instant has been begun at one instant: then the order is that of the subscriptions.
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
  case takeLast(Script, Int)
  case skipWhile(Script, below: Int)
  case skipUntil(Script, Script)
  case sample(Script, Script)
  case ifEmpty(Script, Int)
  case reduce(Script)
  case toArray(Script)
  case buffer(Script, Int)
  /// The first eight arrays.
  case bufferForTime(Script, Duration, Int)
  /// Each element below a limit is doubled, and seven added, after a time.
  case expand(Script, below: Int, Duration)
  case skip(Script, Int)
  case startWith(Script, [Int])
  case debounce(Script, Duration)
  case throttle(Script, Duration, latest: Bool)
  case delay(Script, Duration)
  case timeout(Script, Duration)
  case doing(Script)
  case share(Script, replay: Int)
  /// Two subscribers to one `share`, the second behind the first.
  case sharedByTwo(Script, replay: Int)
  case observeOn(Script)
  case subscribeOn(Script)
  case catching(Script, Script)
  case catchAndReturn(Script, Int)
  case demoteErrors(Script, Int?)
  case retry(Script, Int)
  /// The delay behind the n-th failure is n times the given one; some errors are not retried.
  case retryLater(Script, Int, Duration)
  /// Each error is answered after a time; behind the given number of them the answers end.
  case retryWhen(Script, Int, Duration)
  case repeating(Script, Int)

  case merge([Script])
  case concat([Script])
  case zip(Script, Script)
  case combineLatest(Script, Script)
  case combineLatestOfThree(Script, Script, Script)
  case withLatestFrom(Script, Script)
  case takePairWhen(Script, Script)
  /// First pages, next pages, and the time that a request takes.
  case paginate(Script, Script, Duration)
  /// A first page for each element, and the time that its request takes.
  case pages(Script, Duration)
  case inner(Script, Flattening, Script)

  enum Flattening: CaseIterable, Sendable {
    case flatMap, flatMapLatest, flatMapFirst, concatMap, twoAtATime
  }

  /// An array as an element.
  static func code(_ elements: [Int]) -> Int {
    elements.reduce(3) { ($0 &* 7 &+ $1) % 1_000_003 }
  }
}

struct ScriptError: Error, Equatable {}
