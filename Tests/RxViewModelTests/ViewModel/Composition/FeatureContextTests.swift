import Dispatch
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen
private typealias Action = Levels.Action

// contract 2.19: what an effect asks of its view model
struct FeatureContextTests {
  private let answer = PublishSubject<String>()

  // MARK: execute and output

  @Test func aFurtherActionAndAnOutputFollowTheFoldThatCallsThem() {
    let screen = List(Levels.editing()) { script in
      script.form = { _, context in
        .mutate { form in
          form.text = "saved"
          context.execute(.set("after"))
          context.output("told")
        }
      }
    }
    let steps = screen.steps()
    screen.execute(.edit(.run("save")))
    #expect(
      steps.values
        == [Action.edit(.run("save")), .edit(.set("after")), .detail(.formDone("told"))].flatMap { action in
          ["started", "emitted", "completed"].map { "\(action) \($0)" }
        })
    #expect(
      screen.currentState
        == Levels.State(detail: Levels.Detail(text: "done told;", destination: .edit(Levels.Form(text: "after")))))
  }

  @Test func anOutputReachesTheNextLevelAndThatOfARowNamesItsRow() {
    let screen = List(Levels.State(detail: Levels.Detail(), rows: [Levels.Form(id: 7)])) { [answer] script in
      script.detail = { name, context in context.output(name) }
      // The output does not wait for the stream before it.
      script.form = { name, context in answer.mutate { $0.text = $1 }.concat(context.output(name)) }
    }
    screen.execute(.detail(.run("bye")))
    screen.execute(.row(7, .run("hi")))
    #expect(screen.currentState.text == "detail bye;row 7 hi;")
    answer.onNext("saved")
    #expect(screen.currentState.rows[0].text == "saved")
  }

  @Test func anOutputArrivesAlthoughTheChildHasGone() {
    let screen = List(Levels.editing()) { script in
      script.form = { _, context in
        .mutate { _ in
          context.output("one")
          context.execute(.set("never"))
        }
      }
      script.changeDetail = { $0.destination = nil }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("close")))
    #expect(screen.currentState.detail == Levels.Detail(text: "done one;"))
    #expect(
      ends.values == [
        "\(Action.edit(.run("close"))) completed", "\(Action.detail(.formDone("one"))) completed",
        "\(Action.edit(.set("never"))) cancelled",
      ])
    screen.expectDiagnosed([])
  }

  @Test func anOutputNeverReachesAnotherParent() {
    let screen = List(Levels.editing()) { script in
      script.form = { _, context in .mutate { _ in context.output("old") } }
      script.changeScreen = { $0.detail = nil }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("close")))
    #expect(screen.currentState == Levels.State())
    screen.execute(.show(Levels.Detail()))
    #expect(screen.currentState.detail == Levels.Detail())
    #expect(ends.values.contains("\(Action.detail(.formDone("old"))) cancelled"))
    screen.expectDiagnosed([])
  }

  @Test func aFurtherActionNeverReachesAnotherInstance() {
    let scheduler = TestScheduler()
    let context = Locked<Levels.FormContext?>(nil)
    let screen = List(Levels.editing(), scheduler: scheduler) { script in
      script.form = { _, given in
        context.mutate { $0 = given }
        return .never()
      }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("wait")))
    scheduler.run()
    // The further action waits behind two that replace the form.
    screen.execute(.detail(.show(nil)))
    screen.execute(.detail(.show(.edit(Levels.Form()))))
    context.value!.execute(.set("stale"))
    scheduler.run()
    #expect(screen.currentState == Levels.editing())
    #expect(
      ends.values == [
        "\(Action.detail(.show(nil))) completed", "\(Action.edit(.run("wait"))) cancelled",
        "\(Action.detail(.show(.edit(Levels.Form())))) completed", "\(Action.edit(.set("stale"))) cancelled",
      ])
    // The child has gone, and so has the action.
    context.value!.execute(.set("later"))
    context.value!.output("later")
    scheduler.run()
    #expect(screen.currentState == Levels.editing())
    screen.expectDiagnosed([])
  }

  enum End: CaseIterable {
    case completion, failure, cancellation, clear, release
  }

  @Test(arguments: End.allCases) func afterTheEndOfItsActionAContextExecutesNothing(end: End) {
    let (scheduler, context) = (TestScheduler(), Locked<Levels.FormContext?>(nil))
    var screen: List? = List(Levels.editing(), scheduler: scheduler) { [answer] script in
      script.form = { _, given in
        context.mutate { $0 = given }
        return answer.mutate { $0.text = $1 }
      }
    }
    let diagnosed = screen!.diagnosed
    screen!.execute(.edit(.run("wait")))
    scheduler.run()
    switch end {
    case .completion: answer.onCompleted()
    case .failure: answer.onError(TestError())
    case .cancellation: screen!.cancelActions { _ in true }
    case .clear: screen!.clear()
    case .release: screen = nil
    }
    scheduler.run()
    diagnosed.mutate { $0 = [] }
    let steps = screen?.steps()
    context.value!.execute(.set("late"))
    context.value!.output("late")
    Levels.FormEffect.empty().then(.set("late"), on: context.value!).subscribe().dispose()
    // The calling thread diagnoses them, before the scheduler's next turn.
    let isReported = end == .completion || end == .failure
    // Nothing follows an action that has failed.
    let late =
      [Action.edit(.set("late")), .detail(.formDone("late"))] + (end == .completion ? [.edit(.set("late"))] : [])
    #expect(
      diagnosed.value
        == (isReported
          ? late.map { "\(ViewModelDiagnostic.executedAfterEnd($0))" } : []))
    scheduler.run()
    #expect(steps?.values.isEmpty != false)
  }

  @Test func aKeptContextKeepsNeitherTheViewModelNorItsRows() {
    let (lifetimes, kept) = (Lifetimes(), Locked<[Any]>([]))
    do {
      let object = lifetimes.make()
      let screen = List(Levels.editing()) { script in
        script.form = { _, context in
          kept.mutate { $0.append(context) }
          return Observable<StateMapper<Levels.Form>>.never().do(onDispose: { object.touch() })
        }
      }
      screen.execute(.edit(.run("wait")))
    }
    #expect(kept.value.count == 1)
    #expect(lifetimes.waitForNone())
  }

  @Test func theSchedulerIsThatOfTheViewModel() {
    let scheduler = TestScheduler()
    let screen = List(Levels.editing(), scheduler: scheduler) { script in
      script.form = { _, context in
        Observable<Int>.timer(.seconds(1), scheduler: context.scheduler).mutate { form, _ in form.text = "now" }
      }
    }
    screen.execute(.edit(.run("wait")))
    scheduler.advance(by: .milliseconds(999))
    #expect(screen.currentState == Levels.editing())
    scheduler.advance(by: .milliseconds(1))
    #expect(screen.currentState == Levels.editing("now"))
  }

  @Test func mappersThatTheEffectHasSentBeforeAreFoldedBefore() async {
    let screen = List(Levels.editing(), scheduler: DispatchQueue(label: "screen")) { script in
      script.form = { _, context in
        .create { observer in
          Thread {
            observer.onNext { form in Levels.Form(text: form.text + "a") }
            context.execute(.set("b"))
            observer.onNext { form in Levels.Form(text: form.text + "c") }
            context.output("d")
            observer.onCompleted()
          }.start()
          return Disposables.create()
        }
      }
    }
    let order = screen.actionAndStateObservable.map { "\($0.action)" }.test()
    screen.execute(.edit(.run("send")))
    // A state can be read before its subscribers receive it.
    #expect(await eventually { order.values.count == 4 })
    #expect(screen.currentState.detail?.text == "done d;")
    #expect(screen.currentState.detail?.destination == .edit(Levels.Form(text: "bc")))
    let actions = [Action.edit(.run("send")), .edit(.set("b")), .edit(.run("send")), .detail(.formDone("d"))]
    #expect(order.values == actions.map { "\($0)" })
  }

  @Test func anOrderedActionHoldsWhatItsMappersCall() {
    let slow = PublishSubject<String>()
    let screen = List(Levels.editing()) { script in
      script.screen = { _, _ in slow.mutate { $0.text = $1 } }
      script.form = { _, context in
        .mutate { form in
          form.text = "ordered"
          context.output("told")
        }
      }
    }
    screen.execute(.run("slow"), mode: .parallelOrdered)
    screen.execute(.edit(.run("ordered")), mode: .parallelOrdered)
    #expect(screen.currentState == Levels.editing())
    slow.onCompleted()
    #expect(
      screen.currentState.detail == Levels.Detail(text: "done told;", destination: .edit(Levels.Form(text: "ordered"))))
  }

  @Test func anOrderedActionDoesNotHoldWhatItsEffectCallsOutsideAMapper() {
    let (slow, source) = (PublishSubject<String>(), PublishSubject<String>())
    let screen = List(Levels.editing()) { script in
      script.screen = { _, _ in slow.mutate { $0.text = $1 } }
      script.form = { _, context in
        source.do(afterNext: { text in
          context.execute(.set(text + " executed"))
          context.output(text)
        }).mutate { form, text in form.text += ", then \(text)" }
      }
    }
    screen.execute(.run("slow"), mode: .parallelOrdered)
    screen.execute(.edit(.run("ordered")), mode: .parallelOrdered)
    source.onNext("a")
    #expect(
      screen.currentState.detail == Levels.Detail(text: "done a;", destination: .edit(Levels.Form(text: "a executed"))))
    slow.onCompleted()
    #expect(screen.currentState.detail?.destination.edit?.text == "a executed, then a")
  }

  @Test func aFurtherActionForAnAbsentChildEndsAsDroppedAndIsNotDiagnosed() {
    let screen = List(Levels.State(detail: Levels.Detail())) { script in
      script.detail = { _, context in context.execute(.edit(.set("a"))) }
    }
    let ends = screen.ends()
    screen.execute(.detail(.run("")))
    #expect(ends.values == ["\(Action.detail(.run(""))) completed", "\(Action.edit(.set("a"))) dropped"])
    screen.expectDiagnosed([])
  }

  // MARK: Misuse

  @Test func anActionForAnotherPlaceIsNotExecuted() {
    let screen = List(
      Levels.State(detail: Levels.Detail(destination: .edit(Levels.Form()), tags: [Levels.Form(id: 3)]))
    ) { script in
      script.embedEdit = { .tag(3, $0) }
      script.form = { _, context in context.execute(.set("misplaced")) }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("")))
    let misplaced = Action.detail(.tag(3, .set("misplaced")))
    #expect(ends.values == ["\(Action.edit(.run(""))) completed", "\(misplaced) dropped"])
    #expect(screen.currentState.detail?.tags == [Levels.Form(id: 3)])
    #expect(screen.diagnosed.value.count == 1)
    let start = "\(misplaced) was executed by a child, but child(for:) puts it in another place"
    #expect(screen.diagnosed.value[0].hasPrefix(start))
  }

  // MARK: A feature that is a screen

  private struct Counter: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      action == 0
        ? .mutate { _ in
          context.output("zero")
          context.execute(5)
        }
        : .mutate { $0 += action }
    }

    typealias Output = String
  }

  @Test func theOutputsOfAFeatureViewModelComeInOrderWithItsStates() {
    let viewModel = FeatureViewModel(Counter(), initialState: 1, scheduler: ImmediateScheduler())
    let journal = Locked<[String]>([])
    let bag = DisposeBag()
    viewModel.outputs.subscribe(
      onNext: { output in journal.mutate { $0.append(output) } },
      onCompleted: { journal.mutate { $0.append("completed") } }
    ).disposed(by: bag)
    viewModel.stateObservable.subscribe { (state: Int) in journal.mutate { $0.append("\(state)") } }.disposed(by: bag)
    viewModel.execute(0)
    // It replays nothing.
    #expect(viewModel.outputs.test().values.isEmpty)
    viewModel.clear()
    #expect(journal.value == ["1", "1", "zero", "6", "completed"])
    #expect(viewModel.outputs.test().isCompleted)
  }

  // contract 2.9
  @Test func whoSubscribesToTheOutputsAfterClearGetsOnlyTheCompletion() {
    let viewModel = FeatureViewModel(Counter(), initialState: 1, scheduler: ImmediateScheduler())
    let journal = Locked<[String]>([])
    let subscription = viewModel.outputs.subscribe(
      onNext: { [weak viewModel] _ in
        guard let viewModel else { return }
        viewModel.clear()
        let late = viewModel.outputs.test()
        journal.append(late.isCompleted && late.values.isEmpty ? "only the completion" : "\(late.values)")
      })
    viewModel.execute(0)
    #expect(journal.value == ["only the completion"])
    subscription.dispose()
  }

  private struct Speaker: Feature {
    let words: PublishSubject<String>

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
      words.do(onNext: { _ = context.output($0) }).ignoreElements()
    }

    typealias Output = String
  }

  // contract 2.9
  @Test func anOutputThatWaitsForItsTurnKeepsTheViewModelAlive() {
    let (scheduler, words) = (TestScheduler(), PublishSubject<String>())
    var viewModel: FeatureViewModel<Speaker>? = FeatureViewModel(
      Speaker(words: words), initialState: 1, scheduler: scheduler)
    let outputs = viewModel!.outputs.test()
    viewModel!.execute(0)
    scheduler.run()
    words.onNext("last")
    #expect(outputs.values.isEmpty)
    viewModel = nil
    scheduler.run()
    #expect(outputs.values == ["last"])
    #expect(outputs.isCompleted)
  }
}
