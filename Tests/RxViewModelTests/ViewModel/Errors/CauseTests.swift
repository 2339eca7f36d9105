import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// What an action of the table does.
private enum Deed: Sendable, Equatable {
  case never, add, fail, failLater, resign
  /// In the mapper.
  case throwEarly, resignEarly
  /// For a part: cancels its endless actions, executes an action for another part, or executes one for itself and then removes the part.
  case cancelEndless, executeStray, executeAndLeave
  /// For a part: stands for an action of another part.
  case stray
}

private enum Act: Sendable, Equatable {
  case own(Deed)
  case part(Deed)
  case absent(Deed)
  case remove
}

private struct Parts: Sendable, Equatable {
  var count = 0
  var part: PartFeature.State? = .init()
  var absent: PartFeature.State?
}

private struct PartFeature: Feature {
  struct State: Sendable, Equatable { var count = 0 }

  func createObservable(_ action: Deed, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .never, .stray: return .never()
    case .add: return .mutate { $0.count += 1 }
    case .fail, .failLater, .throwEarly: return .error(Offline())
    case .resign, .resignEarly: return .error(CancellationError())
    case .cancelEndless:
      context.cancel { $0 == .never }
      return .unchanged()
    case .executeAndLeave:
      for _ in 0..<2 { context.execute(.add) }
      return .unchanged()
    case .executeStray: return context.execute(.stray)
    }
  }
}

/// One way in which an action ends.
private struct Ending: Sendable, CustomTestStringConvertible {
  typealias Model = ClosureViewModel<Act, Parts>

  let testDescription: String
  /// The steps of all actions, except `emitted`.
  let steps: [String]
  let script: @Sendable (Model, TestScheduler) -> Void

  init(_ name: String, _ steps: [String], _ script: @escaping @Sendable (Model, TestScheduler) -> Void) {
    (testDescription, self.steps, self.script) = (name, steps, script)
  }

