import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct RepeatTests {
  @Test func subscribesAsOftenAsTheCountInAll() {
    let source = events([5: 1], completed: 8)
    #expect(outcome(of: source) { source, _ in source.repeat(1) } == source)
    #expect(
      outcome(of: source) { source, _ in source.repeat(3) } == events([5: 1, 13: 1, 21: 1], completed: 24))
  }

  @Test func aCountOfZeroIsEmpty() {
    let subscribed = Locked(0)
    let observer = Observable.just(1).do(onSubscribe: { subscribed.mutate { $0 += 1 } }).repeat(0).test()
    #expect(observer.events == [Recorded(.zero, .completed)])
    #expect(subscribed.value == 0)
  }

  @Test func anErrorEndsIt() {
    let source = events([5: 1], error: 8)
    #expect(outcome(of: source) { source, _ in source.repeat(3) } == source)
  }

  @Test func withoutACountItContinuesUntilTheSubscriptionEnds() {
    #expect(Observable.of(1, 2).repeat().take(5).test().values == [1, 2, 1, 2, 1])
    let scheduler = TestScheduler()
    let observer = Observable.timer(.seconds(1), scheduler: scheduler).repeat().test(scheduler)
    scheduler.advance(by: .seconds(10))
    #expect(observer.values.count == 10)
    observer.dispose()
    #expect(scheduler.pendingCount == 0)
  }

  // contract 1.4: a dispose in the middle of a repetition
  @Test func aDisposeInsideEndsIt() {
    let (serial, recorder) = (SerialDisposable(), Recorder<Int>())
    let held = PublishSubject<Int>()
    serial.replace(
      with: held.concat(Observable.of(1, 2)).repeat(3).subscribe { event in
        recorder.on(event)
        if recorder.elements.count == 4 { serial.dispose() }
      })
    held.onCompleted()
    #expect(recorder.elements == [1, 2, 1, 2])
    #expect(recorder.end == nil)
  }

  @Test func aSourceIsDisposedBeforeTheNext() {
    let log = Locked<[String]>([])
    let source = Observable<Int>.create { observer in
      log.mutate { $0.append("begin") }
      observer.onCompleted()
      return Disposables.create { log.mutate { $0.append("end") } }
    }
    _ = source.repeat(2).subscribe { _ in }
    #expect(log.value == ["begin", "end", "begin", "end"])
  }

  // contract 1.6
  @Test(.stress, arguments: [1, 2])
  func manyTimes(elements: Int) async {
    let sum = await onThread(stackSize: smallStack) {
      let sum = Locked(0)
      _ = Observable.from(repeatElement(1, count: elements)).repeat(100_000)
        .subscribe(onNext: { number in sum.mutate { $0 += number } })
      return sum.value
    }
    #expect(sum == elements * 100_000)
  }
}
