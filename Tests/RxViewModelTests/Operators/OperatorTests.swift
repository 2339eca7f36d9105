import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct OperatorTests {
  @Test func mapFilterCompactMapScan() {
    let source = Observable.from(1...4)
    #expect(source.map { $0 * 10 }.test().values == [10, 20, 30, 40])
    #expect(source.filter { $0 % 2 == 0 }.test().values == [2, 4])
    #expect(source.compactMap { $0 > 2 ? "\($0)" : nil }.test().values == ["3", "4"])
    // contract 1: scan does not emit its seed
    #expect(source.scan(100, +).test().values == [101, 103, 106, 110])
    #expect(Observable.of(1, 1, 2, 2, 1).distinctUntilChanged().test().values == [1, 2, 1])
    #expect(Observable.of(1, 3, 2).distinctUntilChanged { $0 % 2 == $1 % 2 }.test().values == [1, 2])
    #expect(source.startWith(8, 9).test().values == [8, 9, 1, 2, 3, 4])
  }

  // contract 1.8
  @Test func stateIsPerSubscription() {
    let sums = Observable.from(1...3).scan(0, +).distinctUntilChanged()
    #expect(sums.test().values == [1, 3, 6])
    #expect(sums.test().values == [1, 3, 6])
  }

  @Test func mergeAndConcat() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let merged = a.merge(with: b).test()
    let joined = a.concat(b).test()
    a.onNext(1)
    b.onNext(2)
    a.onCompleted()
    b.onNext(3)
    b.onCompleted()
    #expect(merged.values == [1, 2, 3])
    #expect(merged.isCompleted)
    #expect(joined.values == [1, 3])
    #expect(joined.isCompleted)
    #expect(Observable<Int>.merge([]).test().isCompleted)
    #expect(Observable<Int>.concat([]).test().isCompleted)
  }

  @Test func anErrorEndsMergeAndTheOtherSubscriptions() {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let merged = Observable.merge([a.asObservable(), b.asObservable()]).test()
    a.onError(TestError())
    #expect(merged.error as? TestError == TestError())
    #expect(!b.hasObservers)
  }

  // contract 1.2: an end that comes during a delivery waits its turn, and is not lost
  @Test(arguments: [true, false])
  func mergeEndsFromInsideItsCallback(isError: Bool) {
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = Observable.merge([a.asObservable(), b.asObservable()]).do(onNext: { number in
      guard number == 1 else { return }
      b.onNext(2)
      if isError { b.onError(TestError()) } else { b.onCompleted() }
      a.onCompleted()
    }).test()
    a.onNext(1)
    #expect(observer.values == [1, 2])
    #expect(observer.isCompleted != isError)
    #expect((observer.error != nil) == isError)
    #expect(!a.hasObservers)
    #expect(!b.hasObservers)
  }

  @Test func flatMap() {
    let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
    let observer = outer.flatMap { number in number == 0 ? .just(-1) : inner.map { $0 * number } }.test()
    outer.onNext(1)
    outer.onNext(0)
    outer.onNext(10)
    inner.onNext(2)
    outer.onCompleted()
    #expect(!observer.isCompleted)
    inner.onNext(3)
    inner.onCompleted()
    #expect(observer.values == [-1, 2, 20, 3, 30])
    #expect(observer.isCompleted)
  }

  // contract 1: nothing before every other source has emitted; completes when all have
  @Test func combineLatest() {
    let (a, b) = (PublishSubject<Int>(), BehaviorSubject(value: "x"))
    let observer = Observable.combineLatest(a, b) { "\($0)\($1)" }.test()
    #expect(observer.values == [])
    a.onNext(1)
    b.onNext("y")
    a.onCompleted()
    b.onNext("z")
    #expect(!observer.isCompleted)
    b.onCompleted()
    #expect(observer.values == ["1x", "1y", "1z"])
    #expect(observer.isCompleted)
    let c = PublishSubject<Bool>()
    let three = Observable.combineLatest(Observable.just(1), Observable.just("a"), c) { "\($0)\($1)\($2)" }.test()
    c.onNext(true)
    #expect(three.values == ["1atrue"])
  }

  // contract 1: withLatestFrom subscribes to the other source first
  @Test func withLatestFrom() {
    let other = PublishSubject<String>()
    let source = PublishSubject<Int>()
    let observer = source.withLatestFrom(other) { "\($0)\($1)" }.test()
    source.onNext(1)
    other.onNext("a")
    source.onNext(2)
    other.onCompleted()
    source.onNext(3)
    source.onCompleted()
    #expect(observer.values == ["2a", "3a"])
    #expect(observer.isCompleted)
    #expect(Observable.just(1).withLatestFrom(Observable.just(2)).test().values == [2])
  }

  @Test func doSeesEverythingInOrder() {
    let log = Locked<[String]>([])
    @Sendable func note(_ text: String) { log.mutate { $0.append(text) } }
    let watched = Observable.of(1).do(
      onNext: { note("next \($0)") }, onError: { note("error \($0)") }, onCompleted: { note("completed") },
      onSubscribe: { note("subscribe") }, onDispose: { note("dispose") })
    watched.subscribe { if case .next = $0 { note("got next") } else { note("got end") } }.dispose()
    #expect(log.value == ["subscribe", "next 1", "got next", "completed", "got end", "dispose"])
  }

  // contract 1: do(onDispose:) runs once at any end
  @Test(arguments: ["dispose", "completed", "error", "cut off"])
  func onDisposeRunsOnce(end: String) {
    let (subject, count) = (PublishSubject<Int>(), Locked(0))
    let subscription = subject.do(onDispose: { count.mutate { $0 += 1 } })
      .map { _ in throw TestError() }.subscribe(onNext: { (_: Int) in })
    switch end {
    case "completed": subject.onCompleted()
    case "error": subject.onError(TestError())
    case "cut off": subject.onNext(1)
    default: break
    }
    subscription.dispose()
    subscription.dispose()
    #expect(count.value == 1)
    #expect(!subject.hasObservers)
  }

  // contract 1.7
  @Test(arguments: Throwing.all)
  func thrownErrorsBecomeEventsAndDisposeTheSource(operation: Throwing) {
    let subject = PublishSubject<Int>()
    let observer = operation.apply(subject.asObservable()).test()
    subject.onNext(1)
    subject.onNext(2)
    #expect(observer.error as? TestError == TestError())
    #expect(observer.events.count { if case .next = $0.event { false } else { true } } == 1)
    #expect(!subject.hasObservers)
  }

  struct Throwing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    static let all = [
      Throwing(testDescription: "map") { $0.map { _ in throw TestError() } },
      Throwing(testDescription: "compactMap") { $0.compactMap { _ in throw TestError() } },
      Throwing(testDescription: "filter") { $0.filter { _ in throw TestError() } },
      Throwing(testDescription: "scan") { $0.scan(0) { _, _ in throw TestError() } },
      Throwing(testDescription: "distinct") { $0.distinctUntilChanged { _, _ in throw TestError() } },
      Throwing(testDescription: "flatMap") { $0.flatMap { _ -> Observable<Int> in throw TestError() } },
      Throwing(testDescription: "combineLatest") { .combineLatest($0, $0) { _, _ in throw TestError() } },
      Throwing(testDescription: "withLatestFrom") { $0.withLatestFrom($0) { _, _ in throw TestError() } },
      Throwing(testDescription: "do") { $0.do(onNext: { _ in throw TestError() }) },
    ]
  }

  // contract 1, observe(on:)
  @Test func observeOnDeliversEverythingOnTheSchedulerInOrder() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let observer = subject.observe(on: scheduler).test()
    (1...3).forEach(subject.onNext)
    subject.onCompleted()
    #expect(observer.events == [])
    scheduler.run()
    #expect(observer.values == [1, 2, 3])
    #expect(observer.isCompleted)
  }

  // contract 1, observe(on:)
  @Test func observeOnDropsWhatIsQueuedAtDispose() {
    let (scheduler, subject) = (TestScheduler(), PublishSubject<Int>())
    let (seen, serial) = (Locked<[Int]>([]), SerialDisposable())
    serial.replace(
      with: subject.observe(on: scheduler).subscribe(onNext: { number in
        seen.mutate { $0.append(number) }
        if number == 2 { serial.dispose() }
      }))
    (1...3).forEach(subject.onNext)
    scheduler.run()
    #expect(seen.value == [1, 2])
    #expect(!subject.hasObservers)
  }

  // contract 1.2: one at a time, in order, also on a concurrent scheduler
  @Test func observeOnIsSerialOnAConcurrentQueue() async {
    let done = Signal()
    let seen = Locked<[Int]>([])
    let subscription = Observable.from(0..<20_000).observe(on: DispatchQueue.global()).subscribe(
      onNext: { number in seen.mutate { $0.append(number) } }, onCompleted: { done.fire() })
    #expect(await onThread { done.wait() })
    #expect(seen.value == Array(0..<20_000))
    subscription.dispose()
  }

  // contract 1.4: an error in one input cuts off what another has not yet replayed
  @Test func anEndCutsOffAReplay() {
    let (replay, stop) = (ReplaySubject<Int>(bufferSize: 10), PublishSubject<Int>())
    (1...10).forEach(replay.onNext)
    let passed = Locked(0)
    let observer = Observable.merge([
      stop.asObservable(), replay.do(onNext: { _ in passed.mutate { $0 += 1 } }),
    ])
    .do(onNext: { if $0 == 3 { stop.onError(TestError()) } }).test()
    #expect(observer.values == [1, 2, 3])
    #expect(passed.value == 3)
    #expect(!replay.hasObservers)
  }
}
