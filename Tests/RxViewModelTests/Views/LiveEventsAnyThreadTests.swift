import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model that holds its messages in a `let`.
private final class MessagingScreen: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  private let sent = PublishSubject<Int>()
  let messages: RxLiveEvents<Int>

  override init(scheduler: (any Scheduler)? = nil) {
    messages = sent.asLiveEvents()
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    sent.onNext(action)
    return .unchanged()
  }

  func fail() { sent.onError(TestError()) }
}

// contract 3.2
@MainActor
@Suite struct LiveEventsAnyThreadTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []
  }

  private func resumed() -> Lifecycle {
    let owner = Lifecycle()
    owner.resume()
    return owner
  }

  @Test func aViewModelMadeOnAnotherThreadKeepsItsMessagesForTheScreen() async {
    let (seen, owner) = (Seen(), resumed())
    let screen = await onThread {
      let screen = MessagingScreen(scheduler: ImmediateScheduler())
      for number in 1...100 { screen.execute(number) }
      return screen
    }
    let subscription = screen.messages.observe(owner) {
      MainActor.assertIsolated()
      seen.values.append($0)
    }
    await settle { seen.values.count == 100 }
    screen.execute(101)
    #expect(seen.values == Array(1...101))
    subscription.dispose()
  }

  @Test func eventsReplayedAtACreationOnAnotherThreadComeFirst() async {
    let (seen, owner, source) = (Seen(), resumed(), ReplaySubject<Int>(bufferSize: 2))
    for number in 1...3 { source.onNext(number) }
    let events = await onThread { source.asLiveEvents() }
    source.onNext(4)
    let subscription = events.observe(owner) { seen.values.append($0) }
    await settle { seen.values.count == 3 }
    #expect(seen.values == [2, 3, 4])
    subscription.dispose()
  }

  @Test func madeWhileAnotherThreadSendsTheyMissNothingAndRepeatNothing() async {
    let (seen, owner) = (Seen(), resumed())
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
      seen.values = []
      let subscription = made.value?.observe(owner) { seen.values.append($0) }
      await settle { seen.values.count == 100 }
      #expect(seen.values == Array(0..<100))
      subscription?.dispose()
    }
  }

  @Test func anErrorOfTheirSourceReachesTheViewModelFromAnyThread() async {
    let (source, screen) = (PublishSubject<Int>(), Screen(scheduler: ImmediateScheduler()))
    let errors = screen.actionAndErrorObservable.test()
    let events = await onThread { source.asLiveEvents(screen) }
    await onThread { source.onError(TestError()) }
    await settle { !errors.values.isEmpty }
    #expect(errors.values.count == 1 && errors.lastValue?.action == nil)
    #expect(!events.hasObservers)
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func withoutAViewModelAnErrorEndsThemAndEarlierEventsAreKept() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let (screen, seen, owner) = (MessagingScreen(scheduler: ImmediateScheduler()), Seen(), Lifecycle())
          owner.resume()
          screen.execute(1)
          screen.fail()
          screen.execute(2)
          let subscription = screen.messages.observe(owner) { seen.values.append($0) }
          #expect(seen.values == [1])
          subscription.dispose()
        }
      }
      #expect(
        reports(result)
          == inDebugBuilds("RxViewModel: asLiveEvents() received an error, which ends its subscription: test error"))
    }
  #endif

  @Test func theyAreReleasedWithTheViewModelThatHoldsThemAlsoOnAnotherThread() async {
    let source = PublishSubject<Int>()
    let held = Locked<RxLiveEvents<Int>?>(nil)
    await onThread { held.mutate { $0 = source.asLiveEvents() } }
    #expect(source.hasObservers)
    await onThread { held.mutate { $0 = nil } }
    #expect(!source.hasObservers)
  }

  @Test func anObserverWithoutAnOwnerGetsTheWaitingEventsAndAllLaterOnes() {
    let (source, seen, owner) = (PublishSubject<Int>(), Seen(), resumed())
    let events = source.asLiveEvents()
    source.onNext(1)
    let subscription = events.observeForever { seen.values.append($0) }
    #expect(seen.values == [1])
    #expect(events.hasObservers)
    source.onNext(2)
    #expect(seen.values == [1, 2])
    subscription.dispose()
    subscription.dispose()
    #expect(!events.hasObservers)
    source.onNext(3)
    let next = events.observe(owner) { seen.values.append($0 * 10) }
    #expect(seen.values == [1, 2, 30])
    next.dispose()
  }

  @Test func anObserverWithoutAnOwnerNeedsNoReferenceToTheEvents() {
    let (source, seen) = (PublishSubject<Int>(), Seen())
    _ = source.asLiveEvents().observeForever { seen.values.append($0) }
    let subscription = source.asLiveEvents().observeForever { seen.values.append($0 * 10) }
    source.onNext(1)
    #expect(seen.values.sorted() == [1, 10])
    subscription.dispose()
    source.onNext(2)
    #expect(seen.values.sorted() == [1, 2, 10])
    source.onCompleted()
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func theEndOrTheReleaseOfTheSourceReleasesEventsAndObserver() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let lifetimes = Lifetimes()
          @MainActor func observe(_ source: PublishSubject<Int>) {
            let object = lifetimes.make()
            _ = source.asLiveEvents().observeForever { _ in object.touch() }
          }
          var (completed, failed, released) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
          for source in [completed, failed, released] { observe(source) }
          #expect(lifetimes.alive == 3)
          completed.onCompleted()
          failed.onError(TestError())
          #expect(lifetimes.alive == 1)
          released = PublishSubject()
          #expect(lifetimes.alive == 0)
          (completed, failed) = (released, released)
        }
      }
      #expect(
        reports(result)
          == inDebugBuilds("RxViewModel: asLiveEvents() received an error, which ends its subscription: test error"))
    }
  #endif
}
