import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Counts its pauses.
private final class Pausing: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let pauses: Locked<Int>

  init(_ pauses: Locked<Int>, scheduler: (any Scheduler)? = nil) {
    self.pauses = pauses
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .unchanged() }
  override func onPause() { pauses.mutate { $0 += 1 } }
}

/// Its actions send a request that continues after a dispose.
private final class Liking: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  private let request: Observable<Int>

  init(_ request: Observable<Int>, scheduler: any Scheduler) {
    self.request = request
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect {
    request.continuesAfterDispose().mutate { $0 = $1 }
  }
}

// contract 1.4, 2.9, 2.12, 2.18
@Suite struct OutlivingTests {
  // MARK: A pause

  // When a waiting pause did not retain the view model, it ran 110 times of 200 on the default queue, and never on a `TestScheduler`.
  @Test func aPauseRunsAfterTheReleaseOfTheLastReference() async {
    let pauses = Locked(0)
    for _ in 0..<200 {
      let screen = Pausing(pauses)
      screen.didResume()
      screen.didPause()
    }
    #expect(await eventually { pauses.value == 200 })
  }

  @Test func aPauseKeepsTheViewModelUntilItHasRun() {
    let (pauses, scheduler) = (Locked(0), TestScheduler())
    var screen: Pausing? = Pausing(pauses, scheduler: scheduler)
    weak let released = screen
    screen?.didResume()
    scheduler.run()
    screen?.didPause()
    screen = nil
    #expect(released != nil)
    scheduler.run()
    #expect(pauses.value == 1)
    #expect(released == nil)
  }

  @Test @MainActor func thePauseOfALifecycleRunsAfterTheReleaseOfTheLastReference() async {
    let pauses = Locked(0)
    for end in 0..<3 {
      for _ in 0..<50 {
        let (lifecycle, screen) = (Lifecycle(), Pausing(pauses))
        lifecycle.resume()
        let binding = lifecycle.bind(screen)
        switch end {
        case 0: lifecycle.pause()
        case 1: lifecycle.destroy()
        default: binding.dispose()
        }
      }
    }
    #expect(await eventually { pauses.value == 150 })
  }

  // Also while the pause is on its way to the main actor.
  @Test(arguments: ["binding", "lifecycle"]) @MainActor
  func aPauseFromAnotherThreadRunsAfterTheReleaseOfTheLastReference(end: String) async {
    let pauses = Locked(0)
    for _ in 0..<20 {
      let screen = Locked<Pausing?>(Pausing(pauses))
      let lifecycle = Locked<Lifecycle?>(Lifecycle())
      lifecycle.value?.resume()
      let binding = lifecycle.value!.bind(screen.value!)
      await onThread {
        if end == "binding" { binding.dispose() } else { lifecycle.mutate { $0 = nil } }
        screen.mutate { $0 = nil }
      }
    }
    #expect(await eventually { pauses.value == 20 })
  }

  @Test func neitherClearNorAReleaseAlonePauses() {
    let (pauses, scheduler) = (Locked(0), TestScheduler())
    for isCleared in [true, false] {
      let screen = Pausing(pauses, scheduler: scheduler)
      screen.didResume()
      scheduler.run()
      if isCleared { screen.clear() }
    }
    scheduler.run()
    #expect(pauses.value == 0)
  }

  // MARK: A write

  // The screen ends while its write is under way.
  @Test(arguments: ["release", "clear", "cancel"])
  func aWriteContinuesAfterTheEndOfItsScreen(end: String) {
    let (scheduler, sent, lifetimes) = (TestScheduler(), Locked<[Int]>([]), Lifetimes())
    let object = Locked<Lifetimes.Object?>(lifetimes.make())
    let request = Observable<Int>.timer(.seconds(1), scheduler: scheduler).map { [object = object.value!] _ in
      object.touch()
      sent.mutate { $0.append(1) }
      return 1
    }
    var screen: Liking? = Liking(request, scheduler: scheduler)
    object.mutate { $0 = nil }
    screen?.execute(1)
    scheduler.advance(by: .milliseconds(500))
    switch end {
    case "clear": screen?.clear()
    case "cancel": screen?.cancelActions { _ in true }
    default: screen = nil
    }
    scheduler.run()
    #expect(sent.value == [1])
    #expect(screen?.currentState ?? 0 == 0)
  }

  @Test func nothingMoreIsDeliveredAfterTheDispose() {
    let (subject, lifetimes) = (PublishSubject<Int>(), Lifetimes())
    let recorder = Recorder<Int>()
    let subscription = subject.continuesAfterDispose().subscribe { [object = lifetimes.make()] event in
      object.touch()
      recorder.on(event)
    }
    subject.onNext(1)
    subscription.dispose()
    #expect(lifetimes.alive == 0)
    #expect(subject.hasObservers)
    subject.onNext(2)
    #expect(recorder.elements == [1])
    subject.onCompleted()
    #expect(!subject.hasObservers)
    #expect(recorder.end == nil)
  }

  @Test func anOperatorDownstreamThatEndsDoesNotEndTheSource() {
    let seen = Locked<[Int]>([])
    let observer = Observable.from(1...5).do(onNext: { number in seen.mutate { $0.append(number) } })
      .continuesAfterDispose().take(2).test()
    #expect(observer.values == [1, 2])
    #expect(observer.isCompleted)
    #expect(seen.value == [1, 2, 3, 4, 5])
  }

