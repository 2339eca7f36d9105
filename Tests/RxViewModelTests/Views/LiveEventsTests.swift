import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3.2
@MainActor
struct LiveEventsTests {
  private let subject = PublishSubject<Int>()
  private let seen = Locked<[Int]>([])
  private let events: RxLiveEvents<Int>

  init() {
    events = subject.asLiveEvents()
  }

  /// Adds an observer that records each event multiplied by `factor`. Returns its owner, which the caller retains.
  private func observer(_ factor: Int, isResumed: Bool = true) -> Lifecycle {
    let owner = Lifecycle()
    if isResumed { owner.resume() }
    events.observe(owner) { [seen] in seen.append($0 * factor) }
    return owner
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func eachObserverGetsTheUnreceivedEventsAndAllLaterOnesInAnyOrderOfCalls(seed: UInt64) {
    #expect(RandomCalls(seed).run() == [])
  }

  @Test(.stress, arguments: 10..<100 as Range<UInt64>) func moreOrdersOfCalls(seed: UInt64) {
    #expect(RandomCalls(seed).run() == [])
  }

  @Test func anOwnerThatHasEndedGetsNoEventAndTakesNoneFromOthers() {
    let ended = Lifecycle()
    ended.destroy()
    events.observe(ended) { [seen] in seen.append($0) }
    #expect(!events.hasObservers)
    subject.onNext(1)
    let next = observer(10)
    #expect(seen.value == [10])
    withExtendedLifetime(next) {}
  }

  @Test func observersGetAnEventInTheOrderInWhichTheyWereAdded() {
    let owners = (0...3).map { observer([1, 10, 100, 1_000][$0]) }
    owners[1].destroy()
    let last = observer(10_000)
    subject.onNext(1)
    #expect(seen.value == [1, 100, 1_000, 10_000])
    withExtendedLifetime((owners, last)) {}
  }

  @Test func anObserverAddedInACallbackGetsTheRestBeforeTheCallbackReturns() {
    let (first, second) = (Lifecycle(), Lifecycle())
    for number in 1...3 { subject.onNext(number) }
    second.resume()
    events.observe(first) { [seen, events] number in
      seen.append(number)
      if number == 1 { events.observe(second) { seen.append($0 * 10) } }
    }
    first.resume()
    #expect(seen.value == [1, 20, 30, 2, 3])
    subject.onNext(4)
    #expect(seen.value == [1, 20, 30, 2, 3, 4, 40])
    withExtendedLifetime((first, second)) {}
  }

  // contract 3.2: one event above the limit drops the oldest, and is diagnosed
  @Test func aboveTheLimitTheOldestEventIsDroppedAndDiagnosed() {
    let diagnosed = Locked<[String]>([])
    let viewModel = ClosureViewModel<Int, Int>(0, scheduler: ImmediateScheduler()) {
      $0.diagnose = { _, diagnostic in diagnosed.append("\(diagnostic)") }
    }
    let events = subject.asLiveEvents(viewModel, limit: 2)
    let (paused, late) = (Lifecycle(), Lifecycle())
    events.observe(paused) { [seen] in seen.append($0) }
    for number in 1...2 { subject.onNext(number) }
    #expect(diagnosed.value.isEmpty)
    for number in 3...4 { subject.onNext(number) }
    #expect(
      diagnosed.value == (1...2).map { "too many events are waiting for a screen, so this one is dropped: \($0)" })
    events.observe(late) { [seen] in seen.append($0 * 10) }
    paused.resume()
    #expect(seen.value == [3, 4])
    late.resume()
    #expect(seen.value == [3, 4, 30, 40])
    subject.onNext(5)
    #expect(seen.value == [3, 4, 30, 40, 5, 50])
  }

  // MARK: Threads

  @Test func eventsOfAnotherThreadWaitForTheFirstObserver() async {
    let (owner, source) = (Lifecycle(), PublishSubject<Int>())
    owner.resume()
    let events = await onThread {
      let events = source.asLiveEvents()
      for number in 1...100 { source.onNext(number) }
      return events
    }
    events.observe(owner) { [seen] in
      MainActor.assertIsolated()
      seen.append($0)
    }
    source.onNext(101)
    await settle { seen.value.count == 101 }
    #expect(seen.value == Array(1...101))
    owner.destroy()
  }

