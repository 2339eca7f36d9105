import Testing

@testable import RxViewModel

// contract 1.2, 1.3, 1.10
@Suite struct EventSerializerTests {
  @Test func anInputIsHandledOnTheThreadThatSendsIt() {
    let (serializer, log) = Self.serializer()
    #expect(serializer.send(1) == .more)
    #expect(log.value == [1])
    #expect(serializer.isOpen)
  }

  @Test func anInputSentFromInsideTheHandlerWaitsUntilTheHandlerHasReturned() {
    let log = Locked<[String]>([])
    weak var inner: EventSerializer<Int>?
    let serializer = EventSerializer<Int> { number in
      log.mutate { $0.append("begin \(number)") }
      if number == 1 {
        let demand = inner?.send(2)
        log.mutate { $0.append("sent: \(demand!)") }
      }
      log.mutate { $0.append("end \(number)") }
      return .more
    }
    inner = serializer
    #expect(serializer.send(1) == .more)
    #expect(log.value == ["begin 1", "sent: pending", "end 1", "begin 2", "end 2"])
  }

  @Test func noMoreClosesAndDropsWhatWaits() {
    let log = Locked<[Int]>([])
    weak var inner: EventSerializer<Int>?
    let serializer = EventSerializer<Int> { number in
      log.mutate { $0.append(number) }
      _ = inner?.send(number + 1)
      return .noMore
    }
    inner = serializer
    #expect(serializer.send(1) == .noMore)
    #expect(!serializer.isOpen)
    #expect(serializer.send(3) == .noMore)
    #expect(log.value == [1])
  }

  // contract 1.4
  @Test func aCloseInsideTheHandlerEndsTheDelivery() {
    let log = Locked<[Int]>([])
    weak var inner: EventSerializer<Int>?
    let serializer = EventSerializer<Int> { number in
      log.mutate { $0.append(number) }
      _ = inner?.send(number + 1)
      inner?.close()
      return .more
    }
    inner = serializer
    #expect(serializer.send(1) == .noMore)
    #expect(log.value == [1])
  }

  // contract 1.4
  @Test func closingReleasesTheHandlerAndWhatWaits() {
    let lifetimes = Lifetimes()
    let serializer: EventSerializer<Lifetimes.Object>
    do {
      let object = lifetimes.make()
      serializer = EventSerializer(isBusy: true) { _ in
        object.touch()
        return .more
      }
      #expect(serializer.send(lifetimes.make()) == .pending)
    }
    #expect(lifetimes.alive == 2)
    serializer.close()
    #expect(lifetimes.alive == 0)
  }

  @Test func aBusySerializerHandlesItsInputsWhenItRuns() {
    let (serializer, log) = Self.serializer(isBusy: true)
    #expect(serializer.send(1) == .pending)
    #expect(serializer.send(2) == .pending)
    #expect(log.value == [])
    #expect(serializer.run() == .more)
    #expect(log.value == [1, 2])
    #expect(serializer.send(3) == .more)
  }

  @Test func aClosedSerializerRunsNothing() {
    let (serializer, log) = Self.serializer(isBusy: true)
    _ = serializer.send(1)
    serializer.close()
    #expect(serializer.run() == .noMore)
    #expect(log.value == [])
  }

  @Test func theRestIsHandedOverAfter1024InputsOfAnotherThread() async {
    let work = Locked<[@Sendable () -> Void]>([])
    let log = Locked<[Int]>([])
    await onThread {
      let inner = Locked<EventSerializer<Int>?>(nil)
      let serializer = EventSerializer<Int>(continuingBy: { next in work.mutate { $0.append(next) }
      }) { number in
        log.mutate { $0.append(number) }
        if number == 0 {
          onOtherThread { for number in 1...2_000 { #expect(inner.value?.send(number) == .pending) } }
        }
        return .more
      }
      inner.mutate { $0 = serializer }
      #expect(serializer.send(0) == .pending)
      #expect(log.value.elementsEqual(0...1_024))
      #expect(work.value.count == 1)
      work.value[0]()
      #expect(log.value.elementsEqual(0...2_000))
      inner.mutate { $0 = nil }
    }
  }

  // A continuation has no sender that could dispose.
  @Test func aContinuationDisposesTheSubscriptionsWhenNoMoreIsWanted() async {
    await onThread {
      let work = Locked<[@Sendable () -> Void]>([])
      let (inner, disposed) = (Locked<EventSerializer<Int>?>(nil), Locked(0))
      let serializer = EventSerializer<Int>(continuingBy: { next in work.mutate { $0.append(next) }
      }) { number in
        if number == 0 { onOtherThread { for number in 1...1_500 { _ = inner.value?.send(number) } } }
        return number == 1_500 ? .noMore : .more
      }
      inner.mutate { $0 = serializer }
      let subscriptions = CompositeDisposable(closing: serializer)
      subscriptions.add(Disposables.create { disposed.mutate { $0 += 1 } })
      #expect(serializer.send(0) == .pending)
      #expect(disposed.value == 0)
      work.value[0]()
      #expect(disposed.value == 1)
      #expect(!serializer.isOpen)
      inner.mutate { $0 = nil }
    }
  }

  private static func serializer(isBusy: Bool = false) -> (EventSerializer<Int>, Locked<[Int]>) {
    let log = Locked<[Int]>([])
    let serializer = EventSerializer<Int>(isBusy: isBusy) { number in
      log.mutate { $0.append(number) }
      return .more
    }
    return (serializer, log)
  }
}

@Suite struct ForwardTests {
  @Test func aTerminalEventStopsTheSourceWhateverTheSinkAnswers() {
    for demand in [Demand.more, .pending, .noMore] {
      #expect(forward(Event<Int>.completed, to: { _ in demand }) == .noMore)
      #expect(forward(Event<Int>.error(TestError()), to: { _ in demand }) == .noMore)
      #expect(forward(Event.next(1), to: { _ in demand }) == demand)
    }
  }

  @Test func anEventThatIsLeftOutLetsTheSourceGoOn() {
    let event: Event<Int>? = nil
    #expect(forward(event, to: { _ in .noMore }) == .more)
  }
}
