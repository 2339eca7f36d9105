import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias Pausing = ClosureViewModel<Int, Int>

private func pausing(_ pauses: Locked<Int>, _ scheduler: (any Scheduler)? = nil) -> Pausing {
  Pausing(0, scheduler: scheduler) {
    $0.effect = { _, _ in .unchanged() }
    $0.paused = { _ in pauses.mutate { $0 += 1 } }
  }
}

// contract 1.4, 2.9, 2.12, 2.18
struct OutlivingTests {
  // MARK: A pause

  @Test func aPauseKeepsTheViewModelUntilItHasRun() {
    let (pauses, scheduler) = (Locked(0), TestScheduler())
    var screen: Pausing? = pausing(pauses, scheduler)
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

  // Also while the pause is on its way to the main actor.
  @Test(arguments: ["binding", "lifecycle"]) @MainActor
  func aPauseFromAnotherThreadRunsAfterTheReleaseOfTheLastReference(end: String) async {
    let pauses = Locked(0)
    for _ in 0..<20 {
      let screen = Locked<Pausing?>(pausing(pauses))
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
    var screen: ClosureViewModel<Int, Int>? = ClosureViewModel(0, scheduler: scheduler) { [request] _, _ in
      request.continuesAfterDispose().mutate { $0 = $1 }
    }
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

  @Test func anOperatorDownstreamThatEndsDoesNotEndTheSource() {
    let seen = Locked<[Int]>([])
    let observer = Observable.from(1...5).do(onNext: { number in seen.mutate { $0.append(number) } })
      .continuesAfterDispose().take(2).test()
    #expect(observer.values == [1, 2])
    #expect(observer.isCompleted)
    #expect(seen.value == [1, 2, 3, 4, 5])
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
}
