import Foundation
import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

/// Emits each element, except that zero starts the timer. Emits -1, -2 and so on when the time is over.
private struct CountingState: TimedState {
  var ends = 0

  mutating func receive(_ event: Event<Int>) -> TimedStep<Int> {
    if case .next(0) = event { TimedStep(timer: .start(.seconds(1))) } else { TimedStep(event) }
  }

  mutating func timeHasPassed() -> TimedStep<Int> {
    ends += 1
    return TimedStep(.next(-ends))
  }
}

@Suite struct TimedDriverTests {
  private let scheduler = TestScheduler()
  private let source = PublishSubject<Int>()
  private var stream: Observable<Int> { .timed(source.asObservable(), CountingState(), on: scheduler) }

  // contract 1.4: the callback of the timer's event replaces the subscription.
  @Test func aSubscriptionMayBeReplacedInsideTheTimersCallback() {
    let (subscription, seen) = (SerialDisposable(), Locked<[Int]>([]))
    let stream = stream
    subscription.replace(
      with: stream.subscribe(onNext: { _ in
        subscription.replace(with: stream.subscribe(onNext: { number in seen.mutate { $0.append(number) } }))
      }))
    source.onNext(0)
    scheduler.run()
    source.onNext(0)
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
    source.onNext(0)
    await onThread { [source, scheduler] in
      let (sender, hasSent) = (Locked<ThreadID?>(nil), Signal())
      Thread {
        sender.mutate { $0 = .current }
        source.onNext(1)
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
      let source = PublishSubject<Int>()
      _ = Observable<Int>.timed(source.asObservable(), CountingState(), on: scheduler)
        .subscribe(onNext: { number in seen.mutate { $0.append(number) } })
      source.onNext(0)
    }
    scheduler.run()
    #expect(seen.value == [-1])
  }
}