  static let all = [
    Ending("it completes", ["#1 started", "#1 completed"]) { model, _ in model.execute(.own(.add)) },
    Ending("it fails", ["#1 started", "#1 failed"]) { model, _ in model.execute(.own(.fail)) },
    Ending("a mapper throws", ["#1 started", "#1 failed"]) { model, _ in model.execute(.own(.throwEarly)) },
    Ending("a mapper resigns", ["#1 started", "#1 cancelled (by a CancellationError)"]) { model, _ in
      model.execute(.own(.resignEarly))
    },
    Ending("its effect resigns", ["#1 started", "#1 cancelled (by a CancellationError)"]) { model, _ in
      model.execute(.own(.resign))
    },
    Ending("cancelActions, queued", ["#1 cancelled (by request)"]) { model, _ in
      model.execute(.own(.never))
      model.cancelActions { _ in true }
    },
    Ending(
      "cancelActions, running and waiting",
      [
        "#1 started", "#2 waiting (busy with #1)", "#3 waiting (busy with #2)", "#1 cancelled (by request)",
        "#2 cancelled (by request)", "#3 started (waited for #1)", "#3 completed",
      ]
    ) { model, scheduler in
      for deed: Deed in [.never, .never, .add] { model.execute(.own(deed), mode: .sequence) }
      scheduler.run()
      model.cancelActions { $0 == .own(.never) }
    },
    Ending("its task is cancelled", ["#1 started", "#1 cancelled (with its task)"]) { model, scheduler in
      scheduler.run {
        let task = Observable.task { try await model.perform(.own(.never)) }.subscribe()
        scheduler.run()
        task.dispose()
      }
    },
    Ending(
      "its task is cancelled, waiting",
      ["#1 started", "#2 waiting (busy with #1)", "#2 cancelled (with its task)"]
    ) { model, scheduler in
      model.execute(.own(.never), mode: .sequence)
      scheduler.run {
        let task = Observable.task { try await model.perform(.own(.add), mode: .sequence) }.subscribe()
        scheduler.run()
        task.dispose()
      }
    },
    Ending("its resume ends", ["#1 started", "#1 cancelled (with its bag)"]) { model, scheduler in
      model.didResume()
      scheduler.run()
      model.didPause()
    },
    Ending("its bag is disposed", ["#1 started", "#1 cancelled (with its bag)"]) { model, scheduler in
      let bag = DisposeBag()
      model.execute(.own(.never), in: bag)
      scheduler.run()
      bag.dispose()
    },
    Ending(
      "another effect cancels it",
      ["#1 started", "#2 started", "#2 completed", "#1 cancelled (by the effect of #2)"]
    ) { model, _ in
      model.execute(.part(.never))
      model.execute(.part(.cancelEndless))
    },
    Ending(
      "superseded, running", ["#1 started", "#1 cancelled (superseded by #2)", "#2 started", "#2 completed"]
    ) { model, _ in
      for deed: Deed in [.never, .add] { model.execute(.own(deed), mode: .switchLatest) }
    },
    Ending(
      "superseded, debounced",
      [
        "#1 waiting (debounced)", "#1 cancelled (superseded by #2)", "#2 waiting (debounced)", "#2 started",
        "#2 completed",
      ]
    ) { model, _ in
      for deed: Deed in [.never, .add] { model.execute(.own(deed), mode: .switchLatest(after: .seconds(1))) }
    },
    Ending(
      "superseded, debounced, by one that starts",
      [
        "#1 waiting (debounced)", "#1 cancelled (superseded by #2)", "#2 started", "#2 completed",
      ]
    ) { model, _ in
      model.execute(.own(.never), mode: .keepLatest(after: .seconds(1)))
      model.execute(.own(.add), mode: .keepLatest)
    },
    Ending(
      "superseded, waiting",
      [
        "#1 started", "#2 waiting (busy with #1)", "#2 cancelled (superseded by #3)", "#3 waiting (busy with #1)",
        "#1 cancelled (by request)", "#3 started (waited for #1)", "#3 completed",
      ]
    ) { model, scheduler in
      for deed: Deed in [.never, .add, .add] { model.execute(.own(deed), mode: .keepLatest) }
      scheduler.run()
      model.cancelActions { $0 == .own(.never) }
    },
    // The second one ends in the step in which it starts.
    Ending(
      "each waits for the one before",
      [
        "#1 started", "#2 waiting (busy with #1)", "#3 waiting (busy with #2)", "#1 cancelled (by request)",
        "#2 started (waited for #1)", "#2 completed", "#3 started (waited for #2)", "#3 completed",
      ]
    ) { model, scheduler in
      for deed: Deed in [.never, .add, .add] { model.execute(.own(deed), mode: .sequence) }
      scheduler.run()
      model.cancelActions { $0 == .own(.never) }
    },
    Ending(
      "behind a debounce",
      [
        "#1 waiting (debounced)", "#2 waiting (busy with #1)", "#1 started", "#1 completed",
        "#2 started (waited for #1)", "#2 completed",
      ]
    ) { model, _ in
      model.execute(.own(.add), mode: .switchLatest("x", after: .seconds(1)))
      model.execute(.own(.add), mode: .sequence("x"))
    },
    Ending(
      "joined, and fails", ["#1 started", "#2 waiting (joined #1)", "#1 failed", "#2 failed (joined #1)"]
    ) { model, scheduler in
      for _ in 0..<2 { model.execute(.own(.failLater), mode: .join) }
    },
    Ending(
      "joined, and completes",
      [
        "#1 started", "#2 waiting (joined #1)", "#3 waiting (joined #1)", "#1 cancelled (by request)",
        "#2 started (waited for #1)", "#2 completed", "#3 completed (joined #2)",
      ]
    ) { model, scheduler in
      for deed: Deed in [.never, .add, .add] { model.execute(.own(deed), mode: .join) }
      scheduler.run()
      model.cancelActions { $0 == .own(.never) }
    },
    Ending(
      "another effect cancels one that has joined",
      [
        "#1 started", "#2 waiting (joined #1)", "#3 started", "#3 completed", "#1 cancelled (by the effect of #3)",
        "#2 cancelled (by the effect of #3)",
      ]
    ) { model, _ in
      for _ in 0..<2 { model.execute(.part(.never), mode: .join) }
      model.execute(.part(.cancelEndless))
    },
    Ending("its child is removed", ["#1 started", "#2 started", "#2 completed", "#1 cancelled (with its child)"]) {
      model, _ in
      model.execute(.part(.never))
      model.execute(.remove)
    },
    Ending(
      "its child is removed before its turn",
      [
        "#1 started", "#1 completed", "#2 cancelled (with its child)", "#3 cancelled (with its child)",
      ]
    ) { model, _ in model.execute(.part(.executeAndLeave)) },
    Ending(
      "its child is removed before a retry",
      [
        "#1 started", "#1 failed", "#2 started", "#2 failed", "#3 started", "#3 completed",
        "#4 dropped (with its child)",
      ]
    ) { model, scheduler in
      let failures = model.actionAndErrorObservable.test()
      // The view model keeps the second failure, and no longer the first with its child.
      for act: Act in [.part(.fail), .own(.fail), .remove] { model.execute(act) }
      scheduler.run()
      failures.values.first?.retry()
    },
    Ending("its child is absent", ["#1 dropped (no PartFeature at \\Parts.absent)"]) { model, _ in
      model.execute(.absent(.add))
    },
    Ending("a child executes it for another", ["#1 started", "#1 completed", "#2 dropped (executed by another child)"])
    {
      model, _ in model.execute(.part(.executeStray))
    },
    Ending("its lane is busy", ["#1 started", "#2 dropped (busy with #1)"]) { model, _ in
      for deed: Deed in [.never, .add] { model.execute(.own(deed), mode: .dropWhileBusy) }
    },
    Ending(
      "its batch is stopped, queued and waiting",
      [
        "#1 started", "#2 waiting (busy with #1)", "#3 waiting (busy with #2)", "#1 cancelled (by request)",
        "#2 dropped (its batch was stopped by #1)", "#3 dropped (its batch was stopped by #1)", "#4 started",
        "#4 failed", "#5 dropped (its batch was stopped by #4)",
      ]
    ) { model, scheduler in
      model.executeInSequence(.own(.never), .own(.add), .own(.add))
      scheduler.run()
      model.cancelActions { $0 == .own(.never) }
      scheduler.run()
      model.executeInSequence(.own(.fail), .own(.add))
    },
    Ending("the view model is cleared", ["#1 started", "#2 waiting (busy with #1)"]) { model, scheduler in
      for deed: Deed in [.never, .add] { model.execute(.own(deed), mode: .sequence) }
      scheduler.run()
      model.clear()
    },
  ]
}

