import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.14
struct DiagnosticTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()

  // Neither a subscriber of `executionObservable` nor a log receives errors, and no task awaits an action in a scope.
  @Test func anErrorWithoutASubscriberIsDiagnosedOnce() {
    let screen = FailingScreen(scheduler: scheduler)
    screen.executionObservable.subscribe { _ in }.disposed(by: bag)
    screen.log { _ in }.disposed(by: bag)
    screen.execute(.failing("a"))
    screen.execute(.failing("b"), in: bag)
    Observable<Step>.error(TestError("aah")).execute(on: screen).disposed(by: bag)
    scheduler.run()
    #expect(
      screen.told.value == ["oops of a", "oops of b", "aah of none"].flatMap { ["handle \($0)", "unobserved \($0)"] })
  }

  @Test func aSubscriberOfEitherErrorStreamCounts() {
    let either: [(FailingScreen) -> any Disposable] = [
      { $0.errorObservable.subscribe { _ in } }, { $0.actionAndErrorObservable.subscribe { _ in } },
    ]
    for subscribe in either {
      let screen = FailingScreen(scheduler: scheduler)
      let subscription = subscribe(screen)
      for expected in [[], ["unobserved oops of a"]] {
        screen.execute(.failing("a"))
        scheduler.run()
        #expect(screen.diagnostics == expected)
        subscription.dispose()
      }
    }
  }

  // `diagnose` may execute an action. After `clear()` that action does nothing, and is not diagnosed itself.
  @Test func diagnoseMayExecuteAnAction() {
    let late = Locked<[String]>([])
    let screen = ClosureViewModel<String, [String]>([], scheduler: scheduler) { _, action in
      action == "bad" ? .error(TestError("oops")) : .mutate { $0.append(action) }
    } overrides: {
      $0.diagnose = { screen, diagnostic in
        if case .executedAfterClear(let action) = diagnostic { late.mutate { $0.append(action) } }
        screen.execute("told")
      }
    }
    screen.execute("bad")
    scheduler.run()
    #expect(screen.currentState == ["told"])
    screen.clear()
    screen.execute("late")
    screen.execute("later")
    #expect(late.value == ["late", "later"])
  }

  @Test func aFeatureViewModelPassesItsDiagnosticsOn() {
    let seen = Locked<[String]>([])
    let viewModel = FeatureViewModel(FailingFeature(), initialState: 0, scheduler: scheduler) { diagnostic in
      seen.mutate { $0.append("\(diagnostic)") }
    }
    viewModel.execute("save")
    scheduler.run()
    #expect(seen.value == ["save failed, and no subscriber received its error: oops"])
  }

  #if DEBUG && !OPTIMIZED_LIBRARY && (os(macOS) || os(Linux))
    @Test(.ownThread) func aFeatureViewModelMayBeSilent() async {
      let silent = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        FailingFeature.fail(diagnose: { _ in })
      }
      #expect(silent?.standardErrorContent.isEmpty == true)
      let loud = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        FailingFeature.fail(diagnose: nil)
      }
      #expect(loud?.standardErrorContent.isEmpty == false)
    }
  #endif

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func neitherAHandledErrorNorAnErrorThatPerformThrowsIsDiagnosed() {
    let screens = [false, true].map { FailingScreen(scheduler: scheduler, handlesErrors: $0) }
    #expect(throws: TestError("oops")) { try scheduler.perform(.failing("a"), on: screens[0]) }
    screens[1].execute(.failing("a"))
    scheduler.run()
    #expect(screens.map(\.diagnostics) == [[], []])
  }

  // contract 2.6: a cancellation is no error, also at the end of a stream of actions
  @Test func cancellationIsNotDiagnosed() {
    let screen = FailingScreen(scheduler: scheduler)
    screen.execute(.failing("a", CancellationError()))
    Observable<Step>.error(CancellationError()).execute(on: screen).disposed(by: bag)
    scheduler.run()
    #expect(screen.told.value == [])
  }

  // Each form of `execute` calls `diagnose` on the calling thread, before it returns. The actions that `clear` ends are not diagnosed.
  @Test func anActionAfterClear() {
    let screen = FailingScreen(scheduler: scheduler)
    screen.execute(Step("running", on: Observable<Int>.never()))
    scheduler.run()
    screen.execute(Step("queued"))
    screen.clear()
    scheduler.run()
    var expected: [String] = []
    let forms: [([String], () -> Void)] = [
      (["a"], { screen.execute(Step("a")) }),
      (["b"], { screen.execute(Step("b"), mode: .sequence) }),
      (["c", "d"], { screen.executeInSequence(Step("c"), Step("d")) }),
      (["e"], { screen.execute(Step("e"), in: bag) }),
      (["f"], { Observable.just(Step("f")).execute(on: screen).disposed(by: bag) }),
    ]
    for (names, execute) in forms {
      execute()
      expected += names.map { "\($0) after clear" }
      #expect(screen.told.value == expected)
    }
  }

  @Test func anActionInTheScopeThatClearHasEnded() {
    let (scope, refused) = (Locked<DisposeBag?>(nil), Locked<[Int]>([]))
    let screen = ClosureViewModel<Int, Int>(0, scheduler: scheduler) {
      $0.effect = { _, _ in .unchanged() }
      $0.resumed = { _, bag in scope.mutate { $0 = bag } }
      $0.diagnose = { _, diagnostic in
        if case .executedAfterClear(let action) = diagnostic { refused.mutate { $0.append(action) } }
      }
    }
    screen.didResume()
    scheduler.run()
    screen.clear()
    screen.execute(1, in: scope.value!)
    #expect(refused.value == [1])
  }

  @Test func performRetryAndPropertiesAreNotDiagnosedAfterClear() async {
    let screen = FailingScreen(scheduler: scheduler)
    let pairs = screen.actionAndErrorObservable.test()
    let property = screen.property(\.count, set: { Step("\($0)") })
    screen.execute(.failing("a"))
    scheduler.run()
    screen.clear()
    pairs.values[0].retry()
    property.value = 3
    await #expect(throws: CancellationError.self) { try await screen.perform(Step("b")) }
    scheduler.run()
    #expect(screen.diagnostics == [])
  }

  #if os(Linux) || os(macOS)
    // The default: one line in debug builds, nothing in release builds.
    @Test(.ownThread) func theDefaultIsOneLineInDebugBuilds() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let screen = ReportingScreen(scheduler: ImmediateScheduler())
        screen.execute(.failing("login"))
        screen.clear()
        screen.execute(Step("again"))
      }
      #expect(
        reports(result)
          == inDebugBuilds(
            "RxViewModel: ReportingScreen: login failed, and no subscriber received its error: oops",
            "RxViewModel: ReportingScreen: again was executed after clear(), so it does nothing"))
    }

    // contract 2.9: the subscription to the stream is disposed, and a debug build writes one line.
    @Test(.ownThread) func aStreamThatExecutesOnAReleasedViewModel() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (actions, disposed, bag) = (PublishSubject<Step>(), Locked(0), DisposeBag())
        var screen: Screen? = Screen(scheduler: TestScheduler())
        actions.do(onDispose: { disposed.mutate { $0 += 1 } }).execute(on: screen!).disposed(by: bag)
        screen = nil
        actions.onNext(Step("a"))
        #expect((actions.hasObservers, disposed.value) == (false, 1))
        actions.onNext(Step("b"))
        #expect(disposed.value == 1)
      }
      let report = "RxViewModel: Screen: a stream executed an action after the view model was released"
      #expect(reports(result) == inDebugBuilds(report))
    }
  #endif
}

