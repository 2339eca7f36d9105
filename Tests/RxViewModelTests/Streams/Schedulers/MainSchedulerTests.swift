import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.2, 1.10
@MainActor
@Suite struct MainSchedulerTests {
  private let scheduler = MainScheduler()

  @Test func workScheduledOnTheMainActorRunsAtOnce() {
    let log = Locked<[Int]>([])
    scheduler.schedule {
      MainActor.assertIsolated()
      self.scheduler.schedule { log.mutate { $0.append(1) } }
      log.mutate { $0.append(2) }
    }
    #expect(log.value == [1, 2])
  }

  @Test func workFromAnotherThreadRunsOnTheMainActorAndIsNotOvertaken() async {
    let log = Locked<[Int]>([])
    let isScheduled = Signal()
    let scheduler = scheduler
    Thread.detachNewThread {
      for number in 0..<100 {
        scheduler.schedule {
          MainActor.assertIsolated()
          log.mutate { $0.append(number) }
        }
      }
      isScheduled.fire()
    }
    #expect(isScheduled.wait())
    scheduler.schedule { log.mutate { $0.append(100) } }
    #expect(log.value == [])
    await settle { log.value.count == 101 }
    #expect(log.value == Array(0...100))
    scheduler.schedule { log.mutate { $0.append(101) } }
    #expect(log.value.last == 101)
  }

  @Test func mainIsOneSchedulerForAll() async {
    let log = Locked<[Int]>([])
    let isScheduled = Signal()
    Thread.detachNewThread {
      let main: any Scheduler = .main
      main.schedule { log.mutate { $0.append(2) } }
      isScheduled.fire()
    }
    #expect(isScheduled.wait())
    // It waits for the work of the other thread. A scheduler with an order of its own does not.
    let main: (any Scheduler)? = .main
    main?.schedule { log.mutate { $0.append(3) } }
    scheduler.schedule { log.mutate { $0.append(1) } }
    #expect(log.value == [1])
    await settle { log.value.count == 3 }
    #expect(log.value == [1, 2, 3])
  }

  @Test func delayedWorkRunsOnTheMainActorUnlessItIsDisposed() async {
    let log = Locked<[Int]>([])
    var isPrompt = false
    // Only timers that are set within two milliseconds are due in this order. The system may suspend this thread between the two calls.
    while !isPrompt {
      log.mutate { $0 = [] }
      scheduler.schedule(after: .milliseconds(1)) { log.mutate { $0.append(1) } }.dispose()
      let start = ContinuousClock.now
      let timers = [
        scheduler.schedule(after: .milliseconds(2)) { log.mutate { $0.append(2) } },
        scheduler.schedule(after: .zero) {
          MainActor.assertIsolated()
          log.mutate { $0.append(3) }
        },
      ]
      isPrompt = ContinuousClock.now - start < .milliseconds(2)
      #expect(log.value == [])
      await settle { log.value.count == 2 }
      #expect(log.value.sorted() == [2, 3])
      _ = timers
    }
    #expect(log.value == [3, 2])
  }

  @Test func anActionExecutedOnTheMainActorIsDoneWhenExecuteReturns() {
    let screen = Screen(scheduler: scheduler)
    let other = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    // Also from inside a callback of another view model.
    let subscription = other.stateObservable.bind { state in
      screen.execute(Step("\(state.count)"))
      #expect(screen.currentState.last == "\(state.count)")
    }
    other.execute(Step("x"))
    #expect(screen.currentState == ["0", "1"])
    #expect(journal.news.suffix(5) == ["1 started", "state 01", "1 made 01", "1 emitted 01", "1 completed 01"])
    subscription.dispose()
  }

  @Test func nothingHappensInsideSomethingElse() {
    let screen = Screen(scheduler: scheduler)
    let states = Recorder<[String]> { event in
      if case .next(["a"]) = event { screen.execute(Step("b")) }
    }
    let later = Recorder<[String]>()
    let subscriptions = [screen.stateObservable.subscribe(states), screen.stateObservable.subscribe(later)]
    screen.execute(Step("a"))
    #expect(later.elements == [[], ["a"], ["a", "b"]])
    #expect(states.faults + later.faults == [])
    for subscription in subscriptions { subscription.dispose() }
  }

  @Test func aLongTurnYieldsToTheMainQueue() async {
    let screen = Screen(scheduler: scheduler)
    let (count, seen) = (Locked(0), Locked<Int?>(nil))
    let step = Step("") {
      count.mutate { $0 += 1 }
      return .empty()
    }
    // If turns did not yield, one turn would handle all 5,000 actions. The block is on the main queue before the second turn is.
    screen.execute(
      Step("flood") {
        for _ in 0..<5_000 { screen.execute(step) }
        DispatchQueue.main.async { seen.mutate { $0 = count.value } }
        return .empty()
      })
    await settle { seen.value != nil && count.value == 5_000 }
    #expect(seen.value! <= 1_024)
  }

  @Test func observeOnDeliversAtOnceOnTheMainActor() {
    let subject = PublishSubject<Int>()
    let values = subject.observe(on: scheduler).test()
    subject.onNext(1)
    #expect(values.values == [1])
  }
}
