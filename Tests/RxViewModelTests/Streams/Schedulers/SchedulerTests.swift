import Dispatch
import RxViewModelTesting
import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1: timers of a dispatch queue
@Suite(.serialized) struct QueueTimerTests {
  @Test func timersRunInTheOrderOfTheirTimesAndNotBefore() async {
    let (queue, order, done) = (DispatchQueue(label: "timers"), Locked<[Int]>([]), Signal())
    let tooEarly = Locked(0)
    let delays = [60, 20, 40, 1, 80, 0]
    // The instants between which each timer is due: the system may suspend this thread between two calls.
    var due: [Int: ClosedRange<ContinuousClock.Instant>] = [:]
    for delay in delays {
      let start = ContinuousClock.now
      _ = queue.schedule(after: .milliseconds(delay)) {
        if ContinuousClock.now - start < .milliseconds(delay) { tooEarly.increment() }
        order.append(delay)
        if order.value.count == delays.count { done.fire() }
      }
      due[delay] = start + .milliseconds(delay)...ContinuousClock.now + .milliseconds(delay)
    }
    #expect(await onThread { done.wait() })
    #expect(order.value.sorted() == delays.sorted())
    for (place, later) in order.value.enumerated() {
      for earlier in order.value[..<place] { #expect(due[earlier]!.lowerBound <= due[later]!.upperBound) }
    }
    #expect(tooEarly.value == 0)
  }

  // The timers that would be due after the first ten are disposed. The last timer runs all the same.
  @Test func disposingTimersDoesNotDelayALaterOne() async {
    let (queue, done, areDisposed, ran) = (DispatchQueue(label: "timers"), Signal(), Signal(), Locked(0))
    // None runs before the others are disposed, however slow this thread is.
    queue.schedule { _ = areDisposed.wait() }
    let timers = (1...100).map { delay in
      queue.schedule(after: .milliseconds(delay)) { ran.increment() }
    }
    _ = queue.schedule(after: .milliseconds(120)) { done.fire() }
    for timer in timers.dropFirst(10) { timer.dispose() }
    areDisposed.fire()
    #expect(await onThread { done.wait() })
    #expect(ran.value == 10)
  }

  // contract 1.4: also if its time has come, and it waits for its turn on the queue
  @Test func aTimerThatIsDisposedOnItsQueueDoesNotRun() async {
    let (queue, ran) = (DispatchQueue(label: "timers"), Locked(0))
    await onThread {
      let (isBlocked, isDue, isDisposed) = (Signal(), Signal(), Signal())
      let timer = SerialDisposable()
      queue.schedule {
        isBlocked.fire()
        _ = isDue.wait()
        timer.dispose()
      }
      #expect(isBlocked.wait())
      timer.replace(with: queue.schedule(after: .milliseconds(1)) { ran.increment() })
      // Due later than the timer, on another queue. By then the timer has been enqueued on its own queue.
      _ = DispatchQueue(label: "later").schedule(after: .milliseconds(5)) { isDue.fire() }
      queue.schedule { isDisposed.fire() }
      #expect(isDisposed.wait())
    }
    #expect(ran.value == 0)
  }

  // Although the test still holds the disposable, and Dispatch a small object until the deadline.
  @Test func aDisposedTimerReleasesItsWorkAtOnce() {
    let (queue, lifetimes) = (DispatchQueue(label: "timers"), Lifetimes())
    let timers = (0..<100).map { _ in
      let object = lifetimes.make()
      return queue.schedule(after: .seconds(3600)) { object.touch() }
    }
    #expect(lifetimes.alive == 100)
    for timer in timers { timer.dispose() }
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(timers) {}
  }

  // The queue is released when its last timer has run, although the test still holds the disposable.
  @Test func aTimerThatHasRunDoesNotRetainItsQueue() async {
    let (lifetimes, done, key) = (Lifetimes(), Signal(), DispatchSpecificKey<Lifetimes.Object>())
    let timer: any Disposable
    do {
      let queue = DispatchQueue(label: "timers")
      queue.setSpecific(key: key, value: lifetimes.make())
      timer = queue.schedule(after: .milliseconds(1)) { done.fire() }
    }
    #expect(await onThread { done.wait() && lifetimes.waitForNone() })
    withExtendedLifetime(timer) {}
  }
}

struct SchedulerTests {
  @Test func immediateRunsAtOnce() {
    let ran = Locked(0)
    ImmediateScheduler().schedule { ran.increment() }
    _ = ImmediateScheduler().schedule(after: .zero) { ran.increment() }
    _ = ImmediateScheduler().schedule(after: .seconds(-1)) { ran.increment() }
    #expect(ran.value == 3)
  }
}

// contract 1: a delay longer than 2.1 s is that long on 32-bit systems too
struct DurationTests {
  private let start = DispatchTime(uptimeNanoseconds: 1_000_000_000)

  private func nanoseconds(_ delay: Duration) -> UInt64 {
    (start + delay).uptimeNanoseconds - start.uptimeNanoseconds
  }

  @Test func aDelayIsRoundedUpAndNeverShorter() {
    #expect(nanoseconds(Duration(secondsComponent: 0, attosecondsComponent: 1)) == 1)
    #expect(nanoseconds(.seconds(3) + Duration(secondsComponent: 0, attosecondsComponent: 1)) == 3_000_000_001)
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let delay = Duration(
        secondsComponent: .random(in: 0..<(1 << Int64.random(in: 1...31, using: &random)), using: &random),
        attosecondsComponent: .random(in: 0..<1_000_000_000_000_000_000, using: &random))
      let counted = Duration.nanoseconds(Int64(nanoseconds(delay)))
      #expect(counted >= delay && counted <= delay + .nanoseconds(1), "\(delay)")
    }
  }

  @Test func aDelayIsCountedInNanosecondsFromZeroToTheRangeOfDispatch() {
    #expect(nanoseconds(.milliseconds(2_148)) == 2_148_000_000)
    #expect(nanoseconds(.seconds(3_600)) == 3_600_000_000_000)
    #expect(nanoseconds(.seconds(-3)) == 0)
    #expect(nanoseconds(.zero) == 0)
    for seconds in [1 << 33, Int64.max] { #expect(start + .seconds(seconds) == .distantFuture) }
    #expect(start + (.seconds(Int64.max) + .seconds(1)) == .distantFuture)
  }
}