/// Does not override `diagnose`.
private final class ReportingScreen: RxViewModel<Step, [String]>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: Step) -> Effect {
    do { return try action.effect() } catch { return .error(error) }
  }
}

private struct FailingFeature: Feature {
  func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
    .error(TestError("oops"))
  }

  static func fail(diagnose report: (@Sendable (ViewModelDiagnostic<String>) -> Void)?) {
    let scheduler = TestScheduler()
    let viewModel = FeatureViewModel(Self(), initialState: 0, scheduler: scheduler, diagnose: report)
    viewModel.execute("save")
    scheduler.run()
  }

  // The end of the view model inside `diagnose` doesn't end that call of `diagnose`.
  @Test func diagnoseMayClearAndExecuteAnAction() {
    let (context, told) = (Locked<FeatureContext<LateFeature>?>(nil), Locked<[String]>([]))
    let held = Locked<FeatureViewModel<LateFeature>?>(nil)
    let viewModel = FeatureViewModel(LateFeature(context: context), initialState: 0, scheduler: ImmediateScheduler()) {
      diagnostic in
      told.mutate { $0.append("\(diagnostic)") }
      held.value?.clear()
      held.value?.execute("within")
    }
    held.mutate { $0 = viewModel }
    viewModel.execute("first")
    // Its action has ended.
    _ = context.value!.execute("late").subscribe { _ in }
    #expect(told.value.count == 1)
    held.mutate { $0 = nil }
  }

  // A task that `diagnose` starts is not inside `diagnose`.
  @Test(.ownThread) func aTaskThatDiagnoseStartsIsDiagnosed() async {
    let (late, done) = (Locked<[String]>([]), Signal())
    let screen = ClosureViewModel<String, [String]>([]) { _, _ in
      .empty()
    } overrides: {
      $0.diagnose = { screen, diagnostic in
        guard case .executedAfterClear(let action) = diagnostic else { return }
        late.mutate { $0.append(action) }
        if action != "late" { return }
        screen.execute("within")
        Task {
          screen.execute("task")
          done.fire()
        }
      }
    }
    screen.clear()
    screen.execute("late")
    #expect(await onThread { done.wait() })
    #expect(late.value == ["late", "task"])
  }
}

/// Keeps the context of its last action.
private struct LateFeature: Feature {
  typealias Action = String
  let context: Locked<FeatureContext<LateFeature>?>

  func createObservable(_ action: String, context: FeatureContext<LateFeature>) -> Observable<StateMapper<Int>> {
    self.context.mutate { $0 = context }
    return .mutate { $0 += 1 }
  }
}
