import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.7: the mapper that `stateMapper(for:action:)` returns for an action's error
@Suite struct ErrorStateTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()

  private static let message: FailingScreen.Fold = { error, action in { $0 + ["\(error) of \(action.name)"] } }

  private func journal(of step: Step, on screen: FailingScreen, mode: ExecutionMode? = nil) -> [String] {
    screen.journal(in: bag)
    if let mode { screen.execute(step, mode: mode) } else { screen.execute(step) }
    scheduler.run()
    return screen.told.value
  }

  private static let lines = [
    "loading true", "a started", "state [\"oops of a\"]", "a made [\"oops of a\"]", "a emitted [\"oops of a\"]",
    "handle oops of a", "error oops", "a failed with oops", "a failed: oops", "loading false",
  ]

  // For errors of each origin, in every mode.
  @Test(arguments: [
    ExecutionMode.parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy,
    .switchLatest(after: .seconds(1)),
  ])
  func theErrorIsFoldedBeforeItIsReported(mode: ExecutionMode) {
    let fail: StateMapper<[String]> = { _ in throw TestError("oops") }
    let steps = [
      Step.failing("a", TestError("oops"), spins: true), Step("a", spins: true) { .just(fail) },
      Step("a", spins: true) { .of(fail, { $0 + ["late"] }) },
      Step("a", spins: true) { [scheduler] in
        Observable.timer(.seconds(1), scheduler: scheduler).map { _ in fail }
      },
    ]
    for step in steps {
      let screen = FailingScreen(scheduler: scheduler, fold: Self.message)
      #expect(journal(of: step, on: screen, mode: mode) == Self.lines)
    }
  }

  @Test func aHandledErrorIsFoldedToo() {
    let screen = FailingScreen(scheduler: scheduler, handlesErrors: true, fold: Self.message)
    let lines = Self.lines.filter { $0 != "error oops" && $0 != "a failed with oops" }
    #expect(journal(of: .failing("a", spins: true), on: screen) == lines)
  }

  @Test func theDefaultLeavesTheStateAsItIs() {
    let screen = FailingScreen(scheduler: scheduler)
    #expect(
      journal(of: .failing("a"), on: screen) == [
        "a started", "handle oops of a", "error oops", "a failed with oops", "a failed: oops",
      ])
  }

  @Test func theMapperForAnErrorIsTheLastOne() {
    let screen = FailingScreen(scheduler: scheduler, fold: Self.message)
    let step = Step("a") {
      Observable.of("one", "two").mutate { (state: inout [String], name) in state.append(name) }
        .concat(.error(TestError("oops")))
    }
    screen.execute(step)
    scheduler.run()
    #expect(screen.currentState == ["one", "two", "oops of a"])
  }

  // The mappers for errors of ordered actions are folded in order, too.
  @Test func theMapperForAnErrorWaitsForEarlierOrderedActions() {
    let (screen, gate) = (FailingScreen(scheduler: scheduler, fold: Self.message), PublishSubject<Int>())
    screen.execute(Step("a") { gate.mutate { state, _ in state.append("a") } }, mode: .parallelOrdered)
    screen.execute(.failing("b"), mode: .parallelOrdered)
    scheduler.run()
    #expect(screen.currentState == [])
    gate.onNext(1)
    gate.onCompleted()
    scheduler.run()
    #expect(screen.currentState == ["a", "oops of b"])
  }

  @Test func noMapperIsRequestedForACancellation() async {
    let asked = Locked<[String]>([])
    let screen = FailingScreen(scheduler: scheduler) { _, action in
      asked.mutate { $0.append(action.name) }
      return nil
    }
    screen.execute(.failing("a", CancellationError()))
    screen.execute(Step("b") { .just { _ in throw CancellationError() } })
    screen.execute(Step("c", on: Observable<Int>.never()))
    screen.cancelActions { $0.name == "c" }
    Observable<Step>.error(TestError()).execute(on: screen).disposed(by: bag)
    scheduler.run()
    #expect(asked.value == [])
    screen.execute(.failing("d"))
    scheduler.run()
    #expect(asked.value == ["d"])
  }

  // contract 2.6: the action fails once. Both errors are items, the action's own one first.
  @Test func aMapperForAnErrorThatThrows() {
    let calls = Locked(0)
    let screen = FailingScreen(scheduler: scheduler) { _, _ in
      calls.mutate { $0 += 1 }
      return { _ in throw TestError("mapper") }
    }
    #expect(
      journal(of: .failing("a"), on: screen) == [
        "a started", "handle oops of a", "error oops", "a failed with oops", "handle mapper of a", "error mapper",
        "a failed with mapper", "a failed: oops",
      ])
    #expect(calls.value == 1)
  }

  @Test func aMapperForAnErrorThatThrowsACancellationError() {
    let screen = FailingScreen(scheduler: scheduler) { _, _ in { _ in throw CancellationError() } }
    screen.execute(.failing("a"))
    scheduler.run()
    #expect(screen.told.value == ["handle oops of a", "unobserved oops of a"])
  }

  // contract 2.10, 2.14: `perform` throws the action's own error, and no subscriber receives the mapper's.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func performThrowsTheActionsOwnError() {
    let screen = FailingScreen(scheduler: scheduler) { _, _ in { _ in throw TestError("mapper") } }
    #expect(throws: TestError("oops")) { try scheduler.perform(.failing("a"), on: screen) }
    #expect(screen.diagnostics == ["unobserved mapper of a"])
  }

  @Test func theRestOfABatchIsDropped() {
    let screen = FailingScreen(scheduler: scheduler, fold: Self.message)
    screen.executeInSequence(Step("a"), .failing("b"), Step("c"))
    scheduler.run()
    #expect(screen.currentState == ["a", "oops of b"])
  }

  // MARK: Requests from inside

  enum Place: CaseIterable { case override, mapper }

  // contract 2.11: a cancellation comes before the fold.
  @Test(arguments: Place.allCases)
  func aCancellationFromInsideComesFirst(place: Place) {
    let box = Locked<FailingScreen?>(nil)
    let cancel: @Sendable () -> Void = { box.value?.cancelActions { $0.name == "a" } }
    let screen = FailingScreen(scheduler: scheduler) { _, _ in
      if place == .override { cancel() }
      return { state in
        if place == .mapper { cancel() }
        return state + ["folded"]
      }
    }
    box.mutate { $0 = screen }
    #expect(
      journal(of: .failing("a", spins: true), on: screen) == [
        "loading true", "a started", "a cancelled", "loading false",
      ])
    #expect(screen.currentState == [])
    // The next action does not get the discarded state.
    screen.execute(.failing("b"))
    scheduler.run()
    #expect(screen.currentState == ["folded"])
    box.mutate { $0 = nil }
  }

  // contract 2.8: an action comes after the end.
  @Test(arguments: Place.allCases)
  func anActionFromInsideComesAfterTheEnd(place: Place) {
    let box = Locked<FailingScreen?>(nil)
    let screen = FailingScreen(scheduler: scheduler) { _, _ in
      if place == .override { box.value?.execute(Step("b")) }
      return { state in
        if place == .mapper { box.value?.execute(Step("b")) }
        return state + ["folded"]
      }
    }
    box.mutate { $0 = screen }
    let lines = journal(of: .failing("a"), on: screen)
    #expect(
      lines.prefix(8) == [
        "a started", "state [\"folded\"]", "a made [\"folded\"]", "a emitted [\"folded\"]", "handle oops of a",
        "error oops",
        "a failed with oops", "a failed: oops",
      ])
    #expect(screen.currentState == ["folded", "b"])
    box.mutate { $0 = nil }
  }

  // contract 2.9
  @Test(arguments: Place.allCases)
  func clearFromInsideEndsEverything(place: Place) {
    let box = Locked<FailingScreen?>(nil)
    let screen = FailingScreen(scheduler: scheduler) { _, _ in
      if place == .override { box.value?.clear() }
      return { state in
        if place == .mapper { box.value?.clear() }
        return state + ["folded"]
      }
    }
    box.mutate { $0 = screen }
    #expect(journal(of: .failing("a"), on: screen) == ["a started"])
    #expect(screen.currentState == [])
    box.mutate { $0 = nil }
  }
}
