import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3, 3.2
@MainActor
@Suite struct LiveEventsTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []
  }

  private let screen = Screen(scheduler: ImmediateScheduler())

  @Test func subscribesAtItsCreationAndKeepsTheEventsBeforeTheFirstObserver() {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    let events = subject.asLiveEvents(screen)
    #expect(subject.hasObservers)
    #expect(!events.hasObservers)
    subject.onNext(1)
    subject.onNext(2)
    owner.resume()
    let subscription = events.observe(owner) { seen.values.append($0) }
    #expect(seen.values == [1, 2])
    subject.onNext(3)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func waitForTheResumeOfAPausedOwner() {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    let events = subject.asLiveEvents(screen)
    _ = events.observe(owner) { seen.values.append($0) }
    for number in 1...3 { subject.onNext(number) }
    #expect(seen.values == [])
    owner.resume()
    #expect(seen.values == [1, 2, 3])
    owner.pause()
    subject.onNext(4)
    owner.resume()
    owner.pause()
    owner.resume()
    #expect(seen.values == [1, 2, 3, 4])
  }

  @Test func eachObserverGetsEachEventOnce() {
    let (subject, first, second, late) = (PublishSubject<Int>(), Seen(), Seen(), Seen())
    let (resumed, paused) = (Lifecycle(), Lifecycle())
    resumed.resume()
    let events = subject.asLiveEvents(screen)
    _ = events.observe(resumed) { first.values.append($0) }
    _ = events.observe(paused) { second.values.append($0) }
    subject.onNext(1)
    // A new observer gets nothing that another one has received.
    _ = events.observe(resumed) { late.values.append($0) }
    subject.onNext(2)
    paused.resume()
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    #expect(late.values == [2])
  }

  @Test func eventsAfterTheLastObserverHasLeftWaitForTheNext() {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    owner.resume()
    let events = subject.asLiveEvents(screen)
    let first = events.observe(owner) { seen.values.append($0) }
    subject.onNext(1)
    first.dispose()
    subject.onNext(2)
    subject.onNext(3)
    #expect(seen.values == [1])
    let next = Lifecycle()
    next.resume()
    _ = events.observe(next) { seen.values.append($0 * 10) }
    #expect(seen.values == [1, 20, 30])
    _ = events.observe(next) { seen.values.append($0 * 100) }
    #expect(seen.values == [1, 20, 30])
  }

  @Test func eventsThatTheFirstObserverNeverGotWaitForTheNext() {
    let (subject, seen) = (PublishSubject<Int>(), Seen())
    let events = subject.asLiveEvents(screen)
    subject.onNext(1)
    let (paused, next) = (Lifecycle(), Lifecycle())
    _ = events.observe(paused) { seen.values.append($0 * 100) }
    subject.onNext(2)
    // The paused owner ends without a resume, so its observer never gets the events.
    paused.destroy()
    subject.onNext(3)
    next.resume()
    _ = events.observe(next) { seen.values.append($0) }
    #expect(seen.values == [1, 2, 3])
  }

  @Test func eventsThatRemainWhenAnObserverDisposesItselfWaitForTheNext() {
    let (subject, owner, seen, box) = (PublishSubject<Int>(), Lifecycle(), Seen(), SerialDisposable())
    let events = subject.asLiveEvents(screen)
    for number in 1...3 { subject.onNext(number) }
    box.replace(
      with: events.observe(owner) { number in
        seen.values.append(number)
        box.dispose()
      })
    owner.resume()
    #expect(seen.values == [1])
    _ = events.observe(owner) { seen.values.append($0 * 10) }
    #expect(seen.values == [1, 20, 30])
  }

  @Test func anObserverThatReplacesAnotherInsideItsCallbackGetsTheRest() {
    let (subject, owner, seen, box) = (PublishSubject<Int>(), Lifecycle(), Seen(), SerialDisposable())
    owner.resume()
    let events = subject.asLiveEvents(screen)
    for number in 1...3 { subject.onNext(number) }
    let first = Lifecycle()
    box.replace(
      with: events.observe(first) { number in
        seen.values.append(number)
        box.dispose()
        _ = events.observe(owner) { seen.values.append($0 * 10) }
      })
    first.resume()
    #expect(seen.values == [1, 20, 30])
  }

  @Test func aNewObserverGetsTheEventsThatNoneOfSeveralHasReceivedAndNoOthers() {
    let (subject, seen) = (PublishSubject<Int>(), Seen())
    let (resumed, paused, late) = (Lifecycle(), Lifecycle(), Lifecycle())
    resumed.resume()
    let events = subject.asLiveEvents(screen)
    events.observe(paused) { seen.values.append($0 * 100) }
    subject.onNext(1)
    events.observe(resumed) { seen.values.append($0) }
    subject.onNext(2)
    #expect(seen.values == [1, 2])
    resumed.pause()
    subject.onNext(3)
    paused.destroy()
    events.observe(late) { seen.values.append($0 * 1000) }
    late.resume()
    resumed.destroy()
    #expect(seen.values == [1, 2, 3000])
    late.destroy()
    subject.onNext(4)
    let next = Lifecycle()
    next.resume()
    events.observe(next) { seen.values.append($0 * 10) }
    #expect(seen.values == [1, 2, 3000, 40])
    subject.onNext(5)
    #expect(seen.values == [1, 2, 3000, 40, 50])
    withExtendedLifetime(next) {}
  }

  @Test func anEventThatHasBeenReceivedIsNotKept() {
    let (subject, lifetimes, owner) = (PublishSubject<Lifetimes.Object>(), Lifetimes(), Lifecycle())
    let events = subject.asLiveEvents(screen)
    _ = events.observe(owner) { $0.touch() }
    for _ in 0..<3 { subject.onNext(lifetimes.make()) }
    #expect(lifetimes.alive == 3)
    owner.resume()
    #expect(lifetimes.alive == 0)
    subject.onNext(lifetimes.make())
    #expect(lifetimes.alive == 0)
    owner.destroy()
  }

  @Test func pausingInsideTheCallbackKeepsTheRest() {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    let events = subject.asLiveEvents(screen)
    _ = events.observe(owner) { number in
      seen.values.append(number)
      if number == 2 { owner.pause() }
      if number == 3 { subject.onNext(5) }
    }
    for number in 1...4 { subject.onNext(number) }
    owner.resume()
    #expect(seen.values == [1, 2])
    owner.resume()
    #expect(seen.values == [1, 2, 3, 4, 5])
    owner.destroy()
    #expect(!events.hasObservers)
  }

  @Test func anOwnerThatHasEndedGetsNothing() {
    let (subject, seen) = (PublishSubject<Int>(), Seen())
    let events = subject.asLiveEvents(screen)
    do {
      let owner = Lifecycle()
      owner.resume()
      _ = events.observe(owner) { seen.values.append($0) }
    }
    let destroyed = Lifecycle()
    destroyed.destroy()
    _ = events.observe(destroyed) { seen.values.append($0) }
    subject.onNext(1)
    #expect(seen.values == [])
    #expect(!events.hasObservers)
    let next = Lifecycle()
    next.resume()
    _ = events.observe(next) { seen.values.append($0) }
    #expect(seen.values == [1])
  }

  @Test func itsOwnersKeepItAliveAndItsSourceDoesNot() {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    owner.resume()
    _ = subject.asLiveEvents(screen).observe(owner) { seen.values.append($0) }
    subject.onNext(1)
    #expect(seen.values == [1])
    owner.destroy()
    #expect(!subject.hasObservers)
    _ = subject.asLiveEvents(screen)
    #expect(!subject.hasObservers)
  }

  @Test func neitherLostNorRepeatedAcrossThreadsAndPauses() async {
    let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
    let events = subject.asLiveEvents(screen)
    _ = events.observe(owner) { seen.values.append($0) }
    let done = Locked(false)
    async let sending: Void = onThread {
      for number in 0..<2_000 { subject.onNext(number) }
      done.mutate { $0 = true }
    }
    while !done.value {
      owner.resume()
      await Task.yield()
      owner.pause()
    }
    await sending
    owner.resume()
    await settle { seen.values.count == 2_000 }
    #expect(seen.values == Array(0..<2_000))
    owner.destroy()
  }
}
