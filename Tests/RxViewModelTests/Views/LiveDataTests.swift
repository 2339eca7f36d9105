import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3.1, 3.3
@MainActor
struct LiveDataTests {
  private let screen = Screen(scheduler: ImmediateScheduler())
  private let subject = PublishSubject<Int>()
  private let owner = Lifecycle()
  private let bag = DisposeBag()
  private let seen = Locked<[Int]>([])

  @Test func aLifecycleStartsPausedAndEndsForGood() {
    #expect(owner.state == .paused)
    owner.resume()
    owner.resume()
    #expect(owner.state == .resumed)
    owner.pause()
    #expect(owner.state == .paused)
    owner.destroy()
    owner.resume()
    owner.pause()
    #expect(owner.state == .destroyed)
  }

  @Test func destroyingALifecycleWhileItIsBeingDestroyedRemovesAllObservers() {
    let destroying = PublishSubject<Int>().do(onDispose: { [owner] in MainActor.assumeIsolated { owner.destroy() } })
      .asLiveData(screen)
    let data = subject.asLiveData(screen)
    destroying.observe(owner) { _ in }
    data.observe(owner) { _ in }
    owner.destroy()
    #expect(!destroying.hasObservers)
    #expect(!data.hasObservers)
    #expect(!subject.hasObservers)
  }

  // contract 1.4: a replay too is cut off when the last observer leaves inside it
  @Test func leavingInsideAReplayCutsItOff() {
    let sent = TestObserver<Int>()
    let data = Observable.from(sequence(first: 1) { $0 + 1 }).do(onNext: sent.onNext).asLiveData(screen)
    owner.resume()
    data.observe(owner) { [owner] _ in owner.destroy() }
    #expect(sent.values == [1])
    #expect(data.value == 1)
    #expect(!data.hasObservers)
  }

  @Test func anObserverAddedInsideTheReplayThatTheLastOneLeavesGetsItOnce() {
    let subject = ReplaySubject<Int>(bufferSize: 3)
    for number in 1...3 { subject.onNext(number) }
    let data = subject.asLiveData(screen)
    owner.resume()
    data.observe(owner) { [owner, seen, bag] _ in
      owner.destroy()
      data.observeForever { seen.append($0) }.disposed(by: bag)
    }
    #expect(seen.value == [1, 2, 3])
    bag.dispose()
  }

  @Test func subscribesForItsFirstObserverAndDisposesAtZero() {
    let subject = BehaviorSubject(value: 1)
    let data = subject.asLiveData(screen)
    #expect(!subject.hasObservers)
    #expect(data.value == nil)
    let first = data.observeForever { [seen] in seen.append($0) }
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
    #expect(seen.value == [1])
  }

  @Test func aResumeDeliversTheLatestValueIfTheObserverHasNotSeenIt() {
    subject.asLiveData(screen).observe(owner) { [seen] in seen.append($0) }
    subject.onNext(1)
    subject.onNext(2)
    #expect(seen.value == [])
    owner.resume()
    #expect(seen.value == [2])
    owner.pause()
    owner.resume()
    #expect(seen.value == [2])
    subject.onNext(2)
    owner.pause()
    subject.onNext(3)
    #expect(seen.value == [2, 2])
    owner.resume()
    #expect(seen.value == [2, 2, 3])
  }

  @Test func ofTheValuesSentInsideACallbackAtAResumeTheLastArrives() {
    subject.asLiveData(screen).observe(owner) { [seen, subject] value in
      seen.append(value)
      if value == 1 { for next in 2...3 { subject.onNext(next) } }
    }
    subject.onNext(1)
    owner.resume()
    #expect(seen.value == [1, 3])
  }

  @Test func keepsTheLastValueForALaterObserver() {
    let data = subject.asLiveData(screen)
    let first = data.observeForever { _ in }
    subject.onNext(5)
    first.dispose()
    subject.onNext(6)
    for _ in 0..<2 { data.observeForever { [seen] in seen.append($0) }.disposed(by: bag) }
    #expect(seen.value == [5, 5])
    // A new subscription to a source that replays delivers the replayed value only, not the kept one before it.
    let replaying = BehaviorSubject(value: 1)
    let again = replaying.asLiveData(screen)
    again.observeForever { _ in }.dispose()
    replaying.onNext(2)
    again.observeForever { [seen] in seen.append($0) }.disposed(by: bag)
    #expect(seen.value == [5, 5, 2])
    bag.dispose()
  }

  @Test(arguments: ["destroyed", "released"]) func theObserversOfAnOwnerThatHasEndedAreRemoved(end: String) {
    let data = subject.asLiveData(screen)
    var owner = Lifecycle()
    owner.resume()
    data.observe(owner) { [seen] in seen.append($0) }
    subject.onNext(1)
    if end == "destroyed" { owner.destroy() } else { owner = Lifecycle() }
    #expect(!data.hasObservers)
    #expect(!subject.hasObservers)
    if end == "destroyed" { data.observe(owner) { [seen] in seen.append($0) } }
    #expect(!data.hasObservers)
    #expect(seen.value == [1])
  }

