import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3.1, 3.3
@MainActor
@Suite struct LiveDataTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []
  }

  private let screen = Screen(scheduler: ImmediateScheduler())

  @Test func aLifecycleStartsPausedAndEndsForGood() {
    let lifecycle = Lifecycle()
    #expect(lifecycle.state == .paused)
    lifecycle.resume()
    lifecycle.resume()
    #expect(lifecycle.state == .resumed)
    lifecycle.pause()
    #expect(lifecycle.state == .paused)
    lifecycle.destroy()
    lifecycle.resume()
    lifecycle.pause()
    #expect(lifecycle.state == .destroyed)
  }

  @Test func destroyingALifecycleWhileItIsBeingDestroyedRemovesAllObservers() {
    let (first, second, owner) = (PublishSubject<Int>(), PublishSubject<Int>(), Lifecycle())
    let destroying = first.do(onDispose: { MainActor.assumeIsolated { owner.destroy() } }).asLiveData(screen)
    let (data, bag) = (second.asLiveData(screen), DisposeBag())
    destroying.observe(owner) { _ in }.disposed(by: bag)
    data.observe(owner) { _ in }.disposed(by: bag)
    owner.destroy()
    #expect(!destroying.hasObservers)
    #expect(!data.hasObservers)
    #expect(!second.hasObservers)
  }

  // contract 1.4: a replay too is cut off when the last observer leaves inside it
  @Test func leavingInsideAReplayCutsItOff() {
    let (sent, owner) = (TestObserver<Int>(), Lifecycle())
    let data = Observable.from(sequence(first: 1) { $0 + 1 }).do(onNext: sent.onNext).asLiveData(screen)
    owner.resume()
    let disposable = data.observe(owner) { _ in owner.destroy() }
    #expect(sent.values == [1])
    #expect(data.value == 1)
    #expect(!data.hasObservers)
    disposable.dispose()
  }

  @Test func anObserverAddedInsideTheReplayThatTheLastOneLeavesGetsItOnce() {
    let (subject, owner, seen) = (ReplaySubject<Int>(bufferSize: 3), Lifecycle(), Seen())
    for number in 1...3 { subject.onNext(number) }
    let (data, bag) = (subject.asLiveData(screen), DisposeBag())
    owner.resume()
    data.observe(owner) { _ in
      owner.destroy()
      data.observeForever { seen.values.append($0) }.disposed(by: bag)
    }.disposed(by: bag)
    #expect(seen.values == [1, 2, 3])
  }

  @Test func subscribesForItsFirstObserverAndDisposesAtZero() {
    let subject = BehaviorSubject(value: 1)
    let (data, owner, seen) = (subject.asLiveData(screen), Lifecycle(), Seen())
    #expect(!subject.hasObservers)
    #expect(data.value == nil)
    let first = data.observeForever { seen.values.append($0) }
    #expect(subject.hasObservers)
    let second = data.observe(owner) { _ in }
    first.dispose()
    #expect(data.hasObservers)
    #expect(subject.hasObservers)
    second.dispose()
    second.dispose()
    #expect(!data.hasObservers)
    #expect(!subject.hasObservers)
    #expect(data.value == 1)
    #expect(seen.values == [1])
  }

  @Test func aReplayedValueIsThereBeforeObserveReturnsIfTheOwnerIsResumed() {
    let subject = BehaviorSubject(value: 1)
    let (data, resumed, paused) = (subject.asLiveData(screen), Lifecycle(), Lifecycle())
    let (atResumed, atPaused) = (Seen(), Seen())
    resumed.resume()
    let bag = DisposeBag()
    data.observe(resumed) { atResumed.values.append($0) }.disposed(by: bag)
    data.observe(paused) { atPaused.values.append($0) }.disposed(by: bag)
    #expect(atResumed.values == [1])
    #expect(atPaused.values == [])
    let late = Seen()
    data.observe(resumed) { late.values.append($0) }.disposed(by: bag)
    #expect(late.values == [1])
    bag.dispose()
  }

  @Test func aResumeDeliversTheLatestValueIfTheObserverHasNotSeenIt() {
    let subject = PublishSubject<Int>()
    let (data, owner, seen) = (subject.asLiveData(screen), Lifecycle(), Seen())
    let subscription = data.observe(owner) { seen.values.append($0) }
    subject.onNext(1)
    subject.onNext(2)
    #expect(seen.values == [])
    owner.resume()
    #expect(seen.values == [2])
    owner.pause()
    owner.resume()
    #expect(seen.values == [2])
    subject.onNext(2)
    owner.pause()
    subject.onNext(3)
    #expect(seen.values == [2, 2])
    owner.resume()
    #expect(seen.values == [2, 2, 3])
    subscription.dispose()
  }

  @Test func ofTheValuesSentInsideACallbackAtAResumeTheLastArrives() {
    let subject = PublishSubject<Int>()
    let (data, owner, seen) = (subject.asLiveData(screen), Lifecycle(), Seen())
    let subscription = data.observe(owner) { value in
      seen.values.append(value)
      if value == 1 { for next in 2...3 { subject.onNext(next) } }
    }
    subject.onNext(1)
    owner.resume()
    #expect(seen.values == [1, 3])
    subscription.dispose()
  }

  @Test func keepsTheLastValueForALaterObserver() {
    let subject = PublishSubject<Int>()
    let (data, seen) = (subject.asLiveData(screen), Seen())
    let first = data.observeForever { _ in }
    subject.onNext(5)
    first.dispose()
    subject.onNext(6)
    let second = data.observeForever { seen.values.append($0) }
    #expect(seen.values == [5])
    second.dispose()
    // A new subscription to a source that replays delivers the replayed value only, not the kept one before it.
    let replaying = BehaviorSubject(value: 1)
    let again = replaying.asLiveData(screen)
    again.observeForever { _ in }.dispose()
    replaying.onNext(2)
    let fresh = Seen()
    let third = again.observeForever { fresh.values.append($0) }
    #expect(fresh.values == [2])
    third.dispose()
  }

  @Test func aDestroyedOwnersObserversAreRemoved() {
    let subject = BehaviorSubject(value: 1)
    let (data, owner, seen) = (subject.asLiveData(screen), Lifecycle(), Seen())
    owner.resume()
    let subscription = data.observe(owner) { seen.values.append($0) }
    owner.destroy()
    #expect(!data.hasObservers)
    #expect(!subject.hasObservers)
    subject.onNext(2)
    let late = data.observe(owner) { seen.values.append($0) }
    #expect(!data.hasObservers)
    #expect(seen.values == [1])
    subscription.dispose()
    late.dispose()
  }

  @Test func aReleasedOwnersObserversAreRemoved() {
    let subject = BehaviorSubject(value: 1)
    let (data, seen) = (subject.asLiveData(screen), Seen())
    do {
      let owner = Lifecycle()
      owner.resume()
      _ = data.observe(owner) { seen.values.append($0) }
    }
    subject.onNext(2)
    #expect(seen.values == [1])
    #expect(!data.hasObservers)
    #expect(!subject.hasObservers)
  }

  @Test func aThousandStartsAndStopsLeaveNothing() {
    let (subject, lifetimes) = (BehaviorSubject(value: 1), Lifetimes())
    let (data, owner) = (subject.asLiveData(screen), Lifecycle())
    owner.resume()
    for _ in 0..<1_000 {
      let object = lifetimes.make()
      let subscription = data.observe(owner) { _ in object.touch() }
      owner.pause()
      owner.resume()
      subscription.dispose()
    }
    #expect(!subject.hasObservers)
    #expect(lifetimes.alive == 0)
  }

  @Test func goesOnWithoutAReferenceToItOrToTheDisposable() {
    let (subject, seen, forever) = (BehaviorSubject(value: 1), Seen(), Seen())
    let owner = Lifecycle()
    owner.resume()
    _ = subject.asLiveData(screen).observe(owner) { seen.values.append($0) }
    _ = subject.asLiveData(screen).observeForever { forever.values.append($0) }
    subject.onNext(2)
    #expect(seen.values == [1, 2])
    #expect(forever.values == [1, 2])
    owner.destroy()
    subject.onNext(3)
    #expect(seen.values == [1, 2])
  }

  @Test func nothingIsRetainedAfterTheSourceHasEndedOrTheObserverHasLeft() {
    let lifetimes = Lifetimes()
    for isCompleted in [true, false] {
      let subject = PublishSubject<Int>()
      let subscription: any Disposable
      do {
        let object = lifetimes.make()
        subscription = subject.asLiveData(screen).observeForever { _ in object.touch() }
      }
      #expect(lifetimes.alive == 1)
      if isCompleted { subject.onCompleted() } else { subscription.dispose() }
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func observersAreCalledInTheOrderInWhichTheyWereAdded() {
    let (subject, seen) = (PublishSubject<Int>(), Seen())
    let (data, bag) = (subject.asLiveData(screen), DisposeBag())
    for number in 0..<20 { data.observeForever { seen.values.append($0 * 100 + number) }.disposed(by: bag) }
    subject.onNext(1)
    #expect(seen.values == (100..<120).map { $0 })
    bag.dispose()
  }

  @Test func disposingOneInsideTheCallbackOfAnother() {
    let (subject, seen, slot) = (PublishSubject<Int>(), Seen(), SerialDisposable())
    let data = subject.asLiveData(screen)
    let first = data.observeForever { _ in slot.dispose() }
    slot.replace(with: data.observeForever { seen.values.append($0) })
    subject.onNext(1)
    #expect(seen.values == [])
    first.dispose()
    #expect(!subject.hasObservers)
  }

  @Test func valuesFromOtherThreadsKeepTheirOrder() async {
    let (subject, seen, owner) = (PublishSubject<Int>(), Seen(), Lifecycle())
    owner.resume()
    let subscription = subject.asLiveData(screen).observe(owner) { number in
      MainActor.assertIsolated()
      seen.values.append(number)
    }
    await onThread { for number in 0..<500 { subject.onNext(number) } }
    await settle { seen.values.count == 500 }
    #expect(seen.values == Array(0..<500))
    await onThread { subscription.dispose() }
    await settle { !subject.hasObservers }
    #expect(!subject.hasObservers)
  }

  #if os(macOS) || os(Linux)
    @Test(.ownThread) func withoutAViewModelAnErrorEndsTheSubscriptionAndTheValueStays() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let (subject, owner, seen) = (PublishSubject<Int>(), Lifecycle(), Seen())
          let data = subject.asLiveData()
          owner.resume()
          data.observe(owner) { seen.values.append($0) }
          subject.onNext(1)
          subject.onError(TestError())
          subject.onNext(2)
          #expect(seen.values == [1] && data.value == 1)
          withExtendedLifetime(owner) {}
        }
      }
      #expect(
        reports(result)
          == inDebugBuilds("RxViewModel: asLiveData() received an error, which ends its subscription: test error"))
    }
  #endif

  @Test func anErrorGoesToTheErrorStreamsWithoutAnAction() {
    let (subject, seen) = (PublishSubject<Int>(), Seen())
    let errors = screen.errorObservable.test()
    let pairs = screen.actionAndErrorObservable.test()
    let subscription = subject.asLiveData(screen).observeForever { seen.values.append($0) }
    let events = PublishSubject<Int>()
    let live = events.asLiveEvents(screen)
    subject.onNext(1)
    subject.onError(TestError())
    events.onError(TestError())
    #expect(errors.values.count == 2)
    #expect(pairs.values.count == 2)
    #expect(pairs.values.allSatisfy { $0.action == nil && $0.error is TestError })
    #expect(screen.handled.value == ["test error of no action", "test error of no action"])
    #expect(seen.values == [1])
    subscription.dispose()
    withExtendedLifetime(live) {}
  }

  @Test func doesNotKeepTheViewModelAlive() {
    let lifetimes = Lifetimes()
    let owner = Lifecycle()
    owner.resume()
    var screen: Screen? = Screen(scheduler: ImmediateScheduler(), tracker: lifetimes.make())
    let data = screen!.stateObservable.map(\.count).asLiveData(screen!)
    let live = screen!.actionAndStateObservable.asLiveEvents(screen!)
    _ = data.observe(owner) { _ in }
    _ = live.observe(owner) { _ in }
    screen = nil
    #expect(lifetimes.alive == 0)
    #expect(data.value == 0)
    withExtendedLifetime(live) {}
  }
}
