import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.8
struct ShareTests {
  private let source = Producer()

  @Test func connectsForTheFirstSubscriberAndDisconnectsAfterTheLast() {
    let shared = source.stream.share()
    #expect(source.log.value == [])
    let (first, second) = (shared.test(), shared.test())
    source.observer.onNext(1)
    first.dispose()
    first.dispose()
    #expect(source.log.value == ["open"])
    source.observer.onNext(2)
    second.dispose()
    #expect(source.log.value == ["open", "close"])
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    let third = shared.test()
    source.observer.onNext(3)
    #expect(third.values == [3])
    third.dispose()
    #expect(source.log.value == ["open", "close", "open", "close"])
  }

  @Test func aConnectionLastsAlthoughItsSourceRetainsNothing() {
    let disconnects = Locked(0)
    // Nothing retains the observer of this source. Only the disposable remains.
    let subscription = Observable<Int>.create { _ in
      Disposables.create { disconnects.increment() }
    }.share().subscribe { _ in }
    subscription.dispose()
    #expect(disconnects.value == 1)
  }

  // contract 1.5, 1.8
  @Test func replaysTheLastElementsOfThisConnection() {
    let shared = source.stream.share(replay: 2)
    let first = shared.test()
    for number in 1...3 { source.observer.onNext(number) }
    let second = shared.test()
    #expect(second.values == [2, 3])
    source.observer.onNext(4)
    #expect(second.values == [2, 3, 4])
    first.dispose()
    second.dispose()
    #expect(shared.test().values == [])
  }

  @Test func startsAgainAfterAnEnd() {
    let shared = source.stream.share(replay: 1)
    for end in [Event<Int>.error(TestError()), .completed] {
      let observer = shared.test()
      source.observer.onNext(1)
      source.observer.on(end)
      #expect(observer.events.count == 2)
      let next = shared.test()
      #expect(next.events.isEmpty)
      next.dispose()
    }
    #expect(source.log.value == (1...4).flatMap { _ in ["open", "close"] })
  }

  // contract 1
  @Test func subscribingAgainInsideTheTerminalCallbackJoinsTheNewConnection() {
    let shared = source.stream.share()
    let (again, alsoAgain, bag) = (Recorder<Int>(), Recorder<Int>(), DisposeBag())
    for later in [again, alsoAgain] {
      shared.subscribe { event in
        if case .completed = event { shared.subscribe(later).disposed(by: bag) }
      }.disposed(by: bag)
    }
    source.observer.onCompleted()
    #expect(source.log.value == ["open", "close", "open"])
    source.observer.onNext(5)
    #expect(again.elements == [5])
    #expect(alsoAgain.elements == [5])
    bag.dispose()
    #expect(source.log.value.last == "close")
  }

  @Test func aSubscriberThatIsCutOffLeaves() {
    let shared = source.stream.share()
    let (one, all) = (shared.take(1).test(), shared.test())
    source.observer.onNext(1)
    #expect(one.isCompleted && source.log.value == ["open"])
    all.dispose()
    #expect(source.log.value == ["open", "close"])
    // The subscriber leaves while it connects to an endless source.
    let endless = Observable.from(sequence(first: 0) { $0 + 1 }).share(replay: 1)
    #expect(endless.take(3).test().values == [0, 1, 2])
  }

  @Test func nothingIsRetainedAfterTheLastSubscriberHasLeft() {
    let (subject, lifetimes) = (PublishSubject<Lifetimes.Object>(), Lifetimes())
    let shared = subject.share(replay: 3)
    let observer = shared.map { _ in 0 }.test()
    for _ in 0..<5 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 3)
    observer.dispose()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(shared) {}
  }
}

// contract 1.4: `share().retry(n)` and `share().concat(…)` release the old connection before they make the next
struct ShareAgainTests {
  typealias Operation = @Sendable (Observable<Int>) -> Observable<Int>

