import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen
private typealias Action = Levels.Action

// contract 2.19: which override answers for an action, and which instance an action belongs to
struct RoutingTests {
  private let answer = PublishSubject<String>()

  /// A screen on which `.run("wait")` of a form puts each answer into its text.
  private func waiting(
    _ state: Levels.State = Levels.editing(), mode: ExecutionMode = .parallel
  ) -> List {
    List(state) { [answer] script in
      script.form = { _, _ in answer.mutate { $0.text = $1 } }
      script.formMode = mode
    }
  }

  // MARK: Routing

  @Test func eachLevelIsAskedOnceAndTheInnermostFeatureAnswers() {
    let asked = Locked<[String]>([])
    let screen = List(Levels.editing()) { script in script.asked = { text in asked.mutate { $0.append(text) } } }
    let modes = screen.executionObservable.map(\.mode).test()
    screen.execute(.edit(.set("a")))
    #expect(
      asked.value == ["child", "detail child", "form executionMode", "form showSpinner", "form createObservable"])
    #expect(screen.currentState == Levels.editing("a"))
    #expect(modes.values.allSatisfy { $0 == .parallel })
  }

  @Test func anActionThatIsCancelledBeforeItIsTakenHasTheModeOfItsFeature() {
    let scheduler = TestScheduler()
    let asked = Locked<[String]>([])
    let screen = List(Levels.editing(), scheduler: scheduler) { script in
      script.formMode = .sequence("save")
      script.asked = { text in asked.mutate { $0.append(text) } }
    }
    let modes = screen.executionObservable.map { "\($0.mode) \($0.phase)" }.test()
    screen.execute(.edit(.set("a")))
    screen.cancelActions { _ in true }
    scheduler.run()
    #expect(modes.values == ["sequence(save) cancelled"])
    #expect(asked.value == ["child", "detail child", "form executionMode"])
  }

  @Test func aChildIsAskedForOnTheScheduler() async {
    let queue = DispatchQueue(label: "screen")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let calls = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { call in
      let isOnQueue = DispatchQueue.getSpecific(key: key) == true
      calls.mutate { $0.append(isOnQueue ? call : "\(call) elsewhere") }
    }
    let script = Levels.Script(asked: note)
    let viewModel = ClosureViewModel<Levels.FormAction, Levels.Form?>(
      nil, scheduler: queue
    ) {
      $0.child = { _, action in
        note("child")
        return .init(Levels.FormFeature(script: script), action, at: \.self, as: { $0 }, output: { .set($0) })
      }
      $0.diagnose = { _, _ in note("diagnose") }
    }
    await #expect(throws: CancellationError.self) { try await viewModel.perform(.set("a")) }
    #expect(Set(calls.value) == ["child", "form executionMode", "diagnose"])
  }

  // MARK: The end of an instance

  // Of elements with one id an action reaches the first. While the row has unfinished actions, it reaches the one found last.
  @Test(arguments: [false, true]) func aBusyRowIsTheElementThatWasFoundLast(isBusy: Bool) {
    let screen = List(Levels.State(rows: [Levels.Form(id: 1), Levels.Form(id: 2)])) { script in
      script.form = { _, _ in .never() }
    }
    if isBusy { screen.execute(.row(2, .run("wait"))) }
    screen.execute(.setRows([Levels.Form(id: 2), Levels.Form(id: 2)]))
    screen.execute(.row(2, .set("a")))
    #expect(screen.currentState.rows.map(\.text) == (isBusy ? ["", "a"] : ["a", ""]))
    screen.execute(.setRows([Levels.Form(id: 3), Levels.Form(id: 2), Levels.Form(id: 4), Levels.Form(id: 2)]))
    screen.execute(.row(2, .set("b")))
    #expect(screen.currentState.rows.map(\.text) == ["", "b", "", ""])
  }

  enum Removal: CaseIterable {
    case nothing, otherCase, otherIdentity, noDetail
  }

  private func remove(_ removal: Removal, from screen: List) {
    switch removal {
    case .nothing: screen.execute(.detail(.show(nil)))
    case .otherCase: screen.execute(.detail(.show(.alert(Levels.Form()))))
    case .otherIdentity: screen.execute(.detail(.show(.edit(Levels.Form(id: 1)))))
    case .noDetail: screen.execute(.show(nil))
    }
  }

  @Test(arguments: Removal.allCases) func anInstanceThatGoesEndsItsActionsInTheSameFold(removal: Removal) {
    let screen = waiting()
    let ends = screen.ends()
    // A subscriber of the state finds the effect disposed no later than the next fold.
    screen.execute(.edit(.run("wait")))
    screen.execute(.edit(.run("wait")))
    #expect(answer.hasObservers)
    remove(removal, from: screen)
    #expect(!answer.hasObservers)
    #expect(
      ends.values.dropFirst() == ["\(Action.edit(.run("wait"))) cancelled", "\(Action.edit(.run("wait"))) cancelled"])
    answer.onNext("late")
    #expect(!"\(screen.currentState)".contains("late"))
    screen.expectDiagnosed([])
  }

  @Test func aStaleAnswerDoesNotReachANewGrandchild() {
    let screen = waiting()
    screen.execute(.edit(.run("wait")))
    screen.execute(.detail(.show(nil)))
    screen.execute(.detail(.show(.edit(Levels.Form()))))
    answer.onNext("stale")
    #expect(screen.currentState == Levels.editing())
    screen.execute(.edit(.run("wait")))
    answer.onNext("fresh")
    #expect(screen.currentState == Levels.editing("fresh"))
  }

  @Test func aReplacementWithTheSameIdentityIsTheSameInstance() {
    let screen = waiting()
    screen.execute(.edit(.run("wait")))
    screen.execute(.detail(.show(.edit(Levels.Form(text: "other")))))
    answer.onNext("answer")
    #expect(screen.currentState == Levels.editing("answer"))
  }

  @Test func aSourceEndsAnInstance() {
    let forms = PublishSubject<Levels.Form?>()
    let form = Levels.FormFeature(script: Levels.Script(form: { _, _ in .never() }))
    let viewModel = ClosureViewModel<Levels.FormAction, Levels.Form?>(
      Levels.Form(), scheduler: ImmediateScheduler()
    ) {
      $0.sources = { _ in [forms.mutate { $0 = $1 }] }
      $0.child = { _, action in .init(form, action, at: \.self, as: { $0 }, output: { .set($0) }) }
    }
    let ends = viewModel.executionObservable.map(\.phase).test()
    viewModel.execute(.run("wait"))
    forms.onNext(Levels.Form(id: 2))
    #expect(ends.values == [.started, .cancelled])
  }

  @Test func anActionThatEndsWithTheFoldThatRemovesItsInstanceCompletes() {
    let screen = List(Levels.editing()) { script in
      script.changeDetail = { $0.destination = nil }
      script.form = { name, _ in name == "fail" ? .error(TestError("no")) : .mutate { $0.text = name } }
      script.formError = { _ in { $0 } }
    }
    let ends = screen.ends()
    screen.execute(.edit(.set("a")))
    #expect(screen.currentState.detail == Levels.Detail())
    screen.execute(.detail(.show(.edit(Levels.Form()))))
    screen.execute(.edit(.run("fail")))
    #expect(screen.currentState.detail == Levels.Detail())
    let show = Action.detail(.show(.edit(Levels.Form())))
    #expect(
      ends.values == [
        "\(Action.edit(.set("a"))) completed", "\(show) completed", "\(Action.edit(.run("fail"))) failed",
      ])
  }

  // An array and its elements are two places, although their key paths are equal.
  @Test func anArrayAndItsElementsAreDifferentPlaces() {
    struct List: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<[Levels.Form]>> {
        action == 0 ? .never() : .mutate { $0.append(Levels.Form(id: action)) }
      }
    }
    let form = Levels.FormFeature(script: Levels.Script(form: { _, _ in .never() }))
    let viewModel = ClosureViewModel<Int, [Levels.Form]>(
      [Levels.Form(id: 0)], scheduler: ImmediateScheduler()
    ) {
      $0.child = { _, action in
        action >= 0
          ? .init(List(), action, at: \.self, as: { $0 })
          : .init(form, .run("wait"), at: \.self, id: 0, as: { _ in action }, output: { _ in 0 })
      }
    }
    for action in [0, -1, 1, -1, 2] { viewModel.execute(action) }
    #expect(viewModel.currentState.map(\.id) == [0, 1, 2])
  }

  /// A screen with rows of these ids. Its action `.run("replace")` makes others, and is cancelled before its state is folded.
  private func replacing(_ ids: [Int], by others: [Int]) -> List {
    List(Levels.State(rows: ids.map { Levels.Form(id: $0) })) { [answer] script in
      script.form = { _, _ in answer.mutate { $0.text = $1 } }
      script.screen = { _, screen in
        .just { _ in
          screen.cancelActions { $0 == .run("replace") }
          return Levels.State(rows: others.map { Levels.Form(id: $0) })
        }
      }
    }
  }

  // A row that gets its first action between a mapper whose state is not folded, and a fold of the same rows
  @Test func aStateThatIsNotFoldedHidesNoRemovedRow() {
    let screen = replacing([0, 1, 2], by: [0, 1])
    let ends = screen.ends()
    screen.execute(.row(0, .run("wait")))
    screen.execute(.run("replace"))
    screen.execute(.row(2, .run("wait")))
    screen.execute(.setRows([Levels.Form(id: 0), Levels.Form(id: 1)]))
    #expect(ends.values.contains("\(Action.row(2, .run("wait"))) cancelled"))
    #expect(!ends.values.contains("\(Action.row(0, .run("wait"))) cancelled"))
  }

  // An element with unfinished actions is the one at the index where it was found last.
  @Test func aFoldThatDoesNotHappenMovesNoElement() {
    let screen = replacing([1, 2, 1], by: [3, 2, 1])
    screen.execute(.row(1, .run("wait")))
    screen.execute(.run("replace"))
    answer.onNext("a")
    #expect(screen.currentState.rows.map(\.text) == ["a", "", ""])
  }

  // The same, if many elements have moved too far to be found one by one
  @Test func manyElementsThatMoveFarStayTheSame() {
    let (others, rows) = ((100..<200).map { Levels.Form(id: $0) }, (0..<50).map { Levels.Form(id: $0) })
    let screen = waiting(Levels.State(rows: others + rows))
    for row in rows { screen.execute(.row(row.id, .run("wait"))) }
    // Each busy element moves by 50 places. The new one with its id is 100 places from where it was.
    screen.execute(.setRows(rows + others + rows))
    answer.onNext("a")
    #expect(
      screen.currentState.rows.map(\.text) == Array(repeating: "", count: 150) + Array(repeating: "a", count: 50))
  }

  @Test func whatAPartThatIsNilOnTheWayReadsIsNotEvaluatedAfterItsActionsHaveEnded() {
    struct Sheet: Sendable { var rows = [Levels.Form()] }
    struct State: Sendable { var sheet: Sheet? = Sheet() }
    let form = Levels.FormFeature(script: Levels.Script())
    let viewModel = ClosureViewModel<Levels.FormAction?, State>(
      State(), scheduler: ImmediateScheduler()
    ) {
      $0.effect = { _, _ in .mutate { $0.sheet = nil } }
      $0.child = { _, action in
        action.map { .init(form, $0, at: \.sheet!.rows, id: 0, as: { $0 }, output: { _ in nil }) }
      }
    }
    let failures = viewModel.actionAndErrorObservable.test()
    viewModel.execute(.set("a"))
    viewModel.execute(.run("a"))
    viewModel.execute(nil)
    #expect(viewModel.currentState.sheet == nil)
    #expect(failures.values.isEmpty)
  }

  // MARK: Lanes

  // contract, execution modes: the action behind it in the batch is not dropped
  @Test func anAbsentChildDoesNotStopItsBatch() {
    let screen = List(Levels.State())
    let ends = screen.ends()
    screen.executeInSequence(.edit(.set("a")), .detailDone("b"))
    #expect(ends.values == ["\(Action.edit(.set("a"))) dropped", "\(Action.detailDone("b")) completed"])
  }

  @Test func aModeGivenToExecuteUsesTheLanesOfTheViewModel() {
    let screen = waiting(Levels.State(rows: [Levels.Form(id: 1), Levels.Form(id: 2)]), mode: .sequence)
    let steps = screen.steps()
    screen.execute(.row(1, .run("wait")), mode: .sequence)
    screen.execute(.row(2, .set("b")), mode: .sequence)
    screen.executeInSequence(.detailDone("c"))
    screen.execute(.row(2, .set("own")))
    #expect(screen.currentState.rows[1].text == "own")
    #expect(screen.currentState.text.isEmpty)
    answer.onCompleted()
    #expect(screen.currentState.rows[1].text == "b")
    #expect(screen.currentState.text == "detail c;")
    #expect(steps.values.first == "\(Action.row(1, .run("wait"))) started")
  }
}
