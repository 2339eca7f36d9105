import Foundation
import RxViewModel
import Testing

@testable import TestSupport

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

  static let hot = [
    Stream("publish subject") { Source(PublishSubject()) },
    Stream("behavior subject") { Source(BehaviorSubject(value: -1)) },
    Stream("replay subject") { Source(ReplaySubject(bufferSize: 1)) },
    Stream("share(replay: 1)") { $0.share(replay: 1) },
    Stream("create") { SourceCase.create.make() },
    Stream("map") { $0.map { $0 } },
    Stream("merge") { $0.merge(with: Observable.never()) },
    Stream("flatMap") { $0.flatMap { Observable.just($0) } },
    Stream("flatMapLatest") { $0.flatMapLatest { Observable.of($0) } },
    Stream("combineLatest") { .combineLatest($0, BehaviorSubject(value: 0)) { $0 + $1 } },
    Stream("observe(on: ImmediateScheduler)") { $0.observe(on: ImmediateScheduler()) },
  ]

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
}

/// contract 1.10: the thread that delivers an event also delivers those that arrive meanwhile, until none waits.
struct DeliveringThreadTests {
  // While the sender delivers the first number, another thread sends 2,000.
  @Test(arguments: Stream.hot)
  func aSenderDeliversWhatOtherThreadsSendMeanwhile(stream: Stream) async {
    let (source, sender, elsewhere) = (stream.make(), Locked<Thread?>(nil), Locked(0))
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event, number >= 0 else { return }
      if Thread.current !== sender.value { elsewhere.increment() }
      if number == 0 { #expect(onOtherThread { for number in 1...2_000 { source.send(number) } }) }
    }
    let subscription = source.stream.subscribe(recorder)
    let sent = await onThread {
      sender.mutate { $0 = .current }
      source.send(0)
      return recorder.sent
    }
    #expect(sent == Array(0...2_000) && elsewhere.value == 0 && recorder.faults == [])
    subscription.dispose()
  }

  #if os(Linux)
    // There may be no other thread to leave the rest to.
    @Test func aFloodOnOneThreadDoesNotSleep() async {
      let (a, b, received) = (PublishSubject<Int>(), PublishSubject<Int>(), Locked(0))
      let subscription = Observable.merge(a.asObservable(), b.asObservable()).subscribe(onNext: {
        received.increment()
        if $0 == 0 { for number in 1...20_000 { b.onNext(number) } }
      })
      let sleeps = await onThread {
        let before = Self.sleeps
        a.onNext(0)
        return Self.sleeps - before
      }
      #expect(received.value == 20_001 && sleeps < 200)
      subscription.dispose()
    }

    /// How often the calling thread has given up its processor of its own accord.
    private static var sleeps: Int {
      let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return line?.split(separator: "\t").last.flatMap { Int($0) } ?? -1
    }
  #endif

