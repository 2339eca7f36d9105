import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.6: a chain of 1,000 linear operators is subscribed and released on a 512 KB stack. A stack that overflows ends the process.
@Suite(.stress) struct LongChainTests {
  typealias Operation = @Sendable (Observable<Int>, Lifetimes.Object) -> Observable<Int>

  /// Operators with one source, which only put a sink of their own before it.
  private static let lifting: [String: Operation] = [
    "map": { source, object in source.map { object.passing($0) } },
    "compactMap": { source, object in source.compactMap { object.passing($0) } },
    "filter": { source, object in source.filter { object.passing($0) > 0 } },
    "do": { source, object in source.do(onNext: { _ in object.touch() }) },
    "do(afterNext:)": { source, object in
      source.do(
        afterNext: { _ in object.touch() })
    },
    "scan": { source, object in source.scan(0) { object.passing($1) } },
    "skip": { source, _ in source.skip(1) },
    "distinctUntilChanged": { source, object in source.distinctUntilChanged { object.passing($0) == $1 } },
    "take(while:)": { source, object in source.take(while: { object.passing($0) > 0 }) },
    "take(while:inclusive:)": { source, object in source.take(while: { object.passing($0) > 0 }, inclusive: true) },
    "take": { source, _ in source.take(5) },
    "materialize": { source, object in source.materialize().map { _ in object.passing(0) } },
    "toArray": { source, object in source.toArray().map { object.passing($0.count) } },
    "ignoreElements": { source, _ in source.ignoreElements() },
    "combinePrevious": { source, object in source.combinePrevious().map { object.passing($0.current) } },
  ]

  /// Operators with several sources, inner streams or a timer. The contract promises no length for their chains.
  private static let composing: [String: Operation] = [
    "take(until:)": { source, object in source.take(until: never(object)) },
    "take(until:), other": { source, object in never(object).take(until: source) },
    "debounce": { source, _ in source.debounce(.seconds(1), scheduler: DroppingScheduler()) },
    "throttle": { source, _ in source.throttle(.seconds(1), scheduler: DroppingScheduler()) },
    "delay": { source, _ in source.delay(.seconds(1), scheduler: DroppingScheduler()) },
    "timeout": { source, _ in source.timeout(.seconds(1), scheduler: DroppingScheduler()) },
    "observe(on:)": { source, _ in source.observe(on: DroppingScheduler()) },
    "flatMap": { source, object in source.flatMap { Observable.just(object.passing($0)) } },
    "flatMapFirst": { source, object in source.flatMapFirst { Observable.just(object.passing($0)) } },
    "flatMapLatest": { source, object in source.flatMapLatest { Observable.just(object.passing($0)) } },
    "concatMap": { source, object in source.concatMap { Observable.just(object.passing($0)) } },
    "withLatestFrom": { source, object in source.withLatestFrom(never(object)) },
    "withLatestFrom, other": { source, object in never(object).withLatestFrom(source) },
    "combineLatest": { source, object in .combineLatest(source, never(object)) { a, _ in a } },
    "combineLatest, second": { source, object in .combineLatest(never(object), source) { a, _ in a } },
    "combineLatest of an array": { source, object in
      Observable.combineLatest([source, never(object)]).map { $0[0] }
    },
    "zip": { source, object in .zip(source, never(object)) { a, _ in a } },
    "zip of an array": { source, object in Observable.zip([never(object), source]).map { $0[0] } },
    "merge": { source, object in source.merge(with: never(object)) },
    "merge, second": { source, object in never(object).merge(with: source) },
    "concat": { source, object in source.concat(never(object)) },
    "concat, second": { source, _ in Observable.empty().concat(source) },
    "concat and map": { source, object in source.concat(never(object)).map { object.passing($0) } },
    "merge and map": { source, object in source.merge(with: never(object)).map { object.passing($0) } },
    "startWith": { source, _ in source.startWith() },
    "catch": { source, object in
      source.catch { _ in
        object.touch()
        return .never()
      }
    },
    "demoteErrors": { source, _ in source.demoteErrors() },
    "retry": { source, _ in source.retry(2) },
    "retry later": { source, _ in source.retry(2, delay: { _ in .seconds(1) }, scheduler: DroppingScheduler()) },
    "takeWhen": { source, object in source.takeWhen(never(object)) },
    "flatMap(maxConcurrent:)": { source, object in
      source.flatMap(maxConcurrent: 2) { Observable.just(object.passing($0)) }
    },
    "share": { source, _ in source.share() },
    "share(replay: 1)": { source, _ in source.share(replay: 1) },
    "do(onDispose:)": { source, object in source.do(onDispose: { object.touch() }) },
  ]

