import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.10: `performDetached`
struct PerformDetachedTests {
  private let scheduler = TestScheduler()

  @Test func itEndsAsPerform() {
    let screen = Screen(scheduler: scheduler, handlesErrors: true)
    let busy = Step("busy") { .never() }
    let lastOfTwo = Step("two") { Observable.of(1, 2).mutate { $0.append("\($1)") } }
    let steps = [Step("a"), lastOfTwo, .failing("c"), Step("d") { .declined() }, busy, Step("e")]
    let ends = steps.map { step in
      screen.performDetached(step, mode: step == busy || step == Step("e") ? .dropWhileBusy : nil).test()
    }
    scheduler.run()
    #expect(ends.map(\.values) == [[["a"]], [["a", "1", "2"]], [], [], [], []])
    #expect(ends.map(\.isCompleted) == [true, true, false, false, false, false])
    #expect(ends[2].error is TestError)
    #expect(ends[3].error is CancellationError && ends[5].error is CancellationError && ends[4].error == nil)
    screen.clear()
    #expect(ends[4].error is CancellationError)
    #expect(screen.performDetached(Step("f")).test().error is CancellationError)
  }

  // Each subscription executes the action, in order with the actions.
  @Test func itAcceptsTheActionAtTheSubscription() {
    let screen = Screen(scheduler: scheduler)
    let stream = screen.performDetached(Step("a"))
    screen.execute(Step("b"))
    let ends = [stream.test(), stream.test()]
    screen.execute(Step("c"))
    scheduler.run()
    #expect(ends.map(\.values) == [[["b", "a"]], [["b", "a", "a"]]])
    #expect(screen.currentState == ["b", "a", "a", "c"])
  }

  @Test func theActionOutlivesTheOneThatAsksForIt() {
    let (other, screen) = (Screen(scheduler: scheduler), Screen(scheduler: scheduler))
    let (gate, steps) = (PublishSubject<Int>(), other.steps())
    let ask = Step("ask") { other.performDetached(Step("save", on: gate)).mutate { $0 += $1 } }
    screen.execute(ask, mode: .switchLatest)
    scheduler.run()
    screen.execute(ask, mode: .switchLatest)
    scheduler.run()
    gate.onNext(1)
    gate.onCompleted()
    scheduler.run()
    #expect(screen.currentState == ["save", "save"] && other.currentState == ["save", "save"])
    #expect(steps.values.filter { $0.hasSuffix("completed") }.count == 2 && !steps.values.contains("save cancelled"))
  }

  // contract 2.14
  @Test(arguments: [true, false]) func anErrorThatNothingAwaitsIsReported(isDisposed: Bool) {
    let (told, gate) = (Locked<[String]>([]), PublishSubject<Int>())
    let model = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, _ in
      gate.mutate { _, _ in throw TestError() }
    } overrides: {
      $0.diagnose = { _, diagnostic in told.append("\(diagnostic)") }
    }
    let subscription = model.performDetached(1).subscribe(onNext: { _ in }, onError: { _ in })
    scheduler.run()
    if isDisposed { subscription.dispose() }
    gate.onNext(1)
    scheduler.run()
    #expect(told.value.count == (isDisposed ? 1 : 0))
  }

  // contract 1.4, 2.9
  @Test func itRetainsNeitherTheViewModelNorADisposedSubscriber() {
    let lifetimes = Lifetimes()
    var screen: Screen? = Screen(scheduler: scheduler, tracker: lifetimes.make())
    let stream = screen!.performDetached(Step("a") { .never() })
    let (first, second) = (
      { [object = lifetimes.make()] in stream.subscribe(onNext: { _ in object.touch() }) }(), stream.test()
    )
    scheduler.run()
    #expect(lifetimes.alive == 2)
    first.dispose()
    #expect(lifetimes.alive == 1)
    screen = nil
    #expect(lifetimes.alive == 0 && second.error is CancellationError)
    #expect(stream.test().error is CancellationError)
  }
}