  static let operations: [String: Operation] = [
    "retry": { $0.retry(2) },
    "catch": { source in source.catch { _ in source } },
    "concat": { source in source.catchAndReturn(0).concat(source) },
    "concatMap": { source in Observable.of(1, 2).concatMap { _ in source.catchAndReturn(0) } },
    "retry of an operator": { $0.map { $0 + 1 }.retry(2) },
    "retry of a merge": { source in source.merge(with: Observable.never()).retry(2) },
    "retry of a delay": { $0.delay(.zero, scheduler: ImmediateScheduler()).retry(2) },
    "retry of flatMapLatest": { source in Observable.of(0).flatMapLatest { _ in source }.retry(2) },
    "again in the callback": { source in
      .create { observer in
        source.subscribe { _ in _ = source.subscribe(observer) }
      }
    },
  ]

  enum End: CaseIterable {
    /// The source fails while it is being subscribed, later, or on another thread while it is being subscribed.
    case atOnce, later, elsewhere
  }

  @Test(arguments: operations.keys.sorted(), End.allCases)
  func theOldConnectionIsClosedBeforeTheNextOpens(of name: String, end: End) async {
    for replay in 0...1 {
      let log = await onThread {
        let scheduler = TestScheduler()
        let source = Producer { observer in
          switch end {
          case .atOnce: observer.onError(TestError())
          case .later: scheduler.schedule { observer.onError(TestError()) }
          case .elsewhere: onOtherThread { observer.onError(TestError()) }
          }
        }
        let observer = Self.operations[name]!(source.stream.share(replay: replay)).test(scheduler)
        scheduler.run()
        observer.dispose()
        return source.log.value
      }
      #expect(log == ["open", "close", "open", "close"])
    }
  }

  @Test(arguments: [0, 1])
  func theOldConnectionIsClosedBeforeTheNextOpensAtACompletion(replay: Int) {
    let scheduler = TestScheduler()
    let source = Producer { observer in
      scheduler.schedule { observer.onNext(7) }
      scheduler.schedule { observer.onCompleted() }
    }
    let shared = source.stream.share(replay: replay)
    let observer = shared.concat(shared).startWith(0).concat(shared).test(scheduler)
    scheduler.run()
    #expect(observer.values == [0, 7, 7, 7] && observer.isCompleted)
    #expect(source.log.value == ["open", "close", "open", "close", "open", "close"])
  }

  // The source sends the first element while the first connection is being made.
  @Test(arguments: [0, 1])
  func theOldConnectionIsClosedBeforeTakeCompletesDuringItsSubscription(replay: Int) {
    let source = Producer { $0.onNext(7) }
    let shared = source.stream.share(replay: replay)
    let observer = shared.take(1).concat(shared).test()
    #expect(observer.values == [7, 7])
    #expect(source.log.value == ["open", "close", "open"])
    observer.dispose()
  }

  // A connection ends when the subscription to the source has been disposed, and not earlier.
  @Test func aSubscriberThatComesBeforeTheConnectionIsClosedJoinsIt() {
    let (late, shared) = (Recorder<Int>(), Locked<Observable<Int>>(.never()))
    let source = Producer { observer in
      observer.onNext(1)
      observer.onCompleted()
      _ = shared.value.subscribe(late)
    }
    shared.mutate { $0 = source.stream.share(replay: 1) }
    let first = shared.value.test()
    #expect(first.events.count == 2 && late.elements == [1] && late.end == "completed")
    #expect(source.log.value == ["open", "close"])
    shared.mutate { $0 = .never() }
  }

  // Two subscribers that both try again join the same next connection.
  @Test func severalSubscribersThatTryAgainShareTheNextConnection() {
    let scheduler = TestScheduler()
    let source = Producer { observer in scheduler.schedule { observer.onError(TestError()) } }
    let shared = source.stream.share()
    let (first, second) = (shared.retry(3).test(scheduler), shared.retry(3).test(scheduler))
    scheduler.run()
    #expect(first.error is TestError)
    #expect(second.error is TestError)
    #expect(source.log.value == ["open", "close", "open", "close", "open", "close"])
  }
}