  private static let resubscribing: Set = ["retry", "retry later"]

  private static func never(_ object: Lifetimes.Object) -> Observable<Int> {
    Observable.never().do(onNext: { _ in object.touch() })
  }

  /// Applies the operators in turn, `length` times in all.
  private static func chain(
    of operations: [Operation], length: Int, on source: Observable<Int>, _ object: Lifetimes.Object
  ) -> Observable<Int> {
    let source = source.do(onNext: { _ in object.touch() })
    return (0..<length).reduce(source) { stream, step in operations[step % operations.count](stream, object) }
  }

  #if DEBUG
    private static let length = 300
  #else
    private static let length = 1_000
  #endif

  enum End: CaseIterable {
    case dispose, sourceReleased, notSubscribed
    /// The test releases the chain first, and disposes the subscription last.
    case chainReleasedFirst
  }

  @Test(arguments: lifting.keys.sorted(), End.allCases)
  func aChainIsSubscribedAndReleased(of name: String, endedBy end: End) async {
    await release([Self.lifting[name]!], length: Self.length, endedBy: end)
  }

  @Test(arguments: composing.keys.sorted(), End.allCases)
  func aChainWithSubscriptionsOfItsOwnIsSubscribedAndReleased(of name: String, endedBy end: End) async {
    // These retain their source, and so the subject, until they are disposed, because they may subscribe again.
    if Self.resubscribing.contains(name), end == .sourceReleased { return }
    await release([Self.composing[name]!], length: 100, endedBy: end)
  }

  @Test(arguments: End.allCases)
  func aChainOfAllOperatorsIsSubscribedAndReleased(endedBy end: End) async {
    let all = Self.lifting.merging(Self.composing) { one, _ in one }.filter { !Self.resubscribing.contains($0.key) }
    await release(Array(all.values), length: 100, endedBy: end)
  }

