import Dispatch
import RxViewModel
import Testing

// contract 1: a disposed timer keeps nothing, not even its shell, until its deadline
@Suite(.serialized) struct QueueTimerTests {
  @Test func timersRunInTheOrderOfTheirTimesAndNotBefore() async {
    let (queue, order, done) = (DispatchQueue(label: "timers"), Locked<[Int]>([]), Signal())
    let tooEarly = Locked(0)
    let delays = [60, 20, 40, 1, 80, 0]
    // Between which instants each timer is due: this thread may lose the processor between two calls.
    var due: [Int: ClosedRange<ContinuousClock.Instant>] = [:]
    for delay in delays {
      let start = ContinuousClock.now
      _ = queue.schedule(after: .milliseconds(delay)) {
        if ContinuousClock.now - start < .milliseconds(delay) { tooEarly.mutate { $0 += 1 } }
        if order.mutate({
          $0.append(delay)
          return $0.count == delays.count
        }) {
          done.fire()
        }
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

  // The earliest is disposed: what the Dispatch timer was set for is gone.
  @Test func disposingTheEarliestDelaysNoOther() async {
    let (queue, done, ran) = (DispatchQueue(label: "timers"), Signal(), Locked(0))
    let timers = (1...100).map { delay in
      queue.schedule(after: .milliseconds(delay)) { ran.mutate { $0 += 1 } }
    }
    _ = queue.schedule(after: .milliseconds(120)) { done.fire() }
    for timer in timers.dropFirst(10) { timer.dispose() }
    #expect(await onThread { done.wait() })
    #expect(ran.value == 10)
  }

  // contract 1.4: also between its time and its turn on the queue
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
      timer.replace(with: queue.schedule(after: .milliseconds(1)) { ran.mutate { $0 += 1 } })
      // Due later than the timer, on another queue: it has been sent to its own by then.
      _ = DispatchQueue(label: "later").schedule(after: .milliseconds(5)) { isDue.fire() }
      queue.schedule { isDisposed.fire() }
      #expect(isDisposed.wait())
    }
    #expect(ran.value == 0)
  }

  // The queue goes with its last timer, disposed or run, although the disposable is still there.
  @Test(arguments: [true, false])
  func aTimerDoesNotKeepItsQueueWhenItIsOver(isDisposed: Bool) async {
    let (lifetimes, done, key) = (Lifetimes(), Signal(), DispatchSpecificKey<Lifetimes.Object>())
    let timer: any Disposable
    do {
      let queue = DispatchQueue(label: "timers")
      queue.setSpecific(key: key, value: lifetimes.make())
      timer = queue.schedule(after: isDisposed ? .seconds(3600) : .milliseconds(1)) { done.fire() }
    }
    if isDisposed { timer.dispose() } else { #expect(await onThread { done.wait() }) }
    #expect(await onThread { lifetimes.waitForNone() })
    withExtendedLifetime(timer) {}
  }
}