  @Test func theTaskIsNotCancelled() async {
    let (started, mayGoOn, wasCancelled) = (Signal(), Signal(), Locked<Bool?>(nil))
    let subscription = Observable.task {
      started.fire()
      await onThread { _ = mayGoOn.wait() }
      wasCancelled.mutate { $0 = Task.isCancelled }
    }.continuesAfterDispose().subscribe { _ in }
    #expect(await onThread { started.wait() })
    subscription.dispose()
    mayGoOn.fire()
    #expect(await eventually { wasCancelled.value == false })
  }

  @Test func anEndIsPassedOn() {
    for (event, end) in [(Event<Int>.completed, "completed"), (.error(TestError()), "error")] {
      let subject = PublishSubject<Int>()
      let recorder = Recorder<Int>()
      _ = subject.continuesAfterDispose().subscribe(recorder)
      subject.on(event)
      #expect(recorder.end == end)
    }
  }

  // MARK: A session

  @Test func aBagClearsTheViewModelsOfASession() {
    let session = DisposeBag()
    let screens = (0..<3).map { _ in Screen(scheduler: ImmediateScheduler()) }
    for screen in screens { screen.clear(with: session) }
    let observers = screens.map { $0.stateObservable.test() }
    session.dispose()
    for observer in observers { #expect(observer.isCompleted) }
    // The bag can be used again.
    let next = Screen(scheduler: ImmediateScheduler())
    next.clear(with: session)
    #expect(!next.stateObservable.test().isCompleted)
    session.dispose()
    #expect(next.stateObservable.test().isCompleted)
  }

  @Test func theBagKeepsNothingOfAViewModelThatHasEnded() {
    let (session, lifetimes) = (DisposeBag(), Lifetimes())
    for isCleared in [true, false] {
      let screen = Screen(scheduler: ImmediateScheduler(), tracker: lifetimes.make())
      screen.clear(with: session)
      if isCleared { screen.clear() }
      // A view model that has ended leaves nothing in the bag.
      screen.clear(with: session)
    }
    #expect(lifetimes.alive == 0)
    session.dispose()
  }

  @Test func theScopeOfAResumeThatHasEndedClearsAtOnce() {
    let (scheduler, scope) = (TestScheduler(), Locked<DisposeBag?>(nil))
    let screen = ResumedScreen(scheduler: scheduler) { _, bag in scope.mutate { $0 = bag } }
    screen.didResume()
    screen.didPause()
    scheduler.run()
    let other = Screen(scheduler: ImmediateScheduler())
    other.clear(with: scope.value!)
    #expect(other.stateObservable.test().isCompleted)
  }

  // contract 2.18
  @Test func aBagDropsATextThatWaitsToBeSavedAndThenClearsTheScreen() {
    let scheduler = TestScheduler()
    let (screens, saved) = (DisposeBag(), Locked<[String]>([]))
    let viewModel = NameViewModel(scheduler: scheduler) { name in .mutate { $0.name = name } }
    viewModel.stateObservable.map(\.name).skip(1).throttle(.seconds(1), scheduler: scheduler)
      .subscribe(onNext: { name in saved.mutate { $0.append(name) } })
      .disposed(by: screens)
    viewModel.clear(with: screens)
    viewModel.execute(.set("a"))
    viewModel.execute(.set("secret"))
    scheduler.advance()
    screens.dispose()
    scheduler.run()
    #expect(saved.value == ["a"])
  }
}

// contract 2.18
@Suite(.stress) struct SessionRaceTests {
  @Test func aSessionEndsWhileScreensComeAndGo() async {
    let (session, lifetimes) = (DisposeBag(), Lifetimes())
    await race(threads: 8) { number in
      for _ in 0..<200 {
        if number == 0 {
          session.dispose()
        } else {
          let screen = Screen(tracker: lifetimes.make())
          screen.clear(with: session)
          if number % 2 == 0 { screen.clear() }
        }
      }
    }
    #expect(await eventually { lifetimes.alive == 0 })
  }
}

#if os(Linux)
  // contract 2.18. Each test runs in a process of its own, where no other test allocates.
  @Suite(.stress) struct SessionMemoryTests {
    @Test(.ownThread) func theBagOfASessionDoesNotGrow() async {
      await #expect(processExitsWith: .success) {
        let session = DisposeBag()
        func end(_ count: Int) {
          for _ in 0..<count { Screen(scheduler: ImmediateScheduler()).clear(with: session) }
        }
        end(1_000)
        let growth = allocation { end(10_000) }
        precondition(growth < 10_000, "\(growth) bytes more after 10,000 view models")
      }
    }

    @Test(.ownThread) func aViewModelDoesNotGrowWithRepeatedCalls() async {
      await #expect(processExitsWith: .success) {
        let (session, screen) = (DisposeBag(), Screen(scheduler: ImmediateScheduler()))
        func call(_ count: Int) {
          for _ in 0..<count { screen.clear(with: session) }
        }
        call(1_000)
        let growth = allocation { call(10_000) }
        precondition(growth < 4_096, "\(growth) bytes more after 10,000 calls")
      }
    }

    // contract 2.12
    @Test(.ownThread) func aLifecycleDoesNotGrowWithTheViewModelsThatItBinds() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          let lifecycle = Lifecycle()
          lifecycle.resume()
          let bind: @MainActor (Int) -> Void = { count in
            for _ in 0..<count { lifecycle.bind(Screen(scheduler: ImmediateScheduler())) }
          }
          bind(1_000)
          let growth = allocation { MainActor.assumeIsolated { bind(10_000) } }
          precondition(growth < 10_000, "\(growth) bytes more after 10,000 view models")
        }
      }
    }
  }
#endif
