import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen

// contract 2.19: `cancel(where:)` of a context
struct ContextCancelTests {
  private let source = PublishSubject<String>()

  /// A screen whose forms and detail follow `source` at "watch", and cancel that at "stop".
  private func screen(_ state: Levels.State, scheduler: any Scheduler = ImmediateScheduler()) -> List {
    List(state, scheduler: scheduler) { [source] script in
      script.form = { name, context in
        name == "watch" ? source.mutate { $0.text += $1 } : context.cancel { $0 == .run("watch") }
      }
      script.detail = { name, context in
        name == "watch" ? source.mutate { $0.text += $1 } : context.cancel { _ in true }
      }
    }
  }

  @Test func itCancelsTheActionsOfItsOwnInstance() {
    let screen = screen(Levels.State(rows: [Levels.Form(id: 1), Levels.Form(id: 2)]))
    for id in [1, 2] { screen.execute(.row(id, .run("watch"))) }
    source.onNext("a")
    let ends = screen.ends()
    screen.execute(.row(2, .run("stop")))
    source.onNext("b")
    #expect(screen.currentState.rows.map(\.text) == ["ab", "a"])
    #expect(
      Set(ends.values)
        == ["\(Levels.Action.row(2, .run("watch"))) cancelled", "\(Levels.Action.row(2, .run("stop"))) completed"])
  }

  @Test func itDoesNotCancelTheActionsOfAChild() {
    let screen = screen(Levels.editing())
    screen.execute(.edit(.run("watch")))
    screen.execute(.detail(.run("watch")))
    screen.execute(.detail(.run("stop")))
    source.onNext("a")
    #expect(screen.currentState.detail == Levels.Detail(destination: .edit(Levels.Form(text: "a"))))
  }

  @Test func itMayCancelItsOwnAction() {
    let screen = List(Levels.editing()) { [source] script in
      script.form = { _, context in context.cancel { _ in true }.concat(source.mutate { $0.text += $1 }) }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("watch")))
    source.onNext("a")
    #expect(screen.currentState == Levels.editing())
    #expect(ends.values == ["\(Levels.Action.edit(.run("watch"))) cancelled"])
  }

  /// An action that waits for its turn belongs to the instance, even if the instance has no unfinished action before that turn.
  @Test func itCancelsAnActionThatWaitsForItsTurn() {
    let steps = StepScheduler()
    let screen = screen(Levels.State(rows: [Levels.Form(id: 1)]), scheduler: steps)
    let ends = screen.ends()
    for name in ["stop", "watch"] { screen.execute(.row(1, .run(name))) }
    steps.runAll()
    #expect(
      ends.values
        == ["\(Levels.Action.row(1, .run("stop"))) completed", "\(Levels.Action.row(1, .run("watch"))) cancelled"])
  }

  /// The view model asks for the mode before the action's start. The action begins, and is cancelled.
  @Test func itCancelsTheActionThatIsBeingAskedForItsMode() {
    struct Watch: Feature {
      let kept = Locked<FeatureContext<Watch>?>(nil)

      func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        kept.mutate { $0 = context }
        return .never()
      }

      func executionMode(for action: String) -> ExecutionMode {
        if action == "b" { kept.value?.cancel { $0 == action } }
        return .parallel
      }
    }
    let model = FeatureViewModel(Watch(), initialState: 0, scheduler: ImmediateScheduler())
    let steps = model.steps()
    for action in ["a", "b"] { model.execute(action) }
    #expect(steps.values == ["a started", "b started", "b cancelled"])
    model.clear()
  }

  @Test func itDoesNotCancelAnActionThatWasExecutedAfterTheCall() {
    struct Watch: Feature {
      let kept = Locked<FeatureContext<Watch>?>(nil)

      func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        if action == "keep" { kept.mutate { $0 = context } }
        return .never()
      }
    }
    let watch = Watch()
    let model = FeatureViewModel(watch, initialState: 0, scheduler: ImmediateScheduler())
    let steps = model.steps()
    for action in ["keep", "a"] { model.execute(action) }
    // A screen that answers a cancellation with another action.
    let subscription = model.executionObservable.subscribe(onNext: { [weak model] step in
      if case .cancelled = step.phase, step.id == 2 { model?.execute("a") }
    })
    watch.kept.value?.cancel { $0 == "a" }
    #expect(steps.values == ["keep started", "a started", "a cancelled", "a started"])
    subscription.dispose()
    model.clear()
  }

  /// A child that has been removed and comes back before its action's turn is another instance.
  @Test func itDoesNotCancelAnActionOfTheNextInstance() {
    let steps = StepScheduler()
    let screen = screen(Levels.State(rows: [Levels.Form(id: 1)]), scheduler: steps)
    screen.execute(.row(1, .run("stop")))
    for rows in [[], [Levels.Form(id: 1)]] { screen.execute(.setRows(rows)) }
    screen.execute(.row(1, .run("watch")))
    steps.runAll()
    source.onNext("a")
    steps.runAll()
    #expect(screen.currentState.rows.map(\.text) == ["a"])
  }

  // MARK: An action that executes itself again

  private let kept = Locked<Levels.FormContext?>(nil)

  /// Calls `cancel` when "watch" has completed, before it runs again. Returns the ends of all actions.
  private func endsOfAWatchThatFollowsItself(_ cancel: (List) -> Void) -> [String] {
    let (steps, count) = (StepScheduler(), Locked(0))
    let screen = List(Levels.editing(), scheduler: steps) { [source, kept] script in
      script.form = { name, context in
        if name == "stop" { return context.cancel { $0 == .run("watch") } }
        kept.mutate { $0 = context }
        return count.increment() == 1 ? source.mutate { $0.text += $1 }.then(.run("watch"), on: context) : .never()
      }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("watch")))
    steps.runAll()
    source.onCompleted()
    cancel(screen)
    steps.runAll()
    return ends.values
  }

  /// The action that waits for its turn at the call begins, and is cancelled.
  @Test func itCancelsTheActionThatFollowsAtThatMoment() {
    let ends = endsOfAWatchThatFollowsItself { $0.execute(.edit(.run("stop"))) }
    let (watch, stop) = (Levels.Action.edit(.run("watch")), Levels.Action.edit(.run("stop")))
    #expect(ends == ["\(watch) completed", "\(stop) completed", "\(watch) cancelled"])
  }

  /// A completion that waits for its turn at the call does not count.
  @Test func nothingFollowsACancelledAction() {
    let ends = endsOfAWatchThatFollowsItself { _ in kept.value?.cancel { _ in true } }
    #expect(ends == ["\(Levels.Action.edit(.run("watch"))) cancelled"])
  }

  @Test func afterTheEndOfItsActionItDoesNothing() {
    let kept = Locked<Levels.FormContext?>(nil)
    let screen = List(Levels.editing()) { [source] script in
      script.form = { name, context in
        if name == "keep" { kept.mutate { $0 = context } }
        return name == "watch" ? source.mutate { $0.text += $1 } : .unchanged()
      }
    }
    for name in ["keep", "watch"] { screen.execute(.edit(.run(name))) }
    kept.value?.cancel { _ in true }
    source.onNext("a")
    #expect(screen.currentState == Levels.editing("a"))
    screen.expectDiagnosed([])
  }

  @Test func aTaskMayCallIt() async {
    let screen = List(Levels.editing(), scheduler: DispatchQueue(label: "screen")) { script in
      script.form = { name, context in
        if name == "watch" { return .never() }
        return .task {
          context.cancel { $0 == .run("watch") }
          return { $0 }
        }
      }
    }
    let ends = screen.ends()
    for name in ["watch", "stop"] { screen.execute(.edit(.run(name))) }
    #expect(await eventually { ends.values.count == 2 })
    #expect(ends.values.contains("\(Levels.Action.edit(.run("watch"))) cancelled"))
  }
}

// contract 1.10: the time of a scheduler
struct SchedulerTimeTests {
  @Test func anotherSchedulerHasTheTimeSinceTheSystemStarted() {
    let before = DispatchTime.now().uptimeNanoseconds
    let now = [DispatchQueue.main.now, ImmediateScheduler().now, StepScheduler().now]
    let after = DispatchTime.now().uptimeNanoseconds
    #expect(now.allSatisfy { $0 >= .nanoseconds(Int64(before)) && $0 <= .nanoseconds(Int64(after)) })
  }
}
