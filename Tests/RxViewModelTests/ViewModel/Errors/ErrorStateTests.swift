import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.7: the mapper that `stateMapper(for:action:)` returns for an action's error
struct ErrorStateTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()

  private static let message: FailingScreen.Fold = { error, action in { $0 + ["\(error) of \(action.name)"] } }

  private func journal(of step: Step, on screen: FailingScreen) -> [String] {
    screen.journal(in: bag)
    screen.execute(step)
    scheduler.run()
    return screen.told.value
  }

  private static let lines = [
    "loading true", "a started", "state [\"oops of a\"]", "a made [\"oops of a\"]", "a emitted [\"oops of a\"]",
    "handle oops of a", "error oops", "a failed with oops", "a failed: oops", "loading false",
  ]

  // For errors of each origin. ExplorerTests runs them in every mode.
  @Test func theErrorIsFoldedBeforeItIsReported() {
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
      #expect(journal(of: step, on: screen) == Self.lines)
    }
  }

  // The mapper may change a copy, as that of an effect does.
  @Test(arguments: [true, false]) func aMapperThatMutates(throwing: Bool) {
    let screen = FailingScreen(scheduler: scheduler) { error, action in
      mutate {
        $0.append("\(error) of \(action.name)")
        if throwing { throw TestError("second") }
      }
    }
    let errors = screen.errorObservable.map { "\($0)" }.test()
    screen.execute(.failing("a", TestError("oops")))
    scheduler.run()
    #expect(screen.currentState == (throwing ? [] : ["oops of a"]))
    #expect(errors.values == (throwing ? ["oops", "second"] : ["oops"]))
  }

  // The default leaves the state as it is.
  @Test func aHandledErrorIsFoldedTooAndAnErrorWithoutAMapperIsNot() {
    let screen = FailingScreen(scheduler: scheduler, handlesErrors: true, fold: Self.message)
    let lines = Self.lines.filter { $0 != "error oops" && $0 != "a failed with oops" }
    #expect(journal(of: .failing("a", spins: true), on: screen) == lines)
    #expect(
      journal(of: .failing("a"), on: FailingScreen(scheduler: scheduler)) == [
        "a started", "handle oops of a", "error oops", "a failed with oops", "a failed: oops",
      ])
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

  // contract 2.7: an action may be cancelled until the view model calls `handleError`
  @Test(arguments: [("emitted", ["a cancelled"]), ("handled", ["a failed"])])
  func aCancellationInsideHandleErrorIsTooLate(place: String, expected: [String]) {
    let cancel: @Sendable (RxViewModel<String, Int>) -> Void = { $0.cancelActions { _ in true } }
    let model = ClosureViewModel<String, Int>(0, scheduler: scheduler) { overrides in
      overrides.effect = { _, _ in .error(TestError()) }
      overrides.errorMapper = { _, _, _ in { $0 + 1 } }
      overrides.handles = { model, _, _ in
        if place == "handled" { cancel(model) }
        return true
      }
    }
    let ends = model.ends()
    if place == "emitted" { model.at("a emitted", in: bag) { [weak model] in model.map(cancel) } }
    model.execute("a")
    scheduler.run()
    #expect(ends.values == expected)
    #expect(model.currentState == 1)
  }

  // contract 2.10, 2.14: `perform` throws the action's own error, and no subscriber receives the mapper's.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func performThrowsTheActionsOwnError() {
    for (error, lost) in [(TestError("mapper"), ["unobserved mapper of a"]), (CancellationError(), [])]
      as [(any Error, [String])]
    {
      let screen = FailingScreen(scheduler: scheduler) { _, _ in { _ in throw error } }
      #expect(throws: TestError("oops")) { try scheduler.perform(.failing("a"), on: screen) }
      #expect(screen.diagnostics == lost)
    }
  }
}
