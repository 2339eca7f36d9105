import RxViewModelTesting
import Testing

@testable import RxViewModel

@Suite struct RestartableTimerTests {
  private let scheduler = TestScheduler()
  private let log = Locked<[Int]>([])

  @Test func theInputIsSentAfterTheDelay() {
    let (timer, subscriptions) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    scheduler.advance(by: .milliseconds(999))
    #expect(log.value == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.value == [1])
    subscriptions.dispose()
  }

  @Test func aSecondStartReplacesTheFirst() {
    let (timer, subscriptions) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    scheduler.advance(by: .milliseconds(500))
    timer.start(after: .seconds(1)) { _ in 2 }
    scheduler.run()
    #expect(log.value == [2])
    #expect(scheduler.now == .milliseconds(1_500))
    subscriptions.dispose()
  }

  // contract 1.4
  @Test func disposingStopsTheTimerForGood() {
    let (timer, subscriptions) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    subscriptions.dispose()
    #expect(scheduler.pendingCount == 0)
    #expect(!timer.isOpen)
    timer.start(after: .seconds(1)) { _ in 2 }
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(log.value == [])
  }

  @Test func sendComesAfterTheWorkThatIsAlreadyDue() {
    let (timer, subscriptions) = make()
    scheduler.schedule { [log] in log.mutate { $0.append(1) } }
    timer.send { _ in 2 }
    scheduler.run()
    #expect(log.value == [1, 2])
    subscriptions.dispose()
  }

  @Test func noMoreDisposesTheSubscriptions() {
    let (timer, subscriptions) = make(answering: .noMore)
    timer.start(after: .seconds(1)) { _ in 1 }
    scheduler.run()
    #expect(log.value == [1])
    #expect(!subscriptions.isOpen)
  }

  @Test func anInputThatAnotherThreadHandlesIsSentOnceMore() {
    let (timer, subscriptions) = make()
    #expect(timer.isHandled(on: .current) { _ in 1 })
    let other = Locked<ThreadID?>(nil)
    onOtherThread { other.mutate { $0 = .current } }
    #expect(!timer.isHandled(on: other.value!) { _ in 2 })
    scheduler.run()
    #expect(log.value == [2])
    subscriptions.dispose()
  }

  @Test func finishSendsTheElementAndTheCompletionUnlessTheElementHasDisposed() {
    for disposes in [false, true] {
      let (timer, subscriptions) = make()
      let events = Locked<[String]>([])
      timer.finish(with: 7) { event in
        events.mutate { $0.append("\(event)") }
        if disposes { subscriptions.dispose() }
        return .more
      }
      #expect(events.value == (disposes ? ["next(7)"] : ["next(7)", "completed"]))
    }
  }

  // The scheduled work keeps what it needs.
  @Test func aScheduledInputArrivesEvenIfOnlyTheSchedulerHoldsTheSerializer() {
    do {
      let (timer, _) = make()
      timer.start(after: .seconds(1)) { _ in 1 }
      serializers.mutate { $0 = [] }
    }
    scheduler.run()
    #expect(log.value == [1])
  }

  private func make(answering demand: Demand = .more) -> (
    RestartableTimer<Int>, CompositeDisposable
  ) {
    let timer = RestartableTimer<Int>(on: scheduler)
    let serializer = EventSerializer<Int> { [log] number in
      log.mutate { $0.append(number) }
      return demand
    }
    serializers.mutate { $0.append(serializer) }
    return (timer, timer.subscriptions(closing: serializer))
  }

  /// Holds the serializers, as their sources do. A timer holds its own weakly.
  private let serializers = Locked<[EventSerializer<Int>]>([])
}
