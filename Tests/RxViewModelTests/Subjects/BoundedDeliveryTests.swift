import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

/// contract 1.10: a call delivers at most 1,024 events of other threads.
@Suite struct BoundedDeliveryTests {
  /// A stream, with a way to send to it.
  struct Stream: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> Source

    init(_ name: String, _ make: @escaping @Sendable () -> Source) {
      testDescription = name
      self.make = make
    }

    init(_ name: String, through operation: @escaping @Sendable (PublishSubject<Int>) -> Observable<Int>) {
      self.init(name) {
        let subject = PublishSubject<Int>()
        return Source(operation(subject)) { subject.on($0) }
      }
    }
  }

  static let hot = [
    Stream("publish subject") { Source(PublishSubject()) },
    Stream("behavior subject") { Source(BehaviorSubject(value: -1)) },
    Stream("replay subject") { Source(ReplaySubject(bufferSize: 1)) },
    Stream("share") { $0.share() },
    Stream("create") { subject in .create { subject.subscribe($0) } },
    Stream("merge") { $0.merge(with: Observable.never()) },
    Stream("flatMap") { $0.flatMap { Observable.just($0) } },
    Stream("flatMapLatest") { $0.flatMapLatest { Observable.of($0) } },
    Stream("combineLatest") { .combineLatest($0, BehaviorSubject(value: 0)) { $0 + $1 } },
    Stream("observe(on: ImmediateScheduler)") { $0.observe(on: ImmediateScheduler()) },
  ]

  // While the sender delivers the first number, another thread sends 5,000.
  @Test(arguments: hot)
  func aSenderDeliversABoundedNumberOfEventsOfOtherThreads(stream: Stream) async {
    let (source, sender, here, done) = (stream.make(), Locked<Thread?>(nil), Locked(0), Signal())
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event, number >= 0 else { return }
      if Thread.current === sender.value { here.mutate { $0 += 1 } }
      if number == 0 { #expect(onOtherThread { for number in 1...5_000 { source.send(number) } }) }
      if number == 5_000 { done.fire() }
    }
    let subscription = source.stream.subscribe(recorder)
    let deliveredHere = await onThread {
      sender.mutate { $0 = .current }
      source.send(0)
      return here.value
    }
    #expect(deliveredHere == 1_025)
    // The test sends nothing else: a continuation delivers the rest.
    #expect(await onThread { done.wait() })
    #expect(recorder.sent == Array(0...5_000))
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  static let replaying = [
    Stream("behavior subject") { Source(BehaviorSubject(value: 0)) },
    Stream("replay subject") {
      let subject = ReplaySubject<Int>(bufferSize: 3)
      subject.onNext(0)
      return Source(subject)
    },
    Stream("share(replay: 1)") {
      let subject = BehaviorSubject(value: 0)
      let shared = subject.share(replay: 1)
      _ = shared.subscribe { _ in }
      return Source(shared) { subject.on($0) }
    },
  ]

  // contract 1.5. During each callback another thread sends the next number, and the subscriber waits until it has.
  @Test(arguments: replaying)
  func subscribeReturnsWhileAnotherThreadSends(stream: Stream) async {
    let (source, subscriber, here, done) = (stream.make(), Locked<Thread?>(nil), Locked(0), Signal())
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event else { return }
      if Thread.current === subscriber.value {
        here.mutate { $0 += 1 }
        if number < 5_000 { #expect(onOtherThread { source.send(number + 1) }) }
      } else if number < 1_500 {
        // The delivery has been handed over. From here on the delivering thread sends the next number.
        source.send(number + 1)
      }
      if number == 1_500 { done.fire() }
    }
    let subscription = await onThread {
      subscriber.mutate { $0 = .current }
      return source.stream.subscribe(recorder)
    }
    #expect(here.value == 1_025)
    #expect(await onThread { done.wait() })
    #expect(recorder.elements == Array(0...1_500))
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.6: a thread itself delivers all events that it sends from inside its own callbacks
  @Test(arguments: hot)
  func aThreadDeliversItsOwnChain(stream: Stream) async {
    await Self.deliverItsOwnChain(of: 5_000, through: stream)
  }

  static func deliverItsOwnChain(of count: Int, through stream: Stream) async {
    let source = stream.make()
    let last = Locked(0)
    let subscription = source.stream.subscribe(onNext: { number in
      guard number >= 0 else { return }
      last.mutate { $0 = number }
      if number < count { source.send(number + 1) }
    })
    let seen = await onThread(stackSize: smallStack) {
      source.send(0)
      return last.value
    }
    #expect(seen == count)
    subscription.dispose()
  }

  // contract 1.5
  @Test func aReplayDeliversItsOwnChain() {
    let (subject, last) = (BehaviorSubject(value: 0), Locked(0))
    let subscription = subject.subscribe(onNext: { number in
      last.mutate { $0 = number }
      if number < 5_000 { subject.onNext(number + 1) }
    })
    #expect(last.value == 5_000)
    subscription.dispose()
  }

  // contract 1.4: the subscriber of a delivery that has been handed over is released at the end, also if the subject was released before
  @Test(arguments: ["completed", "release", "dispose"])
  func theSubscriberOfAHandedOverDeliveryIsReleased(end: String) async {
    let (lifetimes, gate, over, sender) = (Lifetimes(), Signal(), Signal(), Locked<Thread?>(nil))
    let subject = Locked<BehaviorSubject<Int>?>(BehaviorSubject(value: -1))
    let seen = Locked(0)
    let subscription: any Disposable
    do {
      let object = lifetimes.make()
      subscription = subject.value!.subscribe(onNext: { [weak sent = subject.value] number in
        object.touch()
        seen.mutate { $0 += 1 }
        if number == 0 {
          let subject = sent
          #expect(onOtherThread { for number in 1...2_000 { subject?.onNext(number) } })
        }
        // The sender itself gets here if its completion takes over the delivery. It must not wait for itself.
        if number == 1_500, Thread.current !== sender.value { #expect(gate.wait()) }
        if number == 2_000 { over.fire() }
      })
    }
    await onThread {
      sender.mutate { $0 = .current }
      subject.value!.onNext(0)
      switch end {
      case "completed": subject.value!.onCompleted()
      case "release": subject.mutate { $0 = nil }
      default: subscription.dispose()
      }
      gate.fire()
    }
    if end != "dispose" { #expect(await onThread { over.wait() }) }
    #expect(await lifetimes.areGone())
    #expect(seen.value == (end == "dispose" ? seen.value : 2_002))
    withExtendedLifetime(subscription) {}
  }

  // contract 1.4: an operator that ends after the hand-over disposes its sources
  @Test func anEndAfterTheHandOverDisposesTheSources() async {
    let (subject, isDisposed) = (PublishSubject<Int>(), Signal())
    let source = subject.do(onDispose: { isDisposed.fire() }).merge(with: Observable.never())
    _ = source.take(while: 3_000).subscribe(onNext: { number in
      if number == 0 { #expect(onOtherThread { for number in 1...5_000 { subject.onNext(number) } }) }
    })
    await onThread { subject.onNext(0) }
    #expect(await onThread { isDisposed.wait() })
    #expect(!subject.hasObservers)
  }
}

extension Observable<Int> {
  /// The numbers before the first one that reaches the bound.
  fileprivate func take(while bound: Int) -> Observable<Int> {
    Observable.create { [self] observer in
      let subscription = SerialDisposable()
      subscription.replace(
        with: subscribe { event in
          if case .next(let number) = event, number >= bound { observer.onCompleted() } else { observer.on(event) }
        })
      return subscription
    }
  }
}

extension Lifetimes {
  /// Waits until all objects have been released. Returns false if that takes too long.
  func areGone() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(waitLimit)
    while alive > 0, .now < deadline { await Task.yield() }
    return alive == 0
  }
}
