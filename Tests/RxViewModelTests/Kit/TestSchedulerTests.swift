import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4
@Suite struct TestSchedulerTests {
  @Test func runsByTimeThenInOrder() {
    let (scheduler, log) = (TestScheduler(), Locked<[String]>([]))
    @Sendable func note(_ text: String) { log.mutate { $0.append(text) } }
    _ = scheduler.schedule(after: .seconds(2)) { note("late") }
    _ = scheduler.schedule(after: .seconds(1)) {
      note("first")
      scheduler.schedule { note("meanwhile") }
    }
    _ = scheduler.schedule(after: .seconds(1)) { note("second") }
    scheduler.schedule { note("now") }
    scheduler.advance()
    #expect(log.value == ["now"])
    scheduler.advance(by: .seconds(1))
    #expect(log.value == ["now", "first", "second", "meanwhile"])
    #expect(scheduler.now == .seconds(1))
    scheduler.run()
    #expect(log.value.last == "late")
    #expect(scheduler.now == .seconds(2))
    scheduler.advance(by: .seconds(5))
    #expect(scheduler.now == .seconds(7))
  }

  @Test func keepsTheOrderOfManyAndDropsDisposedWork() {
    let (scheduler, order, lifetimes) = (TestScheduler(), Locked<[Int]>([]), Lifetimes())
    for number in (0..<1_000).map({ $0 * 7919 % 1_000 }) {
      _ = scheduler.schedule(after: .milliseconds(number)) { order.mutate { $0.append(number) } }
    }
    let work: any Disposable
    do {
      let object = lifetimes.make()
      work = scheduler.schedule(after: .seconds(-1)) { object.touch() }
    }
    work.dispose()
    #expect(lifetimes.alive == 0)
    scheduler.run()
    #expect(order.value == Array(0..<1_000))
  }

