import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct ExpandTests {
  @Test func synchronousElementsComeLevelByLevel() {
    let tree = Observable.just(1).expand { number in number < 4 ? .of(2 * number, 2 * number + 1) : .empty() }
    #expect(tree.test().values == [1, 2, 3, 4, 5, 6, 7])
    #expect(tree.test().isCompleted)
    #expect(Observable<Int>.empty().expand { .just($0) }.test().isCompleted)
  }

  @Test func laterElementsComeAtTheirTimes() {
    let scheduler = TestScheduler()
    let observer = scheduler.coldObservable(events([0: 1, 10: 5], completed: 10)).expand { number in
      number % 4 == 0 ? .empty() : .just(number + 1).delay(.milliseconds(4), scheduler: scheduler)
    }.test(scheduler)
    scheduler.run()
    #expect(observer.events == events([0: 1, 4: 2, 8: 3, 10: 5, 12: 4, 14: 6, 18: 7, 22: 8], completed: 22))
  }

  @Test func anErrorOfALevelEndsAll() {
    let scheduler = TestScheduler()
    let observer = scheduler.coldObservable(events([0: 1, 10: 2])).expand { number -> Observable<Int> in
      number == 2 ? .error(TestError()) : .never()
    }.test(scheduler)
    scheduler.run()
    #expect(observer.events == events([0: 1, 10: 2], error: 10))
    #expect(scheduler.pendingCount == 0)
  }

  // contract 1.7
  @Test func aClosureThatThrowsEndsAll() {
    let subject = PublishSubject<Int>()
    let observer = subject.expand { _ -> Observable<Int> in throw TestError() }.test()
    subject.onNext(1)
    #expect(observer.values == [1])
    #expect(observer.error is TestError)
    #expect(!subject.hasObservers)
  }

  // contract 1.4: the closure is not called after a dispose
  @Test func aDisposeInsideEndsIt() {
    let (serial, recorder, calls) = (SerialDisposable(), Recorder<Int>(), Locked(0))
    let subject = PublishSubject<Int>()
    serial.replace(
      with: subject.expand { number -> Observable<Int> in
        calls.mutate { $0 += 1 }
        return .of(number + 1, number + 1)
      }.subscribe { event in
        recorder.on(event)
        if case .next(2) = event { serial.dispose() }
      })
    subject.onNext(0)
    #expect(recorder.elements == [0, 1, 1, 2])
    #expect(calls.value == 3)
    #expect(!subject.hasObservers)
  }

  // An endless level stops when the subscription ends.
  @Test func anEndlessLevelIsCutOff() {
    let endless = Observable.from(sequence(first: 1) { $0 + 1 })
    #expect(Observable.just(0).expand { _ in endless }.take(5).test().values == [0, 1, 2, 3, 4])
  }

  @Test func streamsOfOtherTypes() {
    let subject = BehaviorSubject(value: 2)
    let observer = Observable.just(1).expand { number in number < 2 ? subject : BehaviorSubject(value: 3) }.take(4)
      .test()
    #expect(observer.values == [1, 2, 3, 3])
  }

  enum Level: CaseIterable {
    case just, from, create
  }

  // contract 1.6
  @Test(.stress, arguments: Level.allCases)
  func manyLevels(made level: Level) async {
    let last = await onThread(stackSize: smallStack) {
      let last = Locked(0)
      _ = Observable.just(0).expand { number -> Observable<Int> in
        if number == 100_000 { return .empty() }
        switch level {
        case .just: return .just(number + 1)
        case .from: return .from([number + 1])
        case .create:
          return .create { observer in
            observer.onNext(number + 1)
            observer.onCompleted()
            return Disposables.create()
          }
        }
      }.subscribe(onNext: { number in last.mutate { $0 = number } })
      return last.value
    }
    #expect(last == 100_000)
  }

  // contract 1.2, 1.10: elements of other threads are expanded too, whichever thread delivers them
  @Test(.stress) func sendersOnSeveralThreads() async {
    let (subject, seen) = (PublishSubject<Int>(), Locked<[Int: Int]>([:]))
    let streams = (0..<4).map { _ in PublishSubject<Int>() }
    let merged = Observable.merge(streams.map { $0.asObservable() } + [subject.asObservable()])
    let subscription = merged.expand { number in number < 3 ? .just(number + 1) : .empty() }
      .subscribe(onNext: { number in seen.mutate { $0[number, default: 0] += 1 } })
    await race(threads: 4) { thread in
      for _ in 0..<5_000 { streams[thread].onNext(0) }
    }
    #expect(seen.value == [0: 20_000, 1: 20_000, 2: 20_000, 3: 20_000])
    subscription.dispose()
  }
}
