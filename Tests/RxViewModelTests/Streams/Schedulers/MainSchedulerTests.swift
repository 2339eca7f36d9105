import Dispatch
import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 2.2, 1.10
@MainActor
struct MainSchedulerTests {
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
}

// contract 1.10: between two pieces of other work of the main queue, the turns of a view model on a `MainScheduler` handle at most 1,024
// pieces of work
@MainActor
struct MainSchedulerTurnTests {
  private let looks = Locked<[Int]>([])
  private let count = WaitingWork.count

  /// Reads the state until all actions have been folded. Each read enqueues the next one on the main queue, as a view does.
  private func look(at adder: Adder) {
    let (looks, count) = (looks, count)
    @Sendable func look() {
      looks.mutate { $0.append(adder.currentState) }
      if adder.currentState < count { DispatchQueue.main.async { look() } }
    }
    DispatchQueue.main.async { look() }
  }

  // All of the actions wait when the first turn begins.
  @Test func theFirstTurnIsBounded() async {
    let adder = Adder(scheduler: MainScheduler())
    onOtherThread { for _ in 0..<WaitingWork.count { adder.execute(.add) } }
    look(at: adder)
    await settle { looks.value.last == count }
    #expect(adder.currentState == count)
    #expect(WaitingWork.mostBetween(looks.value) <= WaitingWork.bound)
  }

  // Each call may do a turn's worth, however much the calls before it have done.
  @Test func eachCallIsDoneWhenItReturns() async {
    let adder = Adder(scheduler: MainScheduler())
    onOtherThread { for _ in 0..<WaitingWork.count { adder.execute(.add) } }
    await settle { adder.currentState == count }
    let subscription = adder.stateObservable.bind { if $0 % 2 == 1 { adder.execute(.add) } }
    let isDone = (1...600).allSatisfy { number in
      adder.execute(.add)
      return adder.currentState == count + 2 * number
    }
    #expect(isDone)
    subscription.dispose()
  }

  // The main actor ends the action for which the others wait, so the first of them run inside this call.
  @Test(arguments: WaitingWork.allCases)
  func workThatWaitedInALaneYields(waiting: WaitingWork) async {
    let adder = Adder(scheduler: MainScheduler())
    adder.execute(waiting)
    #expect(adder.currentState == 0)
    look(at: adder)
    adder.gate.onCompleted()
    #expect(adder.currentState <= WaitingWork.bound)
    await settle { looks.value.last == count }
    #expect(adder.currentState == count)
    #expect(WaitingWork.mostBetween(looks.value) <= WaitingWork.bound)
  }
}
