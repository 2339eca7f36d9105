import RxViewModel
import Testing

/// An operator for the suites that run over all operators: lifecycle, reentrancy, races, depth, lock inversion.
///
/// Each case passes on every element of its source, in order and at once, and ends with the source. The elements that it adds are
/// negative. The closure or the second source that the operator retains retains `object`, and touches it when it is called: `CutOffTests`
/// then disposes the subscription.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  typealias Apply = @Sendable (_ source: Observable<Int>, _ object: Lifetimes.Object) -> Observable<Int>

  let testDescription: String
  /// Whether it adds only a frame or two to the stack, so that a thousand of them may be chained.
  let isStateless: Bool
  /// Whether it passes on only the last of several replayed elements, because it subscribes to another source later.
  let missesReplays: Bool
  /// Whether it retains its source, to subscribe to it again or in a closure that may be called again, so that the release of the source's
  /// owner does not end it.
  let holdsSource: Bool
  /// Whether its source continues to its own end after a dispose.
  let outlivesDispose: Bool
  /// Whether an element ends the work for an earlier one that is not done, which waits behind it if two threads feed the operator.
  let supersedes: Bool
  let apply: Apply

  init(
    _ name: String, isStateless: Bool = false, missesReplays: Bool = false, holdsSource: Bool = false,
    outlivesDispose: Bool = false, supersedes: Bool = false, _ apply: @escaping Apply
  ) {
    testDescription = name
    self.isStateless = isStateless
    self.missesReplays = missesReplays
    self.holdsSource = holdsSource
    self.outlivesDispose = outlivesDispose
    self.supersedes = supersedes
    self.apply = apply
  }

  static let all: [OperatorCase] = transforming + inner + filtering + combining + time + errors + sharing + mappers

  static let stateless = all.filter(\.isStateless)

  private static let transforming = [
    OperatorCase("map", isStateless: true) { source, object in source.map { object.passing($0) } },
    OperatorCase("compactMap", isStateless: true) { source, object in source.compactMap { object.passing($0) } },
    OperatorCase("filter", isStateless: true) { source, object in source.filter { object.passing($0) > -10 } },
    OperatorCase("scan", isStateless: true) { source, object in source.scan(0) { object.passing($1) } },
    OperatorCase("ignoreElements of inner streams") { source, object in
      source.flatMap { element in
        Observable.of(element).map { object.passing($0) }.ignoreElements().concat(Observable.just(element))
      }
    },
    OperatorCase("toArray of inner streams") { source, object in
      source.flatMap { Observable.of($0).toArray().map { object.passing($0[0]) } }
    },
    OperatorCase("distinctUntilChanged", isStateless: true) { source, object in
      source.distinctUntilChanged { object.passing($0) == $1 + 1_000_000_000 }
    },
    OperatorCase("combinePrevious()") { source, object in
      source.startWith(-1).combinePrevious().map { object.passing($0.current) }
    },
    OperatorCase("combinePrevious(_:)") { source, object in
      source.combinePrevious(0).map { object.passing($0.current) }
    },
    OperatorCase("elements") { source, object in
      source.map { Event.next(object.passing($0)) }.elements()
    },
    OperatorCase("errors") { source, object in
      source.map { Event<Int>.error(NumberedError(number: object.passing($0))) }.errors()
        .map { ($0 as? NumberedError)?.number ?? -1 }
    },
    OperatorCase("materialize") { source, object in
      source.materialize().compactMap { event in
        object.touch()
        switch event {
        case .next(let element): return element
        case .error(let error): throw error
        case .completed: return nil
        }
      }
    },
  ]

  private static let inner = [
    OperatorCase("flatMap to just") { source, object in source.flatMap { Observable.just(object.passing($0)) } },
    OperatorCase("flatMap to from") { source, object in source.flatMap { Observable.from([object.passing($0)]) } },
    OperatorCase("flatMap into the source", holdsSource: true) { source, object in
      Observable.of(1).flatMap { _ in source.map { object.passing($0) } }
    },
    OperatorCase("flatMapLatest to just") { source, object in
      source.flatMapLatest { Observable.just(object.passing($0)) }
    },
    OperatorCase("flatMapLatest to from") { source, object in
      source.flatMapLatest { Observable.from([object.passing($0)]) }
    },
    OperatorCase("flatMapLatest into the source", holdsSource: true) { source, object in
      Observable.of(1).flatMapLatest { _ in source.map { object.passing($0) } }
    },
    OperatorCase("flatMapFirst to just") { source, object in
      source.flatMapFirst { Observable.just(object.passing($0)) }
    },
    OperatorCase("flatMapFirst to from") { source, object in
      source.flatMapFirst { Observable.from([object.passing($0)]) }
    },
    OperatorCase("flatMapFirst into the source", holdsSource: true) { source, object in
      Observable.of(1).flatMapFirst { _ in source.map { object.passing($0) } }
    },
    OperatorCase("concatMap to just") { source, object in source.concatMap { Observable.just(object.passing($0)) } },
    OperatorCase("concatMap to from") { source, object in source.concatMap { Observable.from([object.passing($0)]) } },
    OperatorCase("concatMap into the source", holdsSource: true) { source, object in
      Observable.of(1).concatMap { _ in source.map { object.passing($0) } }
    },
    OperatorCase("flatMap(maxConcurrent: 1) to just") { source, object in
      source.flatMap(maxConcurrent: 1) { Observable.just(object.passing($0)) }
    },
    OperatorCase("flatMap(maxConcurrent: 2) to from") { source, object in
      source.flatMap(maxConcurrent: 2) { Observable.from([object.passing($0)]) }
    },
    OperatorCase("flatMap(maxConcurrent: 2) into the source", holdsSource: true) { source, object in
      Observable.of(1).flatMap(maxConcurrent: 2) { _ in source.map { object.passing($0) } }
    },
  ]

  private static let filtering = [
    OperatorCase("take") { source, object in source.do(onNext: { _ in object.touch() }).take(.max) },
    OperatorCase("take(while:)", isStateless: true) { source, object in
      source.take(while: { object.passing($0) > -10 })
    },
    OperatorCase("take(until:)") { source, object in
      source.take(until: Observable<Int>.empty().do(onCompleted: { object.touch() }))
    },
    OperatorCase("skip", isStateless: true) { source, object in source.skip(0) },
    OperatorCase("take(while:inclusive:)", isStateless: true) { source, object in
      source.take(while: { object.passing($0) > -10 }, inclusive: true)
    },
    OperatorCase("debounce") { source, object in
      source.debounce(.zero, scheduler: ImmediateScheduler()).map { object.passing($0) }
    },
    OperatorCase("throttle") { source, object in
      source.throttle(.zero, scheduler: ImmediateScheduler()).map { object.passing($0) }
    },
    OperatorCase("throttle(latest: false)") { source, object in
      source.throttle(.zero, latest: false, scheduler: ImmediateScheduler()).map { object.passing($0) }
    },
  ]

  private static let time = [
    OperatorCase("delay") { source, object in
      source.delay(.zero, scheduler: ImmediateScheduler()).map { object.passing($0) }
    },
    OperatorCase("smoothed") { source, object in
      .deferred {
        let (waiting, isOn) = (Locked<[Int]>([]), Locked(true))
        let alternating = source.map { element in
          waiting.mutate { $0.append(element) }
          return isOn.mutate { isOn in
            isOn.toggle()
            return isOn
          }
        }
        // At the completion `smoothed` may add a false, for which no element waits.
        return alternating.smoothed(delay: .zero, minimum: .zero, scheduler: ImmediateScheduler()).compactMap { _ in
          object.touch()
          return waiting.mutate { $0.isEmpty ? nil : $0.removeFirst() }
        }
      }
    },
    OperatorCase("timeout") { source, object in
      source.timeout(.seconds(1), scheduler: StoppedScheduler(object)).map { object.passing($0) }
    },
    OperatorCase("observe(on: ImmediateScheduler)") { source, object in
      source.observe(on: ImmediateScheduler()).map { object.passing($0) }
    },
    OperatorCase("subscribe(on: ImmediateScheduler)") { source, object in
      source.subscribe(on: ImmediateScheduler()).map { object.passing($0) }
    },
  ]

  private static let errors = [
    OperatorCase("catch, first") { source, object in
      source.catch { error in
        object.touch()
        throw error
      }
    },
    OperatorCase("catch, second", holdsSource: true) { source, object in
      Observable<Int>.error(TestError()).catch { _ in source.map { object.passing($0) } }
    },
    OperatorCase("demoteErrors") { source, object in restoringErrors(source, object) { $0.demoteErrors() } },
    OperatorCase("catchAndReturn") { source, object in restoringErrors(source, object) { $0.catchAndReturn(-5) } },
    OperatorCase("retry", holdsSource: true) { source, object in source.map { object.passing($0) }.retry(1) },
    OperatorCase("retry with a delay", holdsSource: true) { source, object in
      source.map { object.passing($0) }.retry(1, delay: { _ in .zero }, scheduler: ImmediateScheduler())
    },
    OperatorCase("retry with a delay, second", holdsSource: true) { source, object in
      .deferred {
        let isFirst = Locked(true)
        return Observable.deferred {
          if isFirst.mutate({ $0.take() }) { throw TestError() }
          return source
        }.retry(2, delay: { _ in .zero }, scheduler: ImmediateScheduler()) { _ in
          object.touch()
          return true
        }
      }
    },
  ]

  private static let sharing = [
    OperatorCase("do(onNext:)", isStateless: true) { source, object in source.do(onNext: { _ in object.touch() }) },
    OperatorCase("do(afterNext:)", isStateless: true) { source, object in
      source.do(afterNext: { _ in object.touch() })
    },
    OperatorCase("do, all") { source, object in
      source.do(
        onNext: { _ in object.touch() }, afterNext: { _ in object.touch() }, onError: { _ in object.touch() },
        onCompleted: { object.touch() },
        onSubscribe: { object.touch() }, onDispose: { object.touch() })
    },
    OperatorCase("continuesAfterDispose", outlivesDispose: true) { source, object in
      source.continuesAfterDispose().map { object.passing($0) }
    },
    OperatorCase("debug") { source, object in source.debug("source") { _ in object.touch() } },
    OperatorCase("share") { source, object in source.map { object.passing($0) }.share() },
    OperatorCase("share(replay: 1)") { source, object in source.map { object.passing($0) }.share(replay: 1) },
    OperatorCase("deferred") { source, object in
      .deferred { source.do(onNext: { _ in object.touch() }) }
    },
    OperatorCase("create") { source, object in
      .create { observer in
        source.subscribe { event in
          object.touch()
          observer.on(event)
        }
      }
    },
  ]

  /// Applies an operator that turns an error into a completion, and then emits that error after all.
  private static func restoringErrors(
    _ source: Observable<Int>, _ object: Lifetimes.Object,
    _ operation: @escaping @Sendable (Observable<Int>) -> Observable<Int>
  ) -> Observable<Int> {
    .deferred {
      let failure = Locked<(any Error)?>(nil)
      let rest = Observable<Int>.deferred { failure.value.map { .error($0) } ?? .empty() }
      return operation(source.do(onNext: { _ in object.touch() }, onError: { error in failure.mutate { $0 = error } }))
        .concat(rest)
    }
  }
}

extension Lifetimes.Object {
  /// Touches the object, and returns the element. A closure that calls this retains the object.
  func passing(_ element: Int) -> Int {
    touch()
    return element
  }
}

private struct NumberedError: Error {
  let number: Int
}

extension Bool {
  /// Returns the value and sets it to false.
  mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}

/// A scheduler that never runs its work.
private struct StoppedScheduler: Scheduler {
  let object: Lifetimes.Object

  init(_ object: Lifetimes.Object) {
    self.object = object
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {}

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Disposables.create()
  }
}