  @Test func aDisposeOnAnotherThreadRemovesTheObserver() async {
    let subscription = subject.asLiveData(screen).observe(owner) { _ in }
    await onThread { subscription.dispose() }
    await settle { !subject.hasObservers }
    #expect(!subject.hasObservers)
  }

  // MARK: Errors

  #if os(macOS) || os(Linux)
    // contract 3.1, 3.2
    @Test(.ownThread) func withoutAViewModelAnErrorIsAnEndAndWhatCameBeforeItStays() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let (subject, owner, lifetimes) = (PublishSubject<Int>(), Lifecycle(), Lifetimes())
          let (seen, data, events) = (Locked<[Int]>([]), subject.asLiveData(), subject.asLiveEvents())
          owner.resume()
          data.observe(owner) { seen.append($0) }
          do {
            let object = lifetimes.make()
            _ = subject.asLiveEvents().observeForever { _ in object.touch() }
          }
          subject.onNext(1)
          subject.onError(TestError())
          subject.onNext(2)
          #expect(seen.value == [1] && data.value == 1)
          #expect(lifetimes.alive == 0)
          events.observe(owner) { seen.append($0 * 10) }
          #expect(seen.value == [1, 10])
          withExtendedLifetime(owner) {}
        }
      }
      let reported = ["asLiveData()", "asLiveEvents()", "asLiveEvents()"].flatMap {
        inDebugBuilds("RxViewModel: \($0) received an error, which ends its subscription: test error")
      }
      #expect(reports(result).sorted() == reported)
    }
  #endif

  @Test func anErrorGoesToTheErrorStreamsWithoutAnAction() {
    let (errors, pairs) = (screen.errorObservable.test(), screen.actionAndErrorObservable.test())
    let live = subject.asLiveEvents(screen)
    subject.asLiveData(screen).observeForever { [seen] in seen.append($0) }.disposed(by: bag)
    subject.onNext(1)
    subject.onError(TestError())
    #expect(errors.values.count == 2)
    #expect(pairs.values.count == 2)
    #expect(pairs.values.allSatisfy { $0.action == nil && $0.error is TestError })
    #expect(screen.handled.value == ["test error of no action", "test error of no action"])
    #expect(seen.value == [1])
    withExtendedLifetime((live, bag)) {}
  }

  // MARK: Lifetime

  @Test func goesOnWithoutAReferenceToItOrToTheDisposable() {
    owner.resume()
    subject.asLiveData(screen).observe(owner) { [seen] in seen.append($0) }
    _ = subject.asLiveData(screen).observeForever { [seen] in seen.append($0 * 10) }
    subject.onNext(2)
    #expect(seen.value == [2, 20])
    owner.destroy()
    subject.onNext(3)
    #expect(seen.value == [2, 20, 30])
    subject.onCompleted()
  }

  @Test(arguments: ["completion", "dispose"]) func nothingIsRetainedAfterTheEnd(end: String) {
    let lifetimes = Lifetimes()
    func observe() -> any Disposable {
      let object = lifetimes.make()
      return subject.asLiveData(screen).observeForever { _ in object.touch() }
    }
    // The disposable of one that is disposed is still retained.
    let subscription = end == "dispose" ? observe() : nil
    if subscription == nil { _ = observe() }
    #expect(lifetimes.alive == 1)
    if let subscription { subscription.dispose() } else { subject.onCompleted() }
    #expect(lifetimes.alive == 0)
  }

  @Test func doesNotKeepTheViewModelAlive() {
    let lifetimes = Lifetimes()
    owner.resume()
    var screen: Screen? = Screen(scheduler: ImmediateScheduler(), tracker: lifetimes.make())
    let data = screen!.stateObservable.map(\.count).asLiveData(screen!)
    let live = screen!.actionAndStateObservable.asLiveEvents(screen!)
    data.observe(owner) { _ in }
    live.observe(owner) { _ in }
    screen = nil
    #expect(lifetimes.alive == 0)
    #expect(data.value == 0)
  }

  // A released object may use, in its `deinit`, the object that retained it.
  @Test func aDestroyedLifecycleReleasesObserversThatDisposeOnIt() {
    let data = screen.stateObservable.asLiveData(screen)
    owner.resume()
    owner.bind(screen).disposed(by: bag)
    let isReleased = Locked(false)
    do {
      let object = CountedID(0) { [bag] in
        bag.dispose()
        isReleased.mutate { $0 = true }
      }
      data.observe(owner) { _ in _ = object }
    }
    owner.destroy()
    #expect(isReleased.value)
    #expect(owner.state == .destroyed)
  }

  @Test func itsValueIsReleasedWhileItCanBeRead() {
    let subject = PublishSubject<CountedID?>()
    let data = subject.asLiveData(screen)
    data.observeForever { _ in }.disposed(by: bag)
    let seen = Locked(false)
    subject.onNext(CountedID(0) { MainActor.assumeIsolated { seen.mutate { $0 = data.value! == nil } } })
    subject.onNext(nil)
    #expect(seen.value)
    bag.dispose()
  }
}
