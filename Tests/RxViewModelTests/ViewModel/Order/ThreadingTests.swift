import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Adds one for each action, and counts the calls of user code that overlap.
private final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let inside = Locked(0)
  let overlaps = Locked(0)

  private func alone<Result>(_ body: () -> Result) -> Result {
    if inside.mutate({
      $0 += 1
      return $0
    }) > 1 {
      overlaps.mutate { $0 += 1 }
    }
    defer { inside.mutate { $0 -= 1 } }
    return body()
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    alone {
      let add: StateMapper<Int> = { [self] state in alone { state + 1 } }
      switch action % 3 {
      case 0: return .just(add)
      case 1: return .from([add])
      default: return .task { add }
      }
    }
  }

  override func showSpinner(_ action: Int) -> Bool {
    alone { action % 5 == 0 }
  }

  override func executionMode(for action: Int) -> ExecutionMode {
    alone { .parallel }
  }
}

@Suite struct ThreadingTests {
  // contract 2.1, 2.2: on serial and concurrent schedulers nothing overlaps, nothing is lost, each state follows the last
  @Test(arguments: ["own queue", "concurrent", "immediate"])
  func actionsFromManyThreadsNeitherOverlapNorGetLost(scheduler: String) async {
    let counter = Counter(
      scheduler: scheduler == "concurrent"
        ? DispatchQueue.global() : scheduler == "immediate" ? ImmediateScheduler() : nil)
    let (done, last, jumps, bag) = (Signal(), Locked(-1), Locked(0), DisposeBag())
    let total = 4 * 500
    counter.stateObservable.subscribe(onNext: { state in
      if last.mutate({ last in
        defer { last = state }
        return last
      }) != state - 1 {
        jumps.mutate { $0 += 1 }
      }
      if state == total { done.fire() }
    }).disposed(by: bag)
    await race(threads: 4) { _ in for number in 0..<500 { counter.execute(number) } }
    #expect(await onThread { done.wait() })
    #expect(counter.overlaps.value == 0)
    #expect(jumps.value == 0)
    #expect(counter.currentState == total)
    bag.dispose()
  }

  // contract 2.2: calls from one thread keep their order
  @Test func actionsOfOneThreadKeepTheirOrder() async {
    final class Log: RxViewModel<Int, [Int]>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> [Int] { [] }
      override func createObservable(_ action: Int) -> Effect { .mutate { $0.append(action) } }
    }
    let (log, done) = (Log(), Signal())
    for number in 0..<2_000 { log.execute(number) }
    let subscription = log.stateObservable.subscribe(onNext: { if $0.count == 2_000 { done.fire() } })
    #expect(await onThread { done.wait() })
    #expect(log.currentState == Array(0..<2_000))
    subscription.dispose()
  }

  // contract 2.2: never inline on the caller's stack, also from inside the view model's own work
  @Test func executeReturnsBeforeTheActionStarts() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let inner = Locked<[String]>([])
    screen.execute(
      Step("a") {
        screen.execute(Step("b"))
        inner.mutate { $0 = screen.currentState }
        return .mutate { state in
          screen.execute(Step("c"))
          state.append("a")
        }
      })
    #expect(screen.currentState == [])
    scheduler.run()
    #expect(inner.value == [])
    #expect(screen.currentState == ["a", "b", "c"])
  }

  // contract 1.6, 2.8: a chain of 100,000 actions on a small stack, each executed from the callback of the one before
  @Test(.stress) func aHundredThousandActionsNeedNoStack() async {
    let end = await onThread(stackSize: smallStack) {
      let counter = Counter(scheduler: ImmediateScheduler())
      let subscription = counter.stateObservable.subscribe(onNext: { if $0 < 100_000 { counter.execute(0) } })
      subscription.dispose()
      return counter.currentState
    }
    #expect(end == 100_000)
  }

  // contract 1.3, 2.2: inputs and `currentState` never wait for user code
  @Test func inputsDoNotWaitForAMapper() async {
    let screen = Screen()
    let (inside, go, done) = (Signal(), Signal(), Signal())
    screen.execute(
      Step("a") {
        .mutate { state in
          inside.fire()
          _ = go.wait()
          state.append("a")
        }
      })
    let subscription = screen.stateObservable.subscribe(onNext: { if $0 == ["a", "b"] { done.fire() } })
    let wasFree = await onThread {
      guard inside.wait() else { return false }
      screen.execute(Step("b"))
      screen.cancelActions { $0.name == "c" }
      let isInitial = screen.currentState == []
      go.fire()
      return isInitial
    }
    #expect(wasFree)
    #expect(await onThread { done.wait() })
    subscription.dispose()
  }

  // contract 2.9: a view model is released at any point of an action's life, from any thread
  @Test func aViewModelIsReleasedAtAnyPoint() async {
    let lifetimes = Lifetimes()
    await race(threads: 4) { thread in
      for number in 0..<300 {
        let screen = Screen(tracker: lifetimes.make())
        let subscription = screen.stateObservable.subscribe { _ in _ = screen.currentState }
        screen.execute(Step("a") { Observable.task { 1 }.mutate { state, _ in state.append("a") } })
        if number % 2 == 0 { screen.execute(Step("b", spins: true)) }
        if number % 3 == 0 { screen.clear() }
        subscription.dispose()
      }
    }
    #expect(await onThread { lifetimes.waitForNone() })
  }
}