  @Test func madeWhileAnotherThreadSendsTheyMissNothingAndRepeatNothing() async {
    for _ in 0..<50 {
      let source = ReplaySubject<Int>(bufferSize: 1_000)
      let made = Locked<RxLiveEvents<Int>?>(nil)
      await race { thread in
        if thread == 0 {
          for number in 0..<100 { source.onNext(number) }
        } else {
          made.mutate { $0 = source.asLiveEvents() }
        }
      }
      seen.mutate { $0 = [] }
      let subscription = made.value?.observeForever { [seen] in seen.append($0) }
      await settle { seen.value.count == 100 }
      #expect(seen.value == Array(0..<100))
      subscription?.dispose()
    }
  }

  // MARK: Lifetime

  @Test func theirOwnersKeepThemAliveAndTheirSourceDoesNot() async {
    let (source, owner) = (PublishSubject<Int>(), Lifecycle())
    owner.resume()
    source.asLiveEvents().observe(owner) { [seen] in seen.append($0) }
    source.onNext(1)
    #expect(seen.value == [1])
    owner.destroy()
    #expect(!source.hasObservers)
    // A view model that holds them may be made and released on another thread.
    let held = Locked<RxLiveEvents<Int>?>(nil)
    await onThread { held.mutate { $0 = source.asLiveEvents() } }
    #expect(source.hasObservers)
    await onThread { held.mutate { $0 = nil } }
    #expect(!source.hasObservers)
  }

  @Test(arguments: ["dispose", "completion", "release of the source"])
  func anObserverWithoutAnOwnerKeepsThemAndIsReleasedAtTheEnd(end: String) {
    let lifetimes = Lifetimes()
    var source = PublishSubject<Int>()
    func observe() -> any Disposable {
      let object = lifetimes.make()
      return source.asLiveEvents().observeForever { [seen] number in
        object.touch()
        seen.append(number)
      }
    }
    // The disposable of one that is disposed is still retained.
    let subscription = end == "dispose" ? observe() : nil
    if subscription == nil { _ = observe() }
    source.onNext(1)
    #expect(seen.value == [1] && lifetimes.alive == 1)
    switch end {
    case "dispose": subscription?.dispose()
    case "completion": source.onCompleted()
    default: source = PublishSubject()
    }
    #expect(lifetimes.alive == 0)
    #expect(!source.hasObservers)
  }

  @Test func aReceivedEventStaysOnlyAsLongAsAPausedObserverWaitsForIt() {
    let (lifetimes, subject) = (Lifetimes(), PublishSubject<Lifetimes.Object>())
    let events = subject.asLiveEvents()
    let (live, paused) = (Lifecycle(), Lifecycle())
    events.observe(live) { $0.touch() }
    live.resume()
    subject.onNext(lifetimes.make())
    #expect(lifetimes.alive == 0)
    events.observe(paused) { $0.touch() }
    for _ in 0..<10_000 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 10_000)
    paused.destroy()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(live) {}
  }

  @Test func aRemovedObserverIsReleasedAlthoughItsDisposableIsRetained() {
    let (lifetimes, owner) = (Lifetimes(), Lifecycle())
    func observe() -> any Disposable {
      let object = lifetimes.make()
      return events.observe(owner) { _ in object.touch() }
    }
    let subscriptions = [observe(), observe()]
    subscriptions[0].dispose()
    #expect(lifetimes.alive == 1)
    owner.destroy()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscriptions) {}
  }

  // The ratio is about 4, and 16 if each observer looks at all others.
  @Test(.stress) func anEventCostsTheSameForEachObserver() {
    let subjects = [500, 2_000].map { size in
      let (subject, live, count) = (PublishSubject<Int>(), Lifecycle(), Locked(0))
      let events = subject.asLiveEvents()
      live.resume()
      for _ in 0..<size { events.observe(live) { _ in count.increment() } }
      return (subject: subject, live: live, count: count)
    }
    let times = { (index: Int) in processorTime { for number in 0..<20 { subjects[index].subject.onNext(number) } } }
    var comparison = CostComparison()
    while comparison.needsMore(toBeBelow: 9) { comparison.add(small: times(0), large: times(1)) }
    #expect(comparison.ratio < 9 && subjects[1].count.value == 4 * subjects[0].count.value)
  }

  @Test(.stress) func anEventCostsTheSameHoweverManyEventsWaitForAPausedObserver() {
    expectGrowth(from: 20_000, below: 8) { size in
      let (subject, live, paused, counts) = (PublishSubject<Int>(), Lifecycle(), Lifecycle(), Locked((0, 0)))
      let events = subject.asLiveEvents()
      live.resume()
      events.observe(live) { _ in counts.mutate { $0.0 += 1 } }
      events.observe(paused) { _ in counts.mutate { $0.1 += 1 } }
      for number in 0..<size { subject.onNext(number) }
      paused.resume()
      #expect(counts.value == (size, size))
      withExtendedLifetime(live) {}
    }
  }
}

