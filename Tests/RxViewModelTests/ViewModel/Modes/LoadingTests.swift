import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, the table: isLoadingObservable and isLoadingObservable(where:)
struct LoadingTests {
  private let scheduler = TestScheduler()

  // The test reads both streams after the first action has completed and before the second one starts.
  @Test func bothLoadingStreamsAgreeBetweenTwoActionsOfALane() {
    let (screen, seen, bag) = (Screen(scheduler: scheduler), Locked<[[Bool]]>([]), DisposeBag())
    screen.at("a completed", in: bag) {
      let streams = [screen.isLoadingObservable, screen.isLoadingObservable(where: { _ in true })]
      seen.mutate { $0 = streams.map { $0.take(1).test().values } }
    }
    screen.execute(Step("a", spins: true), mode: .sequence)
    screen.execute(Step("b", spins: true) { .never() }, mode: .sequence)
    scheduler.run()
    #expect(seen.value == [[true], [true]])
    bag.dispose()
  }

  @Test(arguments: [true, false])
  func loadingOfMatchingActionsBecomesFalseWithoutAnotherSubscriber(isJust: Bool) {
    let screen = Screen(scheduler: scheduler)
    let loading = screen.isLoadingObservable(where: { _ in true }).test()
    screen.execute(
      Step("a") { isJust ? .mutate { $0.append("a") } : Observable.of(1).mutate { state, _ in state += ["a"] } })
    scheduler.run()
    #expect(loading.values == [false, true, false])
    #expect(screen.isLoadingObservable(where: { _ in true }).test().values == [false])
  }

  // contract 2.5: an action that has ended does not count
  @Test func aNewSubscriberDoesNotSeeAnActionThatHasEndedAsLoading() {
    let loading = Locked<[Bool]>([])
    let screen = ClosureViewModel<String, Int>(0, scheduler: scheduler) {
      $0.effect = { _, _ in .just { $0 + 1 } }
      $0.mode = { screen, action in
        if action == "b" {
          onOtherThread { loading.mutate { $0 = screen.isLoadingObservable(where: { $0 == "a" }).test().values } }
        }
        return .parallel
      }
    }
    screen.execute("a")
    screen.execute("b")
    scheduler.run()
    #expect(loading.value == [false])
  }

  @Test func thePredicateIsCalledOncePerAction() {
    let (screen, calls, bag) = (Screen(scheduler: scheduler), Locked<[String]>([]), DisposeBag())
    screen.isLoadingObservable.filter { $0 }.subscribe(onNext: { [weak screen] _ in
      screen?.isLoadingObservable(where: { action in
        calls.mutate { $0.append(action.name) }
        return true
      }).subscribe { _ in }.disposed(by: bag)
    }).disposed(by: bag)
    screen.execute(Step("a", spins: true))
    scheduler.run()
    #expect(calls.value == ["a"])
    bag.dispose()
  }

  // The current value is replayed on any thread, whatever the view model is doing, and the subscriber receives the end.
  @Test(arguments: ["createObservable", "subscribe", "mapper", "state"], [true, false])
  func aSubscriberFromAnotherThreadGetsTheCurrentValue(place: String, isObserved: Bool) async {
    let (seen, ended) = (Locked<[Bool]>([]), Signal())
    let screen = Screen()
    let bag = DisposeBag()
    if isObserved { screen.executionObservable.subscribe { _ in }.disposed(by: bag) }
    @Sendable func look(_ current: String) {
      guard current == place else { return }
      onOtherThread {
        screen.isLoadingObservable(where: { $0.name == "a" }).subscribe(onNext: { isLoading in
          seen.mutate { $0.append(isLoading) }
          if !isLoading { ended.fire() }
        }).disposed(by: bag)
      }
      if current == "subscribe" { screen.cancelActions { $0.name == "a" } }
    }
    screen.stateObservable.subscribe(onNext: { if $0 == ["a"] { look("state") } }).disposed(by: bag)
    screen.execute(
      Step("a") {
        look("createObservable")
        if place == "subscribe" {
          return Observable<Int>.never().do(onSubscribe: { look("subscribe") }).mutate { _, _ in }
        }
        return .mutate { state in
          look("mapper")
          state.append("a")
        }
      })
    #expect(await onThread { ended.wait() })
    #expect(seen.value == [true, false])
    bag.dispose()
  }

