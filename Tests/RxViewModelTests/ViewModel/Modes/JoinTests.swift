import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2, execution modes: `join`
@Suite(.asyncEffects) struct JoinTests {
  private let scheduler = TestScheduler()
  private let subject = PublishSubject<String>()
  private let started = Locked(0)

  /// An action that adds what the subject sends.
  private func step(_ name: String) -> Step {
    Step(name, spins: true) { [subject, started] in
      started.increment()
      return subject.mutate { $0.append($1) }
    }
  }

  /// The results of one `perform` for each action.
  private func results(_ screen: Screen, _ names: [String], _ script: () -> Void) -> [String] {
    let results = Locked<[String]>([])
    scheduler.run {
      for name in names {
        _ = Observable.task { [step = step(name)] in try await screen.perform(step, mode: .join("token")) }
          .subscribe(
            onNext: { state in results.append("\(name): \(state.joined())") },
            onError: { error in results.append("\(name): \(error)") })
      }
    }
    script()
    scheduler.run()
    return results.value
  }

  // The joined one counts as unfinished, but isn't the next to start.
  @Test func aLimitedActionStartsBesideAJoinedOne() {
    let screen = Screen(scheduler: scheduler)
    for name in ["a", "b"] { screen.execute(step(name), mode: .join("token")) }
    screen.execute(Step("c"), mode: .parallel("token", limit: 3))
    scheduler.run()
    #expect(screen.currentState == ["c"])
  }

  @Test func allGetTheSameState() {
    let screen = Screen(scheduler: scheduler)
    let steps = screen.steps()
    let results = results(screen, ["a", "b", "c"]) {
      subject.onNext("x")
      subject.onCompleted()
    }
    #expect(started.value == 1)
    #expect(results == ["a: x", "b: x", "c: x"])
    #expect(
      steps.values == [
        "a started", "b waiting", "c waiting", "a emitted", "a completed", "b completed", "c completed",
      ])
  }

  // The error streams emit it once, and `handleError` gets it once.
  @Test func allGetTheSameErrorWhichIsReportedOnce() {
    let screen = Screen(scheduler: scheduler)
    let errors = screen.actionAndErrorObservable.map { "\($0.action!) \($0.error)" }.test()
    #expect(results(screen, ["a", "b"]) { subject.onError(Offline()) } == ["a: Offline()", "b: Offline()"])
    #expect(errors.values == ["a Offline()"])
    #expect(screen.handled.value == ["Offline() of a"])
  }

  // contract 2.14: the `perform` of the one that has joined throws it.
  @Test(arguments: [false, true]) func anErrorThatOnlyAJoinedPerformThrowsIsObserved(_ isPerformed: Bool) {
    let (diagnosed, thrown) = (Locked(0), Locked(0))
    let model = ClosureViewModel<String, Int>(0, scheduler: scheduler) { [subject] _, _ in
      subject.mutate { state, _ in state += 1 }
    } overrides: {
      $0.diagnose = { _, _ in diagnosed.increment() }
    }
    model.execute("a", mode: .join)
    scheduler.run {
      if isPerformed {
        _ = Observable.task { try await model.perform("b", mode: .join) }.subscribe(onError: { _ in thrown.increment() }
        )
      }
    }
    subject.onError(Offline())
    scheduler.run()
    #expect(thrown.value == (isPerformed ? 1 : 0))
    #expect(diagnosed.value == (isPerformed ? 0 : 1))
  }

  // The one that is next has its place already, so the turn of the lane's waiting action doesn't start it, too.
  @Test func theNextOneStartsOnceBesideAnActionThatWaits() {
    let screen = Screen(scheduler: scheduler)
    let steps = screen.steps()
    for (name, mode) in [("s", .sequence("token")), ("a", .join("token"))] as [(String, ExecutionMode)] {
      screen.execute(step(name), mode: mode)
    }
    screen.execute(step("t"), mode: .sequence("token"))
    screen.execute(step("b"), mode: .join("token"))
    scheduler.run()
    screen.cancelActions { $0.name == "s" || $0.name == "a" }
    scheduler.run()
    #expect(started.value == 4)
    #expect(steps.values.filter { $0 == "b started" }.count == 1)
    subject.onNext("x")
    scheduler.run()
    #expect(screen.currentState == ["x", "x"])
  }

  // A screen that closes doesn't end what others wait for. Loading lasts.
  @Test func theNextOneStartsInPlaceOfACancelledOne() {
    let screen = Screen(scheduler: scheduler)
    let loading = screen.isLoadingObservable.test()
    let results = results(screen, ["a", "b", "c"]) {
      screen.cancelActions { $0.name == "a" }
      scheduler.run()
      #expect(started.value == 2)
      subject.onNext("x")
      subject.onCompleted()
    }
    #expect(results == ["a: CancellationError()", "b: x", "c: x"])
    #expect(started.value == 2)
    #expect(loading.values == [false, true, false])
  }

  @Test func oneThatHasJoinedCanBeCancelledAlone() {
    let screen = Screen(scheduler: scheduler)
    let results = results(screen, ["a", "b", "c"]) {
      screen.cancelActions { $0.name == "b" }
      scheduler.run()
      subject.onNext("x")
      subject.onCompleted()
    }
    #expect(results == ["b: CancellationError()", "a: x", "c: x"])
    #expect(started.value == 1)
  }

  @Test func theOneThatTakesThePlaceMayBeCancelledBeforeItStarts() {
    let screen = Screen(scheduler: scheduler)
    let bag = DisposeBag()
    screen.at("a cancelled", in: bag) { [weak screen] in screen?.cancelActions { $0.name == "b" } }
    let results = results(screen, ["a", "b", "c"]) {
      screen.cancelActions { $0.name == "a" }
      scheduler.run()
      subject.onNext("x")
      subject.onCompleted()
    }
    #expect(results == ["a: CancellationError()", "b: CancellationError()", "c: x"])
    #expect(started.value == 2)
  }

  @Test func actionsWithOtherKeysRunSideBySide() {
    let screen = Screen(scheduler: scheduler)
    for (name, key) in [("a", "1"), ("b", "2"), ("c", "1"), ("d", "2")] {
      screen.execute(step(name), mode: .join("token", key: key))
    }
    scheduler.run()
    #expect(started.value == 2)
    subject.onNext("x")
    subject.onCompleted()
    scheduler.run()
    #expect(screen.currentState == ["x", "x"])
  }

  // In a named lane, the other modes treat it as any unfinished action.
  @Test func anotherModeOfTheLane() {
    let screen = Screen(scheduler: scheduler)
    let fates = screen.fates()
    for name in ["a", "b"] { screen.execute(step(name), mode: .join("token")) }
    screen.execute(step("c"), mode: .dropWhileBusy("token"))
    screen.execute(Step("d"), mode: .sequence("token"))
    scheduler.run()
    screen.execute(step("e"), mode: .join("token"))
    screen.execute(Step("f"), mode: .switchLatest("token"))
    scheduler.run()
    #expect(
      fates.values == [
        "a started", "c dropped", "a cancelled", "b cancelled", "d cancelled", "e cancelled", "f started",
        "f completed",
      ])
  }

  @Test func afterTheEndTheNextOneStarts() {
    let screen = Screen(scheduler: ImmediateScheduler())
    for name in ["a", "b"] { screen.execute(Step(name), mode: .join) }
    #expect(screen.currentState == ["a", "b"])
  }
}