// contract 2.5: every way in which an action can end, with its cause
@Suite(.asyncEffects) struct CauseTests {
  @Test(arguments: Ending.all) fileprivate func anActionEndsWithItsCause(ending: Ending) {
    let scheduler = TestScheduler()
    let model = ClosureViewModel<Act, Parts>(Parts(), scheduler: scheduler) { _, action in
      switch action {
      case .own(.add): .mutate { $0.count += 1 }
      case .own(.fail): .error(Offline())
      case .own(.throwEarly): .mutate { _ in throw Offline() }
      case .own(.resignEarly): .mutate { _ in throw CancellationError() }
      case .own(.failLater): Observable.timer(.seconds(1), scheduler: scheduler).mutate { _, _ in throw Offline() }
      case .own(.resign): .error(CancellationError())
      case .remove: .mutate { $0.part = nil }
      default: .never()
      }
    } overrides: {
      $0.resumed = { $0.execute(.own(.never), in: $1) }
      $0.child = { _, action in
        switch action {
        case .part(let deed):
          let child = ChildAction<Act, Parts>(
            PartFeature(), deed, at: \.part, as: { $0 == .stray ? .absent(.add) : .part($0) })
          return deed == .executeAndLeave ? child.updating { $0.part = nil } : child
        case .absent(let deed): return .init(PartFeature(), deed, at: \.absent, as: Act.absent)
        default: return nil
        }
      }
    }
    let steps = Locked<[String]>([])
    let subscription = model.executionObservable.subscribe(onNext: { step in
      if case .emitted = step.phase { return }
      let name = "\(step.phase)".prefix { $0.isLetter }
      steps.append("#\(step.id) \(name)" + (step.cause.map { " (\($0))" } ?? ""))
    })
    ending.script(model, scheduler)
    scheduler.run()
    #expect(steps.value == ending.steps)
    subscription.dispose()
    model.clear()
  }

  // A subscriber cancels the second one while its start is announced.
  @Test func theThirdWaitsForTheSecondEvenIfThatEndsInItsStart() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let steps = screen.executionObservable.test()
    let cancelling = screen.executionObservable.filter { $0.id == 2 && $0.phase == .started }
      .subscribe(onNext: { [weak screen] _ in screen?.cancelActions { $0 == Step("b") } })
    for name in ["a", "b", "c"] { screen.execute(Step(name) { .never() }, mode: .sequence) }
    scheduler.run()
    screen.cancelActions { $0 == Step("a") }
    scheduler.run()
    #expect(steps.values.map { "\($0.id) \($0.phase)" }.last == "3 started")
    #expect(steps.values.last?.cause == .waited(for: 2))
    cancelling.dispose()
  }

  // One call cancels both that run.
  @Test func theThirdOfALimitWaitsForTheFirstThatEnds() {
    let scheduler = TestScheduler()
    let screen = Screen(scheduler: scheduler)
    let steps = screen.executionObservable.test()
    for name in ["a", "b", "c"] { screen.execute(Step(name) { .never() }, mode: .parallel(limit: 2)) }
    scheduler.run()
    screen.cancelActions { $0 != Step("c") }
    scheduler.run()
    #expect(steps.values.last?.cause == .waited(for: 1))
  }

  // A step that says why is still equal to the step that a test expects.
  @Test func equalityIgnoresTheCause() {
    let screen = Screen(scheduler: ImmediateScheduler())
    let steps = screen.executionObservable.test()
    for name in ["a", "b"] { screen.execute(Step(name) { .never() }, mode: .dropWhileBusy) }
    #expect(steps.values.last == Execution(id: 2, action: Step("b"), mode: .dropWhileBusy, phase: .dropped))
    #expect(steps.values.last?.cause == .busy(with: 1))
    #expect("\(steps.values.last!)" == "#2 b dropWhileBusy: dropped (busy with #1)")
  }
}
