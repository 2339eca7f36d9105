import Foundation
import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

/// Does for each element what the element says.
private struct ScriptedState: TimedState {
  enum Order: Sendable {
    case start(Duration)
    case stop
    case emit(Int)
    case emitAndStart(Int, Duration)
    case emitTwo(Int, Int)
  }

  var ends = 0

  mutating func receive(_ event: Event<Order>) -> TimedStep<Int> {
    switch event {
    case .next(.start(let delay)): TimedStep(timer: .start(delay))
    case .next(.stop): TimedStep(timer: .stop)
    case .next(.emit(let number)): TimedStep(.next(number))
    case .next(.emitAndStart(let number, let delay)): TimedStep(.next(number), timer: .start(delay))
    case .next(.emitTwo(let first, let second)): TimedStep(.next(first), .next(second))
    case .error(let error): TimedStep(.error(error))
    case .completed: TimedStep(.completed)
    }
  }

  mutating func timeHasPassed() -> TimedStep<Int> {
    ends += 1
    return TimedStep(.next(-ends))
  }
}

@Suite struct TimedDriverTests {
  private let scheduler = TestScheduler()
  private let source = PublishSubject<ScriptedState.Order>()
  private var stream: Observable<Int> { .timed(source.asObservable(), ScriptedState(), on: scheduler) }

  @Test func theTimeIsOverAfterTheDelay() {
    let observer = stream.test(scheduler)
    source.onNext(.start(.seconds(1)))
    scheduler.advance(by: .milliseconds(999))
    #expect(observer.values == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(observer.values == [-1])
    scheduler.run()
    #expect(observer.values == [-1])
  }

  @Test func aSecondStartReplacesTheFirst() {
    let observer = stream.test(scheduler)
    source.onNext(.start(.seconds(1)))
    scheduler.advance(by: .milliseconds(500))
    source.onNext(.start(.seconds(1)))
    scheduler.run()
    #expect(observer.values == [-1])
    #expect(scheduler.now == .milliseconds(1_500))
  }

  @Test func aStopDropsTheTimer() {
    let observer = stream.test(scheduler)
    source.onNext(.start(.seconds(1)))
    source.onNext(.stop)
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(observer.values == [])
  }

  @Test func theTimerStartsWhenTheSubscriberHasReturned() {
    let pending = Locked<[Int]>([])
    let subscription = stream.subscribe(onNext: { [scheduler] _ in
      pending.mutate { $0.append(scheduler.pendingCount) }
    })
    source.onNext(.emitAndStart(1, .seconds(1)))
    #expect(pending.value == [0])
    #expect(scheduler.pendingCount == 1)
    subscription.dispose()
  }

  // contract 1.4
  @Test func disposingStopsTheTimerForGood() {
    let subscription: any Disposable = stream.subscribe(onNext: { _ in })
    source.onNext(.start(.seconds(1)))
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    #expect(!source.hasObservers)
  }

  // contract 1.4: the first event's callback disposes the subscription, so the second event is not sent, and the timer does not start.
  @Test func aDisposeInsideTheCallbackStopsTheStep() {
    let (first, second, seen) = (SerialDisposable(), SerialDisposable(), Locked<[Int]>([]))
    first.replace(
      with: stream.subscribe(onNext: { number in
        seen.mutate { $0.append(number) }
        first.dispose()
      }))
    source.onNext(.emitTwo(1, 2))
    #expect(seen.value == [1])
    second.replace(with: stream.subscribe(onNext: { _ in second.dispose() }))
    source.onNext(.emitAndStart(1, .seconds(1)))
    #expect(scheduler.pendingCount == 0)
  }

  // contract 1.4: the callback of the timer's event replaces the subscription.
  @Test func aSubscriptionMayBeReplacedInsideTheTimersCallback() {
    let (subscription, seen) = (SerialDisposable(), Locked<[Int]>([]))
    let stream = stream
    subscription.replace(
      with: stream.subscribe(onNext: { _ in
        subscription.replace(with: stream.subscribe(onNext: { number in seen.mutate { $0.append(number) } }))
      }))
    source.onNext(.start(.seconds(1)))
    scheduler.run()
    source.onNext(.start(.seconds(1)))
    scheduler.run()
    #expect(seen.value == [-1])
    subscription.dispose()
    #expect(!source.hasObservers)
  }

  // A thread that is delivering handles the end of the time, too. It leaves the event to the scheduler.
  @Test func theEventOfTheTimerComesOnTheScheduler() async {
    let (entered, goesOn, threads) = (Signal(), Signal(), Locked<[ThreadID]>([]))
    let subscription = stream.subscribe(onNext: { number in
      threads.mutate { $0.append(.current) }
      guard number == 1 else { return }
      entered.fire()
      #expect(goesOn.wait())
    })
    source.onNext(.start(.seconds(1)))
    await onThread { [source, scheduler] in
      let (sender, hasSent) = (Locked<ThreadID?>(nil), Signal())
      Thread {
        sender.mutate { $0 = .current }
        source.onNext(.emit(1))
        hasSent.fire()
      }.start()
      #expect(entered.wait())
      scheduler.run()
      goesOn.fire()
      #expect(hasSent.wait())
      scheduler.run()
      #expect(threads.value == [sender.value!, .current])
    }
    subscription.dispose()
  }

  // The scheduled work retains the operator.
  @Test func theEventArrivesEvenIfOnlyTheSchedulerRetainsTheOperator() {
    let seen = Locked<[Int]>([])
    do {
      let source = PublishSubject<ScriptedState.Order>()
      _ = Observable<Int>.timed(source.asObservable(), ScriptedState(), on: scheduler)
        .subscribe(onNext: { number in seen.mutate { $0.append(number) } })
      source.onNext(.start(.seconds(1)))
    }
    scheduler.run()
    #expect(seen.value == [-1])
  }
}