  @Test func coldIsRelativeAndHotIsAbsolute() {
    let scheduler = TestScheduler()
    let events: [Recorded<Int>] = [
      Recorded(.zero, .next(0)), Recorded(.milliseconds(10), .next(1)), Recorded(.milliseconds(20), .completed),
    ]
    let (cold, hot) = (scheduler.coldObservable(events), scheduler.hotObservable(events))
    scheduler.advance(by: .milliseconds(5))
    let (fromCold, fromHot) = (cold.test(scheduler), hot.test(scheduler))
    scheduler.run()
    #expect(
      fromCold.events == [
        Recorded(.milliseconds(5), .next(0)), Recorded(.milliseconds(15), .next(1)),
        Recorded(.milliseconds(25), .completed),
      ])
    #expect(fromHot.events == [Recorded(.milliseconds(10), .next(1)), Recorded(.milliseconds(20), .completed)])
    #expect(hot.test(scheduler).events == [Recorded(.milliseconds(25), .completed)])
  }

  @Test func recordedTellsDifferencesApart() {
    #expect(Recorded(.zero, .next(1)) != Recorded(.zero, .next(2)))
    #expect(Recorded(.zero, .next(1)) != Recorded(.seconds(1), .next(1)))
    #expect(Recorded<Int>(.zero, .error(TestError("a"))) != Recorded(.zero, .error(TestError("b"))))
    #expect(Recorded<Int>(.zero, .completed) != Recorded(.zero, .error(TestError())))
  }

  @Test func anObserverRecordsNothingAfterItsDispose() {
    let (subject, observer) = (PublishSubject<Int>(), TestObserver<Int>())
    let subscription = subject.subscribe(onNext: { number in
      observer.onNext(number)
      if number == 2 { observer.dispose() }
    })
    (1...3).forEach(subject.onNext)
    #expect(observer.values == [1, 2])
    subscription.dispose()
  }

  // A timer that every event restarts takes no memory for the earlier ones.
  @Test func disposedWorkTakesNoMemory() {
    let scheduler = TestScheduler()
    let kept = Locked(0)
    for number in 0..<100 {
      _ = scheduler.schedule(after: .seconds(number)) { kept.mutate { $0 += 1 } }
    }
    for number in 0..<50_000 { scheduler.schedule(after: .seconds(number % 1_000), {}).dispose() }
    #expect(scheduler.pendingCount == 100)
    scheduler.run()
    #expect(kept.value == 100)
    #expect(scheduler.now == .seconds(99))
  }

  @Test func pendingWorkIsReleasedWithItsScheduler() {
    let lifetimes = Lifetimes()
    var scheduled: (any Disposable)?
    do {
      let (scheduler, object) = (TestScheduler(), lifetimes.make())
      scheduled = scheduler.schedule(after: .seconds(1)) { object.touch() }
      _ = scheduler.schedule(after: .seconds(1)) { object.touch() }
    }
    scheduled?.dispose()
    #expect(lifetimes.alive == 0)
  }

  @Test func remainingWorkRunsByTimeAndThenInTheOrderOfScheduling() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let (scheduler, order) = (TestScheduler(), Locked<[Int]>([]))
      let delays = (0..<60).map { _ in Int.random(in: 0..<20, using: &random) }
      let works = delays.indices.map { number in
        scheduler.schedule(after: .milliseconds(delays[number])) { order.mutate { $0.append(number) } }
      }
      let disposed = Set((0..<20).map { _ in Int.random(in: 0..<60, using: &random) })
      for number in disposed { works[number].dispose() }
      #expect(scheduler.pendingCount == 60 - disposed.count)
      scheduler.run()
      #expect(
        order.value == delays.indices.filter { !disposed.contains($0) }.sorted { (delays[$0], $0) < (delays[$1], $1) })
    }
  }

  @Test func pendingCountIsTheNumberOfWaitingPieces() {
    let scheduler = TestScheduler()
    #expect(scheduler.pendingCount == 0)
    let works = (0..<10).map { scheduler.schedule(after: .seconds($0), {}) }
    scheduler.schedule {}
    #expect(scheduler.pendingCount == 11)
    for work in works.dropFirst(5) { work.dispose() }
    works[9].dispose()
    #expect(scheduler.pendingCount == 6)
    scheduler.advance(by: .seconds(1))
    #expect(scheduler.pendingCount == 3)
    works[0].dispose()
    scheduler.run()
    #expect(scheduler.pendingCount == 0)
    #expect(scheduler.now == .seconds(4))
  }

  @Test func aRunMayTakeAsManyPiecesOfWorkAsItsLimit() {
    let (scheduler, count) = (TestScheduler(), Locked(0))
    for _ in 0..<5 { scheduler.schedule { count.mutate { $0 += 1 } } }
    scheduler.run(limit: 5)
    #expect(count.value == 5)
  }

  // The limit counts the pieces of work at one instant, so it does not limit the time.
  @Test func anAdvanceMayTakeAsManyPiecesOfWorkAtAnInstantAsItsLimit() {
    let (scheduler, count) = (TestScheduler(), Locked(0))
    for second in 0..<9 {
      for _ in 0..<5 { _ = scheduler.schedule(after: .seconds(second)) { count.mutate { $0 += 1 } } }
    }
    scheduler.advance(by: .seconds(9), limit: 5)
    #expect(count.value == 45)
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func aRunWithoutAnEndIsTrappedWithASentence() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        _ = Observable.interval(.seconds(1), scheduler: scheduler).test(scheduler)
        scheduler.run(limit: 1_000)
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(complaint.contains("TestScheduler.run: not done after 1000 pieces of work, at 1000.0 seconds"))
    }

    @Test(.ownThread) func anAdvanceThatMayTakeNoWorkIsTrapped() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        scheduler.schedule { print("has run") }
        scheduler.advance(by: .zero, limit: 0)
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(complaint.contains("TestScheduler.advance: 0 pieces of work at 0.0 seconds, and more is due then"))
    }

    @Test(.ownThread) func anAdvanceWithoutAnEndIsTrappedWithASentence() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler()
        @Sendable func again() { scheduler.schedule { again() } }
        _ = scheduler.schedule(after: .seconds(1)) { again() }
        scheduler.advance(by: .seconds(2), limit: 1_000)
      }
      let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        complaint.contains("TestScheduler.advance: 1000 pieces of work at 1.0 seconds, and more is due then"))
    }

    @Test(.stress, .ownThread) func aForgottenIntervalDoesNotHangATest() async {
      await #expect(processExitsWith: .failure) {
        let scheduler = TestScheduler()
        _ = Observable.interval(.seconds(1), scheduler: scheduler).subscribe { _ in }
        scheduler.run()
      }
    }
  #endif
}
