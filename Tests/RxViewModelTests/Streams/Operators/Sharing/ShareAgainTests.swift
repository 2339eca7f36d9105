import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.4: `share().retry(n)` and `share().concat(…)` release the old connection before they make the next
@Suite struct ShareAgainTests {
  typealias Operation = @Sendable (Observable<Int>) -> Observable<Int>

  static let operations: [String: Operation] = [
    "retry": { $0.retry(2) },
    "catch": { source in source.catch { _ in source } },
    "concat": { source in source.catchAndReturn(0).concat(source) },
    "concatMap": { source in Observable.of(1, 2).concatMap { _ in source.catchAndReturn(0) } },
    "retry of an operator": { $0.map { $0 + 1 }.retry(2) },
    "retry of a merge": { source in source.merge(with: Observable.never()).retry(2) },
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
      let log = Locked<[String]>([])
      await onThread {
        let (scheduler, count) = (TestScheduler(), Locked(0))
        let source = Observable<Int>.create { observer in
          let number = count.mutate {
            $0 += 1
            return $0
          }
          log.mutate { $0.append("open \(number)") }
          switch number > 2 ? .later : end {
          case .atOnce: observer.onError(TestError())
          case .later: scheduler.schedule { observer.onError(TestError()) }
          case .elsewhere: onOtherThread { observer.onError(TestError()) }
          }
          return Disposables.create { log.mutate { $0.append("close \(number)") } }
        }
        let observer = Self.operations[name]!(source.share(replay: replay)).test(scheduler)
        scheduler.run()
        observer.dispose()
      }
      #expect(log.value == ["open 1", "close 1", "open 2", "close 2"])
    }
  }

  @Test(arguments: [0, 1])
  func theOldConnectionIsClosedBeforeTheNextOpensAtACompletion(replay: Int) {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      scheduler.schedule { observer.onNext(7) }
      scheduler.schedule { observer.onCompleted() }
      return Disposables.create { log.mutate { $0.append("close") } }
    }
    let shared = source.share(replay: replay)
    let observer = shared.concat(shared).startWith(0).concat(shared).test(scheduler)
    scheduler.run()
    #expect(observer.values == [0, 7, 7, 7])
    #expect(observer.isCompleted)
    #expect(log.value == ["open", "close", "open", "close", "open", "close"])
  }

  // An operator that ends the stream before its source does disposes its subscription to the connection first.
  @Test(arguments: ["take", "take(while:)", "take(until:)", "timeout"], [0, 1])
  func theOldConnectionIsClosedBeforeAnOperatorCompletes(_ name: String, replay: Int) {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      scheduler.schedule { observer.onNext(7) }
      return Disposables.create { log.mutate { $0.append("close") } }
    }
    let (shared, end) = (source.share(replay: replay), PublishSubject<Void>())
    let first: Observable<Int> =
      switch name {
      case "take": shared.take(1)
      case "take(while:)": shared.startWith(0).take(while: { $0 == 0 })
      case "take(until:)": shared.take(until: end)
      default: shared.timeout(.seconds(1), scheduler: scheduler).catch { _ in .empty() }
      }
    let observer = first.concat(shared).test(scheduler)
    scheduler.advance()
    end.onNext(())
    scheduler.advance(by: .seconds(2))
    #expect(log.value == ["open", "close", "open"])
    #expect(observer.values.last == 7)
    observer.dispose()
    #expect(log.value == ["open", "close", "open", "close"])
  }

  // contract 1.4: so a subscriber that subscribes again in its completion finds the old connection gone.
  @Test(arguments: ["take", "take(while:)", "take(while:inclusive:)", "take(until:)"], [false, true])
  func aSubscriberThatSubscribesAgainInItsCompletionMakesANewConnection(_ name: String, isBeforeTheShare: Bool) {
    let (log, subject, stop) = (Locked<[String]>([]), PublishSubject<Int>(), PublishSubject<Int>())
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      let subscription = subject.subscribe(observer)
      return Disposables.create {
        subscription.dispose()
        log.mutate { $0.append("close") }
      }
    }
    func ended(_ source: Observable<Int>) -> Observable<Int> {
      switch name {
      case "take": source.take(1)
      case "take(while:)": source.take(while: { _ in false })
      case "take(while:inclusive:)": source.take(while: { _ in false }, inclusive: true)
      default: source.take(until: stop)
      }
    }
    let stream = isBeforeTheShare ? ended(source).share() : ended(source.share())
    let bag = DisposeBag()
    stream.subscribe(onCompleted: {
      log.mutate { $0.append("completed") }
      stream.subscribe { _ in }.disposed(by: bag)
    }).disposed(by: bag)
    if name == "take(until:)" { stop.onNext(0) } else { subject.onNext(0) }
    #expect(log.value == ["open", "close", "completed", "open"])
    bag.dispose()
    #expect(log.value.last == "close")
  }

  // The source sends the first element while the first connection is being made.
  @Test(arguments: [0, 1])
  func theOldConnectionIsClosedBeforeTakeCompletesDuringItsSubscription(replay: Int) {
    let log = Locked<[String]>([])
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      observer.onNext(7)
      return Disposables.create { log.mutate { $0.append("close") } }
    }
    let shared = source.share(replay: replay)
    let observer = shared.take(1).concat(shared).test()
    #expect(observer.values == [7, 7])
    #expect(log.value == ["open", "close", "open"])
    observer.dispose()
  }

  // Another subscriber keeps the connection open.
  @Test func theConnectionOfAnotherSubscriberStaysOpen() {
    let (subject, opened) = (PublishSubject<Int>(), Locked(0))
    let shared = subject.do(onSubscribe: { opened.mutate { $0 += 1 } }).share()
    let (other, observer) = (shared.test(), shared.take(1).concat(shared).test())
    subject.onNext(1)
    subject.onNext(2)
    #expect(other.values == [1, 2])
    #expect(observer.values == [1, 2])
    #expect(opened.value == 1)
  }

  // A connection ends when the subscription to the source has been disposed, and not earlier.
  @Test func aSubscriberThatComesBeforeTheConnectionIsClosedJoinsIt() {
    let (log, late) = (Locked<[String]>([]), Recorder<Int>())
    let shared = Locked<Observable<Int>>(.never())
    let stream = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      observer.onNext(1)
      observer.onCompleted()
      _ = shared.value.subscribe(late)
      return Disposables.create { log.mutate { $0.append("close") } }
    }.share(replay: 1)
    shared.mutate { $0 = stream }
    let first = shared.value.test()
    #expect(first.events.count == 2)
    #expect(late.elements == [1])
    #expect(late.end == "completed")
    #expect(log.value == ["open", "close"])
    shared.mutate { $0 = .never() }
  }

  // Two subscribers that both try again join the same next connection.
  @Test func severalSubscribersThatTryAgainShareTheNextConnection() {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("open") }
      scheduler.schedule { observer.onError(TestError()) }
      return Disposables.create { log.mutate { $0.append("close") } }
    }
    let shared = source.share()
    let (first, second) = (shared.retry(3).test(scheduler), shared.retry(3).test(scheduler))
    scheduler.run()
    #expect(first.error is TestError)
    #expect(second.error is TestError)
    #expect(log.value == ["open", "close", "open", "close", "open", "close"])
  }
}