/// Makes random calls of observers and senders, from inside the observers too.
@MainActor
private final class RandomCalls {
  @MainActor
  final class Observer {
    /// Nil for an observer that needs none.
    var owner: Lifecycle?
    /// Nil until `observe` has returned.
    var subscription: (any Disposable)?
    var isRemoved = false
    /// Whether it is being called.
    var isInside = false
    /// The number of the event that this observer must get next.
    var next: Int

    init(_ owner: Lifecycle?, next: Int) { (self.owner, self.next) = (owner, next) }

    var canReceive: Bool { !isRemoved && (owner == nil || owner?.state == .resumed) }
  }

  private let subject = PublishSubject<Int>()
  private let events: RxLiveEvents<Int>
  private var random: SplitMix64
  private var observers: [Observer] = []
  /// The number of calls from inside observers. It is limited, because the calls of many observers would never end.
  private var nested = 0
  private var isInCallback = false
  private var sent = 0
  /// The last event that any observer has received.
  private var received = 0
  private var faults: [String] = []

  init(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
    events = subject.asLiveEvents()
  }

  /// Returns what has gone wrong.
  func run() -> [String] {
    for _ in 0..<200 {
      step()
      lookForMissingEvents()
    }
    nested = .max
    add()
    for observer in observers { observer.owner?.resume() }
    lookForMissingEvents()
    if received != sent { faults.append("no observer has received \(received + 1)") }
    return faults
  }

  /// Outside of callbacks, an observer that can receive has received everything.
  private func lookForMissingEvents() {
    for observer in observers where observer.canReceive && observer.next != sent + 1 {
      faults.append("\(observer.next) is missing")
    }
  }

  private func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: send()
    case 4, 5: add()
    case 6: observers.randomElement(using: &random)?.owner?.pause()
    case 7, 8: observers.randomElement(using: &random)?.owner?.resume()
    default: remove()
    }
  }

  private func send() {
    sent += 1
    subject.onNext(sent)
  }

  private func add() {
    let owner = Int.random(in: 0..<4, using: &random) == 0 ? nil : Lifecycle()
    let observer = Observer(owner, next: received + 1)
    if Bool.random(using: &random) { owner?.resume() }
    observers.append(observer)
    let receive: @MainActor @Sendable (Int) -> Void = { [unowned self, weak observer] number in
      guard let observer, observer.canReceive else { return faults.append("\(number) after the end") }
      if number != observer.next { faults.append("\(number) instead of \(observer.next)") }
      if observer.isInside { faults.append("\(number) inside a call") }
      observer.isInside = true
      observer.next = number + 1
      received = max(received, number)
      if nested < 200, Int.random(in: 0..<4, using: &random) == 0 { stepInCallback() }
      observer.isInside = false
    }
    observer.subscription = owner.map { events.observe($0, receive) } ?? events.observeForever(receive)
  }

  private func stepInCallback() {
    let isOuter = !isInCallback
    nested += 1
    isInCallback = true
    step()
    if isOuter { isInCallback = false }
  }

  /// Destroys or releases the owner of an observer, or disposes the observer.
  private func remove() {
    guard let observer = observers.randomElement(using: &random), let subscription = observer.subscription else {
      return
    }
    observers.removeAll { $0 === observer }
    observer.isRemoved = true
    switch observer.owner == nil ? 2 : Int.random(in: 0...2, using: &random) {
    case 0: observer.owner?.destroy()
    // In a callback, the resume that delivers the event still retains the owner.
    case 1 where !isInCallback: observer.owner = nil
    default: subscription.dispose()
    }
  }
}
