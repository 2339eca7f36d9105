import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

@Suite struct SchedulerTests {
  @Test func immediateRunsAtOnce() {
    let ran = Locked(0)
    ImmediateScheduler().schedule { ran.mutate { $0 += 1 } }
    _ = ImmediateScheduler().schedule(after: .zero) { ran.mutate { $0 += 1 } }
    _ = ImmediateScheduler().schedule(after: .seconds(-1)) { ran.mutate { $0 += 1 } }
    #expect(ran.value == 3)
  }

  @Test func aQueueRunsInOrderAndAfterTheDelay() async {
    let (queue, done, order) = (DispatchQueue(label: "order"), Signal(), Locked<[Int]>([]))
    let start = ContinuousClock.now
    queue.schedule { order.mutate { $0.append(1) } }
    queue.schedule { order.mutate { $0.append(2) } }
    _ = queue.schedule(after: .milliseconds(20)) {
      order.mutate { $0.append(3) }
      done.fire()
    }
    #expect(await onThread { done.wait() })
    #expect(order.value == [1, 2, 3])
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }

  // contract 1.4: a dispose releases everything that the work retains, without waiting for the delay
  @Test func disposedWorkIsDroppedAtOnce() {
    let lifetimes = Lifetimes()
    let work: any Disposable
    do {
      let object = lifetimes.make()
      work = DispatchQueue.global().schedule(after: .seconds(1_000_000_000_000)) { object.touch() }
    }
    #expect(lifetimes.alive == 1)
    work.dispose()
    #expect(lifetimes.alive == 0)
  }
}
