import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3.2: a new observer gets the events that no observer has received
@MainActor
@Suite struct UnreceivedEventsTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []
  }

  private let subject = PublishSubject<Int>()
  private let seen = Seen()
  private let events: RxLiveEvents<Int>

  init() {
    events = subject.asLiveEvents()
  }

  /// Adds an observer that records each event multiplied by `factor`. Returns its owner, which the caller retains.
  private func observer(_ factor: Int, isResumed: Bool = true) -> Lifecycle {
    let owner = Lifecycle()
    if isResumed { owner.resume() }
    events.observe(owner) { [seen] in seen.values.append($0 * factor) }
    return owner
  }

  @Test func aPausedObserverWithholdsNoEventFromANewOneAndGetsThemAllAtItsResume() {
    let paused = observer(10, isResumed: false)
    subject.onNext(1)
    subject.onNext(2)
    let live = observer(1)
    #expect(seen.values == [1, 2])
    let third = observer(100)
    #expect(seen.values == [1, 2])
    subject.onNext(3)
    #expect(seen.values == [1, 2, 3, 300])
    paused.resume()
    #expect(seen.values == [1, 2, 3, 300, 10, 20, 30])
    withExtendedLifetime((live, third)) {}
  }

  @Test func aThirdScreenDoesNotGetAnOldEventAfterNewerOnes() {
    let paused = observer(10, isResumed: false)
    subject.onNext(1)
    let live = observer(1)
    subject.onNext(2)
    paused.destroy()
    live.destroy()
    subject.onNext(3)
    let third = observer(100)
    #expect(seen.values == [1, 2, 300])
    withExtendedLifetime(third) {}
  }

  @Test func anObserverAddedInACallbackGetsTheRestBeforeTheCallbackReturns() {
    let (first, second) = (Lifecycle(), Lifecycle())
    for number in 1...3 { subject.onNext(number) }
    second.resume()
    events.observe(first) { [seen, events] number in
      seen.values.append(number)
      if number == 1 { events.observe(second) { seen.values.append($0 * 10) } }
    }
    first.resume()
    #expect(seen.values == [1, 20, 30, 2, 3])
    subject.onNext(4)
    #expect(seen.values == [1, 20, 30, 2, 3, 4, 40])
    withExtendedLifetime((first, second)) {}
  }

  @Test func anEventSentInACallbackComesAfterTheWaitingOnes() {
    let (first, second) = (Lifecycle(), observer(10))
    second.pause()
    for number in 1...2 { subject.onNext(number) }
    events.observe(first) { [seen, subject] number in
      seen.values.append(number)
      if number == 1 {
        second.resume()
        subject.onNext(3)
      }
    }
    first.resume()
    #expect(seen.values == [1, 10, 20, 30, 2, 3])
  }

  @Test func eventsThatADestroyedOwnerLeavesGoToANewObserverThoughAPausedOneWaitsForThemToo() {
    let (paused, first) = (observer(10, isResumed: false), Lifecycle())
    for number in 1...3 { subject.onNext(number) }
    events.observe(first) { [seen] number in
      seen.values.append(number)
      first.destroy()
    }
    first.resume()
    #expect(seen.values == [1])
    let next = observer(100)
    #expect(seen.values == [1, 200, 300])
    paused.resume()
    #expect(seen.values == [1, 200, 300, 10, 20, 30])
    withExtendedLifetime(next) {}
  }

  @Test func anObserverThatPausesItselfGetsTheRestThoughANewOneHasReceivedIt() {
    let first = Lifecycle()
    for number in 1...3 { subject.onNext(number) }
    events.observe(first) { [seen] number in
      seen.values.append(number)
      first.pause()
    }
    first.resume()
    let live = observer(10)
    #expect(seen.values == [1, 20, 30])
    first.resume()
    first.resume()
    #expect(seen.values == [1, 20, 30, 2, 3])
    withExtendedLifetime(live) {}
  }

  @Test func anObserverWithoutAnOwnerGetsTheEventsThatAPausedOneWaitsFor() {
    let paused = observer(10, isResumed: false)
    subject.onNext(1)
    let subscription = events.observeForever { [seen] in seen.values.append($0) }
    #expect(seen.values == [1])
    subscription.dispose()
    subject.onNext(2)
    let next = events.observeForever { [seen] in seen.values.append($0 * 100) }
    #expect(seen.values == [1, 200])
    next.dispose()
    paused.resume()
    #expect(seen.values == [1, 200, 10, 20])
  }

  @Test func observersGetAnEventInTheOrderInWhichTheyWereAdded() {
    let owners = (0...3).map { observer([1, 10, 100, 1_000][$0]) }
    owners[1].destroy()
    let last = observer(10_000)
    subject.onNext(1)
    #expect(seen.values == [1, 100, 1_000, 10_000])
    withExtendedLifetime((owners, last)) {}
  }

  @Test func aReceivedEventStaysOnlyAsLongAsAPausedObserverWaitsForIt() {
    let (lifetimes, subject, late) = (Lifetimes(), PublishSubject<Lifetimes.Object>(), Locked(0))
    let events = subject.asLiveEvents()
    let (live, paused, next) = (Lifecycle(), Lifecycle(), Lifecycle())
    events.observe(live) { $0.touch() }
    live.resume()
    subject.onNext(lifetimes.make())
    #expect(lifetimes.alive == 0)
    events.observe(paused) { $0.touch() }
    for _ in 0..<10_000 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 10_000)
    next.resume()
    events.observe(next) { _ in late.mutate { $0 += 1 } }
    #expect(late.value == 0)
    paused.destroy()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime((live, next)) {}
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

  @Test(arguments: 0..<10 as Range<UInt64>)
  func eachObserverGetsTheUnreceivedEventsAndAllLaterOnesInAnyOrderOfCalls(seed: UInt64) {
    checkRandomCalls(seed)
  }

  @Test(.stress, arguments: 10..<100 as Range<UInt64>)
  func moreOrdersOfCalls(seed: UInt64) {
    checkRandomCalls(seed)
  }

  private func checkRandomCalls(_ seed: UInt64) {
    let script = RandomCalls(seed)
    for _ in 0..<200 { script.step() }
    script.resumeAll()
    #expect(script.faults == [])
    #expect(script.received.count == script.sent)
  }
}

