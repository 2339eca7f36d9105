import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.9
struct LifetimeTests {
  private let scheduler = TestScheduler()

  // A loading stream that is true emits false before it completes.
  @Test(arguments: [true, false]) func theEndDisposesEffectsAndCompletesTheStreamsOnce(isCleared: Bool) {
    let (lifetimes, source) = (Lifetimes(), PublishSubject<Int>())
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let journal = Journal(screen!)
    let loading = ["a", "b"].map { name in screen!.isLoadingObservable(where: { $0.name == name }).test() }
    screen!.execute(Step("a", spins: true, on: source))
    scheduler.run()
    source.onNext(1)
    if isCleared {
      screen!.clear()
      screen!.clear()
      screen!.execute(Step("c"))
    } else {
      screen = nil
    }
    #expect(!source.hasObservers && lifetimes.alive == (isCleared ? 1 : 0))
    scheduler.run()
    #expect(journal.news == ["loading true", "a started", "loading false"] + [String](repeating: "end", count: 6))
    #expect(loading.map(\.values) == [[false, true, false], [false]] && loading.allSatisfy(\.isCompleted))
    #expect(screen?.currentState ?? [] == [])
  }

  // contract 2: a subscriber that subscribes after `clear` gets only `completed`, also before the scheduler's next turn
  @Test func aSubscriberAfterClearGetsTheCompletionOnly() {
    let screen = Screen(scheduler: scheduler)
    screen.clear()
    let streams = [
      screen.stateObservable.map { _ in true }, screen.actionAndStateObservable.map { _ in true },
      screen.errorObservable.map { _ in true }, screen.actionAndErrorObservable.map { _ in true },
      screen.isLoadingObservable, screen.isLoadingObservable(where: { _ in true }),
      screen.executionObservable.map { _ in true },
    ]
    #expect(streams.map { $0.test().events } == Array(repeating: [Recorded(.zero, .completed)], count: 7))
  }

  @Test func actionsThatWaitForTheirTurnKeepItAlive() {
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let journal = Journal(screen!)
    screen!.execute(Step("a"))
    screen!.execute(Step("b", on: Observable<Int>.never()))
    screen = nil
    #expect(lifetimes.alive == 1)
    scheduler.run()
    #expect(lifetimes.alive == 0)
    #expect(
      journal.news == [
        "a started", "state a", "a made a", "a emitted a", "a completed a", "b started", "end", "end", "end", "end",
        "end", "end",
      ])
  }

  @Test func aTaskIsCancelledWhenTheViewModelIsReleased() async {
    let (started, cancelled) = (Signal(), Signal())
    var screen: Screen? = Screen()
    screen!.execute(
      Step("a") {
        Observable<Int>.task {
          started.fire()
          do {
            try await Task.sleep(for: .seconds(1_000))  // sleep: it is cancelled
          } catch {
            cancelled.fire()
            throw error
          }
          return 1
        }.mutate { _, _ in }
      })
    #expect(await onThread { started.wait() })
    screen = nil
    #expect(await onThread { cancelled.wait() })
    #expect(screen == nil)
  }

  // Nothing leaks, although the test retains disposables and observables.
  @Test func everythingIsReleased() {
    let lifetimes = Lifetimes()
    var held: [Any] = []
    do {
      let scheduler = TestScheduler()
      let screen = Screen(scheduler: scheduler, tracker: lifetimes.make())
      let object = lifetimes.make()
      held.append(
        Observable.combineLatest(screen.stateObservable, screen.isLoadingObservable) { ($0, $1) }
          .subscribe { _ in object.touch() })
      held.append(screen.executionObservable.merge(with: Observable.never()).subscribe { _ in object.touch() })
      screen.execute(Step("a", on: Observable<Int>.never().do(onNext: { _ in object.touch() })))
      scheduler.run()
      held.append(screen.stateObservable)
      screen.clear()
      scheduler.run()
    }
    #expect(lifetimes.alive == 0)
    #expect(held.count == 3)
  }

  // contract 2.9: a view model and its scheduler are released, also if the test does not advance the scheduler any more
  @Test(arguments: [false, true]) func aSchedulerThatIsNeverAdvancedIsReleased(isCleared: Bool) {
    let lifetimes = Lifetimes()
    weak var released: TestScheduler?
    do {
      let scheduler = TestScheduler()
      released = scheduler
      let (screen, object) = (Screen(scheduler: scheduler, tracker: lifetimes.make()), lifetimes.make())
      _ = screen.stateObservable.subscribe { _ in object.touch() }
      _ = screen.executionObservable.subscribe { _ in object.touch() }
      screen.execute(Step("a", on: Observable<Int>.never().do(onNext: { _ in object.touch() })))
      scheduler.run()
      if isCleared {
        screen.execute(Step("b"))
        screen.clear()
      }
    }
    #expect(released == nil)
    #expect(lifetimes.alive == 0)
  }

  @Test func aDefaultQueueCostsNoThread() async {
    let screens = (0..<1_000).map { _ in Screen() }
    let done = DispatchGroup()
    let bag = DisposeBag()
    for screen in screens {
      done.enter()
      screen.stateObservable.subscribe(onNext: { if $0 == ["a"] { done.leave() } }).disposed(by: bag)
      screen.execute(Step("a"))
    }
    #expect(await onThread { done.wait(timeout: .now() + .seconds(waitLimit)) == .success })
    bag.dispose()
  }
}