  // contract 1.2
  @Test(arguments: Stream.hot)
  func everythingIsDeliveredWhenTheLastCallHasReturned(stream: Stream) async {
    let (source, recorder, count) = (stream.make(), Recorder<Int>(), 1_500)
    let subscription = source.stream.subscribe(recorder)
    await race(threads: 4) { thread in
      for number in 0..<count { source.send(thread * count + number) }
    }
    let sent = recorder.sent
    #expect(sent.count == 4 * count)
    for thread in 0..<4 {
      let ofThread = sent.filter { $0 / count == thread }
      let isInOrder = ofThread == Array(thread * count..<(thread + 1) * count)
      #expect(isInOrder)
    }
    #expect(recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.5. During each callback another thread sends the next number, and the subscriber waits until it has. Below the number of
  // events after which a thread that sends goes on for the subscriber (ReplayEndTests).
  @Test(arguments: Stream.replaying)
  func aSubscriberReceivesWhatOtherThreadsSendMeanwhile(stream: Stream) async {
    let (source, subscriber, elsewhere) = (stream.make(), Locked<Thread?>(nil), Locked(0))
    let recorder = Recorder<Int> { event in
      guard case .next(let number) = event else { return }
      if Thread.current !== subscriber.value { elsewhere.increment() }
      if number < 1_000 { #expect(onOtherThread { source.send(number + 1) }) }
    }
    let (subscription, sent) = await onThread {
      subscriber.mutate { $0 = .current }
      let subscription = source.stream.subscribe(recorder)
      return (subscription, recorder.sent)
    }
    #expect(sent == Array(0...1_000) && elsewhere.value == 0 && recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.6: a thread itself delivers all events that it sends from inside its own callbacks
  @Test(arguments: Stream.hot)
  func aThreadDeliversItsOwnChain(stream: Stream) async {
    let (source, last, count) = (stream.make(), Locked(0), 2_000)
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

  // contract 1.4: the thread that delivers releases the subscriber when the subject has been released meanwhile.
  @Test(arguments: ["completed", "release", "dispose"])
  func theSubscriberIsReleasedWithItsSubject(end: String) async {
    let (lifetimes, reached, goesOn, over) = (Lifetimes(), Signal(), Signal(), Signal())
    let subject = Locked<BehaviorSubject<Int>?>(BehaviorSubject(value: -1))
    let seen = Locked(0)
    let subscription: any Disposable
    do {
      let object = lifetimes.make()
      subscription = subject.value!.subscribe(onNext: { number in
        object.touch()
        seen.increment()
        if number != 0 { return }
        reached.fire()
        #expect(goesOn.wait())
      })
    }
    Thread { [weak sent = subject.value] in
      sent?.onNext(0)
      over.fire()
    }.start()
    await onThread {
      #expect(reached.wait())
      for number in 1...2_000 { subject.value!.onNext(number) }
      switch end {
      case "completed": subject.value!.onCompleted()
      case "release": subject.mutate { $0 = nil }
      default: subscription.dispose()
      }
      goesOn.fire()
      #expect(over.wait())
      #expect(lifetimes.waitForNone())
    }
    // A dispose on another thread lets the event pass that is being delivered.
    #expect(seen.value == (end == "dispose" ? 2 : 2_002))
    withExtendedLifetime(subscription) {}
  }
}

/// contract 1.10: what one thread sends, subscribes to and disposes alone is done, on that thread, when its outermost call returns.
struct OwnWorkTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes a stream of the numbers from 1 on, as many as the test asks for. The first follow the end of the gate.
    let make: @Sendable (_ gate: Observable<Int>, _ count: Int) -> Observable<Int>

    init(_ name: String, _ make: @escaping @Sendable (Observable<Int>, Int) -> Observable<Int>) {
      testDescription = name
      self.make = make
    }

    static let all = [
      Case("concatMap to just") { gate, count in .from(0...count).concatMap { $0 == 0 ? gate : .just($0) } },
      Case("concatMap to from") { gate, count in .from(0...count).concatMap { $0 == 0 ? gate : .from([$0]) } },
      Case("concatMap to create") { gate, count in
        .from(0...count).concatMap { number in number == 0 ? gate : .create { Observable.of(number).subscribe($0) } }
      },
      Case("flatMap(maxConcurrent: 1)") { gate, count in
        .from(0...count).flatMap(maxConcurrent: 1) { $0 == 0 ? gate : .from([$0]) }
      },
      Case("concat of an array") { gate, count in .concat([gate] + (1...count).map { .just($0) }) },
      Case("retry") { gate, count in
        let number = Locked(-1)
        return Observable.deferred {
          let number = number.increment()
          if number == 0 { return gate.concat(Observable.error(TestError())) }
          return number == count ? .just(number) : .concat([.just(number), .error(TestError())])
        }.retry(count + 1)
      },
    ]
  }

  // Another thread has subscribed, so that the elements wait, and this thread ends the gate.
  @Test(arguments: Case.all)
  func whatFollowsAnEndIsDoneByTheThreadThatEnds(through operation: Case) async {
    let (gate, sender, elsewhere, count) = (PublishSubject<Int>(), Locked<Thread?>(nil), Locked(0), 2_000)
    let recorder = Recorder<Int> { _ in
      if Thread.current !== sender.value { elsewhere.increment() }
    }
    let subscription = await onThread { operation.make(gate.asObservable(), count).subscribe(recorder) }
    let (received, isInOrder, end) = await onThread(stackSize: smallStack) {
      sender.mutate { $0 = .current }
      gate.onCompleted()
      return (recorder.elements.count, recorder.elements == Array(1...count), recorder.end)
    }
    #expect(received == count && isInOrder && end == "completed")
    #expect(elsewhere.value == 0 && recorder.faults == [])
    subscription.dispose()
  }

  // contract 1.4: the dispose comes from inside the callback of an element, on the thread that delivers it, or on another one
  @Test(arguments: Case.all, [true, false])
  func aDisposeInTheMiddleEndsTheDelivery(through operation: Case, isElsewhere: Bool) async {
    let (gate, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    let (subscription, seen) = (Locked<(any Disposable)?>(nil), Locked(0))
    await onThread {
      do {
        let object = lifetimes.make()
        let stream = operation.make(gate.asObservable(), 3_000).subscribe(onNext: { number in
          object.touch()
          seen.mutate { $0 = number }
          guard number == 1_500 else { return }
          if isElsewhere {
            #expect(onOtherThread { subscription.value!.dispose() })
          } else {
            subscription.value!.dispose()
          }
        })
        subscription.mutate { $0 = stream }
      }
      gate.onCompleted()
      #expect(lifetimes.waitForNone())
    }
    #expect(seen.value == 1_500 && !gate.hasObservers)
  }
}