/// Makes random calls of observers and senders, from inside the observers too.
@MainActor
private final class RandomCalls {
  @MainActor
  final class Observer {
    let owner = Lifecycle()
    /// The number of the event that this observer must get next.
    var next: Int

    init(next: Int) { self.next = next }
  }

  private let subject = PublishSubject<Int>()
  private let events: RxLiveEvents<Int>
  private var random: SplitMix64
  private var observers: [Observer] = []
  /// The number of calls from inside observers. It is limited, because the calls of many observers would never end.
  private var nested = 0
  private(set) var sent = 0
  private(set) var received: Set<Int> = []
  private(set) var faults: [String] = []

  init(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
    events = subject.asLiveEvents()
  }

  func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: send()
    case 4, 5: add()
    case 6: observers.randomElement(using: &random)?.owner.pause()
    case 7, 8: observers.randomElement(using: &random)?.owner.resume()
    default: remove()
    }
  }

  func resumeAll() {
    add()
    for observer in observers { observer.owner.resume() }
    for observer in observers where observer.next != sent + 1 { faults.append("\(observer.next) is missing") }
  }

  private func send() {
    sent += 1
    subject.onNext(sent)
  }

  private func add() {
    let observer = Observer(next: (1...).first { !received.contains($0) }!)
    if Bool.random(using: &random) { observer.owner.resume() }
    observers.append(observer)
    events.observe(observer.owner) { [unowned self, weak observer] in
      guard let observer, observer.owner.state == .resumed else { return faults.append("\($0) after the end") }
      if $0 != observer.next { faults.append("\($0) instead of \(observer.next)") }
      observer.next = $0 + 1
      received.insert($0)
      if nested < 200, Int.random(in: 0..<4, using: &random) == 0 {
        nested += 1
        step()
      }
    }
  }

  private func remove() {
    guard let index = observers.indices.randomElement(using: &random) else { return }
    observers.remove(at: index).owner.destroy()
  }
}

// Sendable: its properties are `let`s.
private final class Diagnosing: RxViewModel<Int, Int>, @unchecked Sendable {
  let diagnosed = Locked<[String]>([])

  override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) { diagnosed.mutate { $0.append("\(diagnostic)") } }
}

extension UnreceivedEventsTests {
  // contract 3.2: one event above the limit drops the oldest, and is diagnosed
  @Test func aboveTheLimitTheOldestEventIsDroppedAndDiagnosed() {
    let viewModel = Diagnosing(initialState: 0, scheduler: ImmediateScheduler())
    let events = subject.asLiveEvents(viewModel, limit: 2)
    let (paused, late) = (Lifecycle(), Lifecycle())
    events.observe(paused) { [seen] in seen.values.append($0) }
    for number in 1...2 { subject.onNext(number) }
    #expect(viewModel.diagnosed.value.isEmpty)
    for number in 3...4 { subject.onNext(number) }
    #expect(
      viewModel.diagnosed.value
        == (1...2).map { "too many events are waiting for a screen, so this one is dropped: \($0)" })
    events.observe(late) { [seen] in seen.values.append($0 * 10) }
    paused.resume()
    #expect(seen.values == [3, 4])
    late.resume()
    #expect(seen.values == [3, 4, 30, 40])
    subject.onNext(5)
    #expect(seen.values == [3, 4, 30, 40, 5, 50])
  }
}