  private func release(_ operations: [Operation], length: Int, endedBy end: End) async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      var subject: PublishSubject<Int>? = PublishSubject()
      var stream = Self.chain(of: operations, length: length, on: subject!.asObservable(), lifetimes.make())
      if end == .notSubscribed { return }
      let object = lifetimes.make()
      let subscription = stream.subscribe { _ in object.touch() }
      #expect(subject!.hasObservers)
      switch end {
      case .sourceReleased:
        stream = .never()
        subject = nil
      case .chainReleasedFirst:
        stream = .never()
        subscription.dispose()
      default:
        subscription.dispose()
        #expect(!subject!.hasObservers)
      }
    }
    #expect(lifetimes.alive == 0)
  }

  /// These are two operators each.
  private static let pairs: Set = ["combinePrevious", "materialize", "toArray"]

  // The source sends while it is being subscribed to, so the frames of the subscription and those of an event add up.
  @Test(arguments: lifting.keys.sorted())
  func aColdSourceSendsThroughALongChain(of name: String) async {
    let (length, lifetimes, isCompleted) = (Self.length, Lifetimes(), Locked(false))
    await onThread(stackSize: smallStack) {
      let stream = Self.chain(
        of: [Self.lifting[name]!], length: Self.pairs.contains(name) ? length / 2 : length,
        on: Observable.from([1, 2]), lifetimes.make())
      _ = stream.subscribe(onCompleted: { isCompleted.mutate { $0 = true } })
    }
    #expect(isCompleted.value)
    #expect(lifetimes.alive == 0)
  }

  /// Linear operators that add a resource, or a scope of their own.
  private static let holding: [String: Operation] = [
    "do(onDispose:)": { source, object in source.do(onDispose: { object.touch() }) },
    "debug": { source, object in source.debug("") { _ in object.touch() } },
    "continuesAfterDispose": { source, _ in source.continuesAfterDispose() },
    "subscribe(on:)": { source, _ in source.subscribe(on: ImmediateScheduler()) },
  ]

  // As above, and the frames of a replay add up too.
  @Test(arguments: lifting.merging(holding) { one, _ in one }.keys.sorted())
  func aReplayGoesThroughALongChain(of name: String) async {
    #if DEBUG
      let promised = 250
    #else
      let promised = 1_000
    #endif
    let (lifetimes, isCompleted) = (Lifetimes(), Locked(false))
    await onThread(stackSize: smallStack) {
      let subject = BehaviorSubject(value: 1)
      let stream = Self.chain(
        of: [Self.lifting[name] ?? Self.holding[name]!], length: Self.pairs.contains(name) ? promised / 2 : promised,
        on: subject.asObservable(), lifetimes.make())
      let subscription = stream.subscribe(onCompleted: { isCompleted.mutate { $0 = true } })
      subject.onCompleted()
      subscription.dispose()
    }
    #expect(isCompleted.value)
    #expect(lifetimes.alive == 0)
  }

  // On a scheduler that returns before it runs work. Each subscription, and each dispose, is a piece of work of its own.
  @Test(arguments: [End.dispose, .notSubscribed, .chainReleasedFirst])
  func aChainOfSubscribeOnIsSubscribedAndReleased(endedBy end: End) async {
    let lifetimes = Lifetimes()
    await onThread(stackSize: smallStack) {
      let (subject, scheduler) = (PublishSubject<Int>(), TestScheduler())
      let operation: Operation = { source, _ in source.subscribe(on: scheduler) }
      var stream = Self.chain(of: [operation], length: 100, on: subject.asObservable(), lifetimes.make())
      if end == .notSubscribed { return }
      let object = lifetimes.make()
      let subscription = stream.subscribe { _ in object.touch() }
      scheduler.run()
      #expect(subject.hasObservers)
      if end == .chainReleasedFirst { stream = .never() }
      subscription.dispose()
      scheduler.run()
      #expect(!subject.hasObservers)
    }
    #expect(lifetimes.alive == 0)
  }

  @Test(arguments: ["map", "take", "merge", "catch", "share", "combineLatest of an array", "withLatestFrom"])
  func anEventGoesThroughALongChain(of name: String) async {
    let operation: Operation =
      switch name {
      case "map": { source, _ in source.map { $0 } }
      case "take": { source, _ in source.take(10) }
      case "merge": { source, _ in source.merge(with: Observable.never()).map { $0 } }
      case "catch": { source, _ in source.catchAndReturn(0) }
      case "share": { source, _ in source.share() }
      case "withLatestFrom": { source, _ in source.withLatestFrom(Observable.just(0)) { a, _ in a } }
      default: { source, _ in Observable.combineLatest([source, .just(0)]).map { $0[0] } }
      }
    await onThread {
      let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
      let stream = Self.chain(of: [operation], length: 300, on: subject.asObservable(), lifetimes.make())
      let recorder = Recorder<Int>()
      let subscription = stream.subscribe(recorder)
      subject.onNext(0)
      subject.onNext(1)
      subscription.dispose()
      subject.onNext(2)
      #expect(recorder.elements == [0, 1])
      #expect(!subject.hasObservers)
    }
  }
}

/// Never runs its work.
private struct DroppingScheduler: Scheduler {
  func schedule(_ work: @escaping @Sendable () -> Void) {}

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Disposables.create()
  }
}
