import RxViewModel
import RxViewModelTesting

@testable import TestSupport

extension Script {
  /// The script, built from the library's operators.
  func observable(_ scheduler: TestScheduler) -> Observable<Int> {
    func real(_ script: Script) -> Observable<Int> { script.observable(scheduler) }
    switch self {
    case .cold(let events): return scheduler.coldObservable(events).asObservable()
    case .hot(let events): return scheduler.hotObservable(events).asObservable()
    case .of(let elements): return .from(elements)
    case .failing: return .error(ScriptError())
    case .never: return .never()
    case .interval(let period, let count): return .interval(period, scheduler: scheduler).take(count)
    case .timer(let delay): return .timer(delay, scheduler: scheduler)
    case .repeatingTimer(let delay, let period, let count):
      return .timer(after: delay, every: period, scheduler: scheduler).take(count)
    case .map(let base, let plus): return real(base).map { $0 + plus }
    case .mapThrowing(let base, let bad):
      return real(base).map { element in
        if element == bad { throw ScriptError() }
        return element
      }
    case .compactMap(let base, let dropped): return real(base).compactMap { $0 == dropped ? nil : $0 }
    case .filter(let base, let remainder): return real(base).filter { $0 % 2 == remainder }
    case .scan(let base): return real(base).scan(0, +)
    case .combinePrevious(let base, let initial):
      let pairs = initial.map { real(base).combinePrevious($0) } ?? real(base).combinePrevious()
      return pairs.map { $0.previous * 7 + $0.current }
    case .distinct(let base): return real(base).distinctUntilChanged()
    case .materialize(let base): return real(base).materialize().map(Self.code)
    case .take(let base, let count): return real(base).take(count)
    case .takeWhile(let base, let limit): return real(base).take(while: { $0 < limit })
    case .takeWhileInclusive(let base, let limit): return real(base).take(while: { $0 < limit }, inclusive: true)
    case .toArray(let base): return real(base).toArray().map(Self.code)
    case .takeUntil(let base, let other):
      let other = real(other)
      return real(base).take(until: other)
    case .skip(let base, let count): return real(base).skip(count)
    case .startWith(let base, let elements): return real(base).startWith(elements[0], elements[1])
    case .debounce(let base, let time): return real(base).debounce(time, scheduler: scheduler)
    case .throttle(let base, let time, let latest):
      return real(base).throttle(time, latest: latest, scheduler: scheduler)
    case .delay(let base, let time): return real(base).delay(time, scheduler: scheduler)
    case .timeout(let base, let time): return real(base).timeout(time, scheduler: scheduler)
    case .doingAfter(let base, let bad):
      return real(base).do(
        afterNext: { if $0 == bad { throw ScriptError() } }, onDispose: {})
    case .ignoring(let base): return real(base).ignoreElements()
    case .doing(let base): return real(base).do(onNext: { _ in }, onDispose: {})
    case .share(let base, let replay): return real(base).share(replay: replay)
    case .sharedByTwo(let base, let replay):
      let shared = real(base).share(replay: replay)
      return .merge([shared, shared])
    case .observeOn(let base): return real(base).observe(on: scheduler)
    case .subscribeOn(let base): return real(base).subscribe(on: scheduler)
    case .catching(let base, let other):
      let other = real(other)
      return real(base).catch { _ in other }
    case .catchAndReturn(let base, let element): return real(base).catchAndReturn(element)
    case .demoteErrors(let base, let element): return real(base).demoteErrors(replaceErrorWith: element)
    case .retry(let base, let count): return real(base).retry(count)
    case .retryLater(let base, let count, let time):
      return real(base).retry(count, delay: { time * $0 }, scheduler: scheduler, while: { $0 is ScriptError })
    case .merge(let sources): return .merge(sources.map(real))
    case .concat(let sources): return .concat(sources.map(real))
    case .zip(let sources) where sources.count == 2: return .zip(real(sources[0]), real(sources[1])) { $0 * 7 + $1 }
    case .zip(let sources): return Observable.zip(sources.map(real)).map { $0.reduce(0) { $0 * 7 + $1 } }
    case .combineLatest(let sources):
      let all = sources.map(real)
      switch all.count {
      case 2: return .combineLatest(all[0], all[1]) { $0 * 7 + $1 }
      case 3: return .combineLatest(all[0], all[1], all[2]) { ($0 * 7 + $1) * 7 + $2 }
      case 4: return .combineLatest(all[0], all[1], all[2], all[3]) { (($0 * 7 + $1) * 7 + $2) * 7 + $3 }
      default: return Observable.combineLatest(all).map { $0.reduce(0) { $0 * 7 + $1 } }
      }
    case .withLatestFrom(let a, let b): return real(a).withLatestFrom(real(b)) { $0 * 7 + $1 }
    case .takePairWhen(let a, let b): return real(a).takePairWhen(real(b)).map { $1 * 7 + $0 }
    case .paginate(let first, let next, let time):
      return Observable.paginate(firstPage: real(first), nextPage: real(next).map { _ in }) {
        Self.answer(to: $0, after: time, scheduler)
      }.map { Self.code($0.pages, isLoading: $0.isLoading) }
    case .pages(let base, let time):
      return real(base).flatMap { list in
        Observable.page(\ScriptPages.list, { $0.begin(list) }, request: { Self.answer(to: $0, after: time, scheduler) })
      }.scan(ScriptPages()) { try $1($0) }.map { Self.code($0.list) }
    case .inner(let outer, let flattening, let inner):
      let inner = real(inner)
      switch flattening {
      case .flatMap: return real(outer).flatMap { element in inner.map { $0 + element } }
      case .flatMapLatest: return real(outer).flatMapLatest { element in inner.map { $0 + element } }
      case .flatMapFirst: return real(outer).flatMapFirst { element in inner.map { $0 + element } }
      case .concatMap: return real(outer).concatMap { element in inner.map { $0 + element } }
      case .twoAtATime: return real(outer).flatMap(maxConcurrent: 2) { element in inner.map { $0 + element } }
      }
    }
  }

  /// Encodes an event as an element.
  static func code(_ event: Event<Int>) -> Int {
    switch event {
    case .next(let element): element
    case .error: -1
    case .completed: -2
    }
  }
}
