import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, the table: isLoadingObservable and isLoadingObservable(where:)
@Suite struct LoadingTests {
  private let scheduler = TestScheduler()

  // contract 2.9: at either end, a loading stream that is true emits false before it completes
  @Test(arguments: [true, false], [true, false])
  func loadingBecomesFalseBeforeTheEnd(isCleared: Bool, spins: Bool) {
    var screen: Screen? = Screen(scheduler: scheduler)
    let all = screen!.isLoadingObservable.test()
    let some = screen!.isLoadingObservable(where: { $0.name == "a" }).test()
    let others = screen!.isLoadingObservable(where: { $0.name == "b" }).test()
    screen!.execute(Step("a", spins: spins) { .never() })
    scheduler.run()
    if isCleared { screen!.clear() } else { screen = nil }
    scheduler.run()
    #expect(all.values == (spins ? [false, true, false] : [false]))
    #expect(some.values == [false, true, false])
    #expect(others.values == [false])
    #expect(all.isCompleted && some.isCompleted && others.isCompleted)
    #expect(screen != nil || !isCleared)
  }

  // contract 2.7: no flicker between two actions of a lane, also if an action between them is cancelled at the same time
  @Test(arguments: [ExecutionMode.sequence, .parallelDeferred])
  func loadingSpansALaneThatIsCancelledInPart(mode: ExecutionMode) {
    let screen = Screen(scheduler: scheduler)
    let loading = screen.isLoadingObservable.test()
    let some = screen.isLoadingObservable(where: { _ in true }).test()
    for name in ["a", "b", "c"] { screen.execute(Step(name, spins: true) { .never() }, mode: mode) }
    scheduler.run()
    screen.cancelActions { $0.name != "c" }
    scheduler.run()
    #expect(loading.values == [false, true])
    #expect(some.values == [false, true])
  }

  // contract 2.7: no flicker where the rest of a batch is dropped
  @Test func loadingSpansABrokenBatch() {
    let screen = Screen(scheduler: scheduler)
    let (loading, source) = (screen.isLoadingObservable.test(), PublishSubject<Int>())
    screen.executeInSequence(Step("a", spins: true, on: source), Step("b", spins: true), Step("c", spins: true))
    screen.execute(Step("d", spins: true) { .never() }, mode: .sequence)
    scheduler.run()
    source.onError(TestError())
    scheduler.run()
    #expect(loading.values == [false, true])
  }

  // The current value is replayed on any thread, whatever the view model is doing.
  @Test(arguments: ["createObservable", "subscribe", "mapper", "state"], [true, false])
  func aSubscriberFromAnotherThreadGetsTheCurrentValue(place: String, isObserved: Bool) async {
    let (seen, asked) = (Locked<[Bool]>([]), Signal())
    let screen = Screen()
    let bag = DisposeBag()
    if isObserved { screen.executionObservable.subscribe { _ in }.disposed(by: bag) }
    @Sendable func look(_ current: String) {
      guard current == place else { return }
      onOtherThread {
        let loading = screen.isLoadingObservable(where: { $0.name == "a" }).test()
        seen.mutate { $0 = loading.values }
        loading.dispose()
      }
      asked.fire()
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
    #expect(await onThread { asked.wait() })
    #expect(seen.value == [true])
    bag.dispose()
  }
}
