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

  case merge([Script])
  case concat([Script])
  case zip(Script, Script)
  case combineLatest(Script, Script)
  case combineLatestOfThree(Script, Script, Script)
  case withLatestFrom(Script, Script)
  case takePairWhen(Script, Script)
  case inner(Script, Flattening, Script)

  enum Flattening: CaseIterable, Sendable {
    case flatMap, flatMapLatest, flatMapFirst, concatMap
  }
}

struct ScriptError: Error, Equatable {}