  // contract 2.5: once for each subscription, also for an action that another thread starts meanwhile
  @Test func aPredicateIsCalledOnceForEachStartedAction() async {
    let viewModel = ClosureViewModel<Int, Int>(0, scheduler: ImmediateScheduler()) { _, _ in .unchanged() }
    let (isOver, repeated) = (Locked(false), Locked<[Int]>([]))
    let haveEnded = await finish(
      {
        var number = 0
        while !isOver.value {
          number += 1
          viewModel.execute(number)
        }
      },
      {
        for _ in 0..<20_000 {
          let called = Locked<Set<Int>>([])
          let isLoading = viewModel.isLoadingObservable { number in
            if !called.mutate({ $0.insert(number).inserted }) { repeated.append(number) }
            return true
          }
          isLoading.subscribe { _ in }.dispose()
        }
        isOver.mutate { $0 = true }
      })
    #expect(haveEnded && repeated.value == [])
  }
}

// contract 2.5: `isLoadingObservable(where:)` is true while a started action that matches is unfinished. In these tests, user code that
// runs before the start of an action subscribes to it.
@Suite(.ownThread) struct LoadingBeforeStartTests {
  enum Place: String, CaseIterable {
    case executionMode, showSpinner
    /// The action supersedes an earlier one.
    case cancelled, dispose
  }

  /// The thread that subscribes. With `AndCancels` it also cancels the action, before its start.
  enum Subscriber: CaseIterable {
    case userCode, userCodeAndCancels
    /// The user code waits for this thread.
    case otherThread, otherThreadAndCancels

    var cancels: Bool { self == .userCodeAndCancels || self == .otherThreadAndCancels }
    var isElsewhere: Bool { self == .otherThread || self == .otherThreadAndCancels }
  }

  @Test(arguments: Place.allCases, Subscriber.allCases)
  func loadingBecomesFalse(place: Place, subscriber: Subscriber) {
    let (scheduler, bag) = (HandScheduler(), DisposeBag())
    let (loading, held) = (Recorder<Bool>(), Locked<ClosureViewModel<Step, Int>?>(nil))
    let isDue = Locked(false)
    @Sendable func reach(_ reached: Place) {
      let isFirst = isDue.mutate { isDue in
        defer { if reached == place { isDue = false } }
        return isDue && reached == place
      }
      guard isFirst, let screen = held.value else { return }
      let subscribe: @Sendable () -> Void = {
        screen.isLoadingObservable(where: { $0.name == "b" }).subscribe(loading).disposed(by: bag)
        if subscriber.cancels { screen.cancelActions { $0.name == "b" } }
      }
      if subscriber.isElsewhere { #expect(onOtherThread(subscribe)) } else { subscribe() }
    }
    let screen = ClosureViewModel<Step, Int>(0, scheduler: scheduler) { _, action in
      action.name == "a" && place == .dispose
        ? .create { _ in Disposables.create { reach(.dispose) } } : .never()
    } overrides: {
      $0.mode = { _, action in
        if action.name == "b" { reach(.executionMode) }
        return .switchLatest
      }
      $0.spins = { _, action in
        if action.name == "b" { reach(.showSpinner) }
        return false
      }
    }
    held.mutate { $0 = screen }
    if place == .cancelled { screen.at("a cancelled", in: bag) { reach(.cancelled) } }
    isDue.mutate { $0 = true }
    for name in ["a", "b"] { screen.execute(Step(name)) }
    scheduler.run()
    #expect(!isDue.value)
    if !subscriber.cancels {
      #expect(loading.elements.last == true)
      screen.cancelActions { $0.name == "b" }
      scheduler.run()
    }
    #expect(loading.elements.last == false)
    #expect(zip(loading.elements, loading.elements.dropFirst()).allSatisfy { $0 != $1 })
    #expect(loading.faults == [])
    held.mutate { $0 = nil }
    bag.dispose()
  }
}
