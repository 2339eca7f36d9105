import RxViewModelTesting
import Testing

@testable import RxViewModel

@Suite struct RestartableTimerTests {
  private let scheduler = TestScheduler()
  private let log = Locked<[Int]>([])

  @Test func theInputIsSentAfterTheDelay() {
    let (timer, scope) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    scheduler.advance(by: .milliseconds(999))
    #expect(log.value == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.value == [1])
    scope.dispose()
  }

  @Test func aSecondStartReplacesTheFirst() {
    let (timer, scope) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    scheduler.advance(by: .milliseconds(500))
    timer.start(after: .seconds(1)) { _ in 2 }
    scheduler.run()
    #expect(log.value == [2])
    #expect(scheduler.now == .milliseconds(1_500))
    scope.dispose()
  }

  // contract 1.4
  @Test func disposingStopsTheTimerForGood() {
    let (timer, scope) = make()
    timer.start(after: .seconds(1)) { _ in 1 }
    scope.dispose()
    #expect(scheduler.pendingCount == 0)
    #expect(!timer.scope.isOpen)
    timer.start(after: .seconds(1)) { _ in 2 }
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(log.value == [])
  }

  @Test func sendComesAfterTheWorkThatIsAlreadyDue() {
    let (timer, scope) = make()
    scheduler.schedule { [log] in log.mutate { $0.append(1) } }
    timer.send { _ in 2 }
    scheduler.run()
    #expect(log.value == [1, 2])
    scope.dispose()
  }

  @Test func anInputThatAnotherThreadHandlesIsSentOnceMore() {
    let (timer, scope) = make()
    #expect(timer.isHandled(on: .current) { _ in 1 })
    let other = Locked<ThreadID?>(nil)
    onOtherThread { other.mutate { $0 = .current } }
    #expect(!timer.isHandled(on: other.value!) { _ in 2 })
    scheduler.run()
    #expect(log.value == [2])
    scope.dispose()
  }

  // The scheduled work retains the handler.
  @Test func aScheduledInputArrivesEvenIfOnlyTheSchedulerRetainsTheHandler() {
    do {
      let (timer, _) = make()
      timer.start(after: .seconds(1)) { _ in 1 }
      serials.mutate { $0 = [] }
    }
    scheduler.run()
    #expect(log.value == [1])
  }

  private func make() -> (RestartableTimer<Int>, Scope) {
    let scope = Scope()
    let timer = RestartableTimer<Int>(on: scheduler, in: scope)
    let serial = timer.serializing { [log] number in
      log.mutate { $0.append(number) }
      return .more
    }
    serials.mutate { $0.append(serial) }
    return (timer, scope)
  }

  /// Retains the handlers, as their sources do. A timer references its own weakly.
  private let serials = Locked<[Serial<Int>]>([])
}
