import RxViewModel
import Testing

/// The claims of ``BoundedDeliveryTests``, with more events and more threads.
@Suite(.stress) struct HandOverTests {
  // contract 1.6
  @Test(arguments: BoundedDeliveryTests.hot)
  func aThreadDeliversAHundredThousandEventsOfItsOwn(stream: BoundedDeliveryTests.Stream) async {
    await BoundedDeliveryTests.deliverItsOwnChain(of: 100_000, through: stream)
  }

  // contract 1.5, 1.6
  @Test(.ownThread) func aReplayDeliversAHundredThousandEventsOfItsOwn() {
    let (subject, last) = (BehaviorSubject(value: 0), Locked(0))
    let subscription = subject.subscribe(onNext: { number in
      last.mutate { $0 = number }
      if number < 100_000 { subject.onNext(number + 1) }
    })
    #expect(last.value == 100_000)
    subscription.dispose()
  }

  // contract 1.2: with three senders, the delivery changes hands again and again
  @Test(arguments: BoundedDeliveryTests.hot)
  func nothingIsLostWhenDeliveryChangesHands(stream: BoundedDeliveryTests.Stream) async {
    let (source, done, count) = (stream.make(), Signal(), Locked(0))
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event, number >= 0 else { return }
      if count.mutate({
        $0 += 1
        return $0
      }) == 15_000 {
        done.fire()
      }
    }
    let subscription = source.stream.subscribe(recorder)
    await race(threads: 3) { thread in
      for number in 0..<5_000 { source.send(thread * 100_000 + number) }
    }
    #expect(await onThread { done.wait() })
    for thread in 0..<3 {
      // Compared outside `#expect`, so that a failure does not print all elements.
      let isInOrder = recorder.sent.filter { $0 / 100_000 == thread } == (0..<5_000).map { thread * 100_000 + $0 }
      #expect(isInOrder)
    }
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.5: two threads subscribe while the delivery changes hands
  @Test func replaysStayAtomicWhenDeliveryChangesHands() async {
    let (subject, observers) = (BehaviorSubject(value: 0), Locked<[Recorder<Int>]>([]))
    let done = Signal()
    await race(threads: 3) { thread in
      if thread == 0 {
        for number in 1...50_000 { subject.onNext(number) }
      } else {
        for _ in 0..<20 {
          let recorder = Recorder<Int> { event in if case .completed = event { done.fire() } }
          observers.mutate { $0.append(recorder) }
          _ = subject.subscribe(recorder)
        }
      }
    }
    subject.onCompleted()
    #expect(await onThread { observers.value.allSatisfy { _ in done.wait() } })
    for recorder in observers.value {
      guard let first = recorder.elements.first else { continue }
      #expect(recorder.elements == Array(first...50_000))
      #expect(recorder.faults == [])
    }
  }
}
