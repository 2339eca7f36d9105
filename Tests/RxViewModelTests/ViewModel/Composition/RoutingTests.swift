import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen
private typealias Action = Levels.Action

// contract 2.19: which override answers for an action, and which instance an action belongs to
@Suite struct RoutingTests {
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

  @Test func theSpinnerIsThatOfTheFeature() {
    let screen = waiting()
    let loading = screen.isLoadingObservable.test()
    screen.execute(.edit(.run("wait")))
    answer.onCompleted()
    #expect(loading.values == [false, true, false])
  }

  @Test func aCaseThatIsTheWholeState() {
    enum Whole: Sendable, Equatable {
      case first(Int)
      case second(String)

      var first: Int? {
        get { if case .first(let number) = self { number } else { nil } }
        set { if let newValue { self = .first(newValue) } }
      }
    }
    struct Add: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .mutate { $0 += action }
      }
    }
    struct Flow: Feature {
      func child(for action: Int) -> ChildAction<Int, Whole>? {
        action == 0 ? nil : .init(Add(), action, at: \.first, as: { $0 })
      }

      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Whole>> {
        .mutate { $0 = .second("") }
      }
    }
    let viewModel = FeatureViewModel(Flow(), initialState: .first(1), scheduler: ImmediateScheduler())
    viewModel.execute(2)
    #expect(viewModel.currentState == .first(3))
    viewModel.execute(0)
    let ends = viewModel.executionObservable.map(\.phase).test()
    viewModel.execute(4)
    #expect(ends.values == [.dropped])
    #expect(viewModel.currentState == .second(""))
  }

  @Test func aChildIsAskedForOnTheScheduler() async {
    let queue = DispatchQueue(label: "screen")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let isOnQueue = Locked<[Bool]>([])
    let diagnosed = Locked<[Bool]>([])
    final class Asked: RxViewModel<Int, Int?>, @unchecked Sendable {  // Sendable: it stores one `let`.
      let (asked, diagnosed): (@Sendable () -> Void, @Sendable () -> Void)
      init(asked: @escaping @Sendable () -> Void, diagnosed: @escaping @Sendable () -> Void, scheduler: any Scheduler) {
        (self.asked, self.diagnosed) = (asked, diagnosed)
        super.init(scheduler: scheduler)
      }
      override func createInitialState() -> Int? { nil }
      override func child(for action: Int) -> ChildAction<Int, Int?>? {
        asked()
        return .init(Adder(), action, at: \.self, as: { $0 })
      }
      override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) { diagnosed() }
    }
    struct Adder: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .unchanged()
      }
    }
    @Sendable func note(_ calls: Locked<[Bool]>) {
      calls.mutate { $0.append(DispatchQueue.getSpecific(key: key) == true) }
    }
    let viewModel = Asked(asked: { note(isOnQueue) }, diagnosed: { note(diagnosed) }, scheduler: queue)
    await #expect(throws: CancellationError.self) { try await viewModel.perform(1) }
    #expect(isOnQueue.value == [true] && diagnosed.value == [true])
  }

  // MARK: The end of an instance

  // The action is accepted before the child is there.
  @Test func anActionBelongsToTheInstanceThatIsPresentWhenItIsTaken() {
    let scheduler = TestScheduler()
    let screen = List(Levels.editing(), scheduler: scheduler)
    let ends = screen.ends()
    screen.execute(.detail(.show(.edit(Levels.Form(id: 1)))))
    screen.execute(.edit(.set("a")))
    scheduler.run()
    #expect(screen.currentState == Levels.editing("a", id: 1))
    #expect(ends.values.allSatisfy { $0.hasSuffix("completed") })
  }

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
    // Sendable: it stores one `let`.
    final class Followed: RxViewModel<Levels.FormAction, Levels.Form?>, @unchecked Sendable {
      let forms = PublishSubject<Levels.Form?>()
      override func createInitialState() -> Levels.Form? { Levels.Form() }
      override func createSources() -> [Effect] { [forms.mutate { $0 = $1 }] }
      override func child(for action: Levels.FormAction) -> ChildAction<Levels.FormAction, Levels.Form?>? {
        .init(
          Levels.FormFeature(script: Levels.Script(form: { _, _ in .never() })), action, at: \.self, as: { $0 },
          output: { .set($0) })
      }
    }
    let viewModel = Followed(scheduler: ImmediateScheduler())
    let ends = viewModel.executionObservable.map(\.phase).test()
    viewModel.execute(.run("wait"))
    viewModel.forms.onNext(Levels.Form(id: 2))
    #expect(ends.values == [.started, .cancelled])
  }

  @Test func waitingActionsEndInTheirOrderBeforeAnyOtherFold() {
    let screen = waiting(mode: .sequence)
    let journal = Locked<[String]>([])
    let bag = DisposeBag()
    screen.executionObservable.subscribe(onNext: { execution in
      if execution.phase == .cancelled { journal.mutate { $0.append("#\(execution.id) cancelled") } }
    }).disposed(by: bag)
    screen.stateObservable.subscribe { (state: Levels.State) in journal.mutate { $0.append("state \(state.text)") } }
      .disposed(by: bag)
    for _ in 0..<3 { screen.execute(.edit(.run("wait"))) }
    journal.mutate { $0 = [] }
    let hasGone = Locked(false)
    screen.stateObservable.subscribe { (state: Levels.State) in
      let isFirst =
        state.detail == nil
        && hasGone.mutate { isOver in
          defer { isOver = true }
          return !isOver
        }
      if isFirst { screen.execute(.detailDone("next")) }
    }.disposed(by: bag)
    screen.execute(.show(nil))
    #expect(journal.value == ["state ", "#1 cancelled", "#2 cancelled", "#3 cancelled", "state detail next;"])
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
        "\(Action.edit(.set("a"))) completed", "\(show) completed", "\(Action.edit(.run("fail"))) failed no",
      ])
  }

  // An array and its elements are two places, although their key paths are equal.
  @Test func anArrayAndItsElementsAreDifferentPlaces() {
    struct List: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<[Levels.Form]>> {
        action == 0 ? .never() : .mutate { $0.append(Levels.Form(id: action)) }
      }
    }
    final class Both: RxViewModel<Int, [Levels.Form]>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> [Levels.Form] { [Levels.Form(id: 0)] }
      override func child(for action: Int) -> ChildAction<Int, [Levels.Form]>? {
        if action >= 0 { return .init(List(), action, at: \.self, as: { $0 }) }
        let script = Levels.Script(form: { _, _ in .never() })
        return .init(
          Levels.FormFeature(script: script), .run("wait"), at: \.self, id: 0, as: { _ in action }, output: { _ in 0 })
      }
    }
    let viewModel = Both(scheduler: ImmediateScheduler())
    for action in [0, -1, 1, -1, 2] { viewModel.execute(action) }
    #expect(viewModel.currentState.map(\.id) == [0, 1, 2])
  }

  // A row that gets its first action between a mapper whose state is not folded, and a fold of the same rows
  @Test func aStateThatIsNotFoldedHidesNoRemovedRow() {
    let rows = (0..<3).map { Levels.Form(id: $0) }
    let screen = List(Levels.State(rows: rows)) { script in
      script.form = { _, _ in .never() }
      script.screen = { _, screen in
        .just { state in
          // The cancellation comes before the state of this mapper.
          screen.cancelActions { $0 == .run("remove") }
          return Levels.State(text: state.text, rows: Array(rows[..<2]))
        }
      }
    }
    let removed = Array(rows[..<2])
    let ends = screen.ends()
    screen.execute(.row(0, .run("wait")))
    screen.execute(.run("remove"))
    screen.execute(.row(2, .run("wait")))
    screen.execute(.setRows(removed))
    #expect(ends.values.contains("\(Action.row(2, .run("wait"))) cancelled"))
    #expect(!ends.values.contains("\(Action.row(0, .run("wait"))) cancelled"))
  }

  @Test func aChildIsAskedForOnceAlsoIfItsActionIsCancelledMeanwhile() {
    final class Asked: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
      let count = Locked(0)
      override func createInitialState() -> Int { 0 }
      override func child(for action: Int) -> ChildAction<Int, Int>? {
        count.mutate { $0 += 1 }
        cancelActions { _ in true }
        return nil
      }
      override func createObservable(_ action: Int) -> Effect { .unchanged() }
    }
    let viewModel = Asked(scheduler: ImmediateScheduler())
    let phases = viewModel.executionObservable.map(\.phase).test()
    viewModel.execute(1)
    #expect(phases.values == [.cancelled])
    #expect(viewModel.count.value == 1)
  }

  @Test func aSingleMapperThatWasHeldEndsWithTheFoldThatRemovesItsInstance() {
    let slow = PublishSubject<String>()
    let screen = List(Levels.editing()) { script in
      script.screen = { _, _ in slow.mutate { $0.text = $1 } }
      script.changeDetail = { $0.destination = nil }
    }
    let ends = screen.ends()
    screen.execute(.run("slow"), mode: .parallelOrdered)
    screen.execute(.edit(.set("a")), mode: .parallelOrdered)
    slow.onCompleted()
    #expect(ends.values == ["\(Action.run("slow")) completed", "\(Action.edit(.set("a"))) completed"])
  }

  @Test func whatAPartThatIsNilOnTheWayReadsIsNotEvaluatedAfterItsActionsHaveEnded() {
    struct Sheet: Sendable { var rows = [Levels.Form()] }
    struct State: Sendable { var sheet: Sheet? = Sheet() }
    final class Forcing: RxViewModel<Levels.FormAction?, State>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> State { State() }
      override func child(for action: Levels.FormAction?) -> ChildAction<Levels.FormAction?, State>? {
        action.map { action in
          .init(
            Levels.FormFeature(script: Levels.Script()), action, at: \.sheet!.rows, id: 0, as: { $0 },
            output: { _ in nil })
        }
      }
      override func createObservable(_ action: Levels.FormAction?) -> Effect {
        .mutate { $0.sheet = nil }
      }
    }
    let viewModel = Forcing(scheduler: ImmediateScheduler())
    let failures = viewModel.actionAndErrorObservable.test()
    viewModel.execute(.set("a"))
    viewModel.execute(.run("a"))
    viewModel.execute(nil)
    #expect(viewModel.currentState.sheet == nil)
    #expect(failures.values.isEmpty)
  }

  // MARK: Lanes

  @Test func twoSheetsOfDifferentLevelsAndTwoRowsDoNotShareALane() {
    let screen = List(
      Levels.State(
        detail: Levels.Detail(destination: .edit(Levels.Form()), tags: [Levels.Form(id: 1), Levels.Form(id: 2)]),
        rows: [Levels.Form(id: 1), Levels.Form(id: 2)])
    ) { script in
      script.form = { _, _ in .never() }
      script.formMode = .dropWhileBusy("save")
    }
    let ends = screen.ends()
    let actions: [Action] = [
      .edit(.run("")), .row(1, .run("")), .row(2, .run("")), .detail(.tag(1, .run(""))), .detail(.tag(2, .run(""))),
    ]
    for action in actions { screen.execute(action) }
    #expect(ends.values.isEmpty)
    for action in actions { screen.execute(action) }
    #expect(ends.values == actions.map { "\($0) dropped" })
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

  // MARK: An absent child

  @Test(arguments: [Levels.Action.edit(.set("a")), .detail(.tag(1, .set("a"))), .detail(.run("a")), .row(1, .set("a"))])
  func anActionForAnAbsentChildAtAnyLevelIsDropped(action: Levels.Action) async {
    let screen = List()
    let ends = screen.ends()
    await #expect(throws: CancellationError.self) { try await screen.perform(action) }
    screen.execute(.show(Levels.Detail()))
    if case .detail(.run) = action {} else { screen.execute(action) }
    #expect(ends.values.filter { !$0.contains("show") }.allSatisfy { $0 == "\(action) dropped" })
    #expect(Set(screen.diagnosed.value) == ["\(action) is for a child that is absent, so it does nothing"])
  }

  @Test func aStoreFailsForAnAbsentChildUnlessTheTestExpectsIt() throws {
    let scheduler = TestScheduler()
    for exhaustivity in [Exhaustivity.on, .off] {
      #expect(throws: TestFailure.self) {
        try withTestStore(List(scheduler: scheduler), exhaustivity: exhaustivity) { try $0.send(.edit(.set("a"))) }
      }
      try withTestStore(List(scheduler: scheduler), exhaustivity: exhaustivity) { store in
        try store.send(.edit(.set("a")))
        #expect(throws: TestFailure.self) { try store.expect(.dropped, of: .edit(.set("a"))) }
        try store.expect(.refused, of: .edit(.set("a")))
      }
    }
  }

  // contract 4.2
  @Test func theFailureForAnAbsentChildSaysWhichOne() throws {
    let scheduler = TestScheduler()
    func failure(_ action: Action, in state: Levels.State = Levels.State()) throws -> String? {
      let failure = #expect(throws: TestFailure.self) {
        try withTestStore(List(state, scheduler: scheduler), exhaustivity: .off) { store in
          try store.send(action, file: "ScreenTests.swift", line: 12)
        }
      }
      return failure?.description.split(separator: "\n").last.map { "\($0)" }
    }
    let beginning = "refused, because its child is absent:"
    let end = "(send at ScreenTests.swift:12)"
    #expect(
      try failure(.row(7, .set("a")))
        == #"  row(7, set("a")): \#(beginning) FormFeature at \State.rows, with the id 7 \#(end)"#)
    let tag = Action.detail(.tag(1, .set("a")))
    #expect(try failure(tag) == #"  detail(tag(1, set("a"))): \#(beginning) DetailFeature at \State.detail \#(end)"#)
    #expect(
      try failure(tag, in: Levels.State(detail: Levels.Detail()))
        == #"  detail(tag(1, set("a"))): \#(beginning) FormFeature at \Detail.tags, with the id 1 \#(end)"#)
  }

  // MARK: Errors

  @Test(arguments: ["form", "detail", "screen", "none"]) func theFirstMapperFromTheLeafUpwardsIsFolded(level: String) {
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in .error(TestError("no")) }
      if level == "form" { script.formError = { _ in { form in Levels.Form(text: "form" + form.text) } } }
      if level != "screen", level != "none" {
        script.detailError = { _ in
          { detail in
            var detail = detail
            detail.text = "detail"
            return detail
          }
        }
      }
      if level != "none" { script.screenError = { _ in { _ in Levels.State(text: "screen") } } }
    }
    let ends = screen.ends()
    screen.execute(.edit(.run("fail")))
    let expected: Levels.State =
      switch level {
      case "form": Levels.editing("form")
      case "detail": Levels.State(detail: Levels.Detail(text: "detail", destination: .edit(Levels.Form())))
      case "screen": Levels.State(text: "screen")
      default: Levels.editing()
      }
    #expect(screen.currentState == expected)
    #expect(ends.values == ["\(Action.edit(.run("fail"))) failed no"])
  }

  @Test func handleErrorOfTheViewModelIsAskedForAnActionOfAChild() {
    final class Handling: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
      let handled = Locked<[String]>([])
      override func createInitialState() -> Int { 0 }
      override func child(for action: Int) -> ChildAction<Int, Int>? {
        .init(Failing(), "part \(action)", at: \.self, as: { _ in action })
      }
      override func handleError(_ error: any Error, action: Int?) -> Bool {
        handled.mutate { $0.append("\(error) \(action ?? -1)") }
        return true
      }
    }
    struct Failing: Feature {
      func createObservable(_ action: String, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .error(TestError("no"))
      }
    }
    let viewModel = Handling(scheduler: ImmediateScheduler())
    let errors = viewModel.errorObservable.test()
    viewModel.execute(7)
    #expect(viewModel.handled.value == ["no 7"])
    #expect(errors.values.isEmpty)
  }

  @Test func retryReachesTheSameInstanceOnly() {
    let attempts = Locked(0)
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in
        attempts.mutate { $0 += 1 }
        return .error(TestError("no"))
      }
    }
    let failures = screen.actionAndErrorObservable.test()
    screen.execute(.edit(.run("fail")))
    failures.values[0].retry()
    #expect(attempts.value == 2)
    screen.execute(.detail(.show(.edit(Levels.Form(id: 1)))))
    failures.values[1].retry()
    #expect(attempts.value == 2)
    screen.execute(.detail(.show(nil)))
    #expect(failures.values.count == 2)
    screen.expectDiagnosed([])
  }

  // MARK: A parent that reacts in the same fold

  @Test func updatingChangesTheParentsInEachFoldInnermostFirst() {
    let screen = List(Levels.editing()) { script in
      script.form = { _, _ in Observable.of("a", "b").mutate { $0.text += $1 } }
      script.changeDetail = { $0.text += "(\($0.destination.edit!.text))" }
      script.changeScreen = { $0.text += "[\($0.detail!.text)]" }
    }
    let states = screen.stateObservable.map(\.text).test()
    screen.execute(.edit(.run("")))
    #expect(states.values == ["", "[(a)]", "[(a)][(a)(ab)]"])
  }

  @Test func ifUpdatingThrowsNothingOfTheFoldCounts() {
    let screen = List(Levels.editing()) { script in
      script.changeScreen = { state in
        state.text = "changed"
        throw TestError("no")
      }
    }
    let ends = screen.ends()
    screen.execute(.edit(.set("a")))
    #expect(screen.currentState == Levels.editing())
    #expect(ends.values == ["\(Action.edit(.set("a"))) failed no"])
  }

  // The row that the leaf stands in has another id after the mapper.
  @Test func updatingOfAnInnerLevelDoesNotNeedTheIDOfItsRow() {
    struct Row: Sendable, Identifiable {
      var leaf = 0
      var changes = 0
      var id: Int { leaf }
    }
    struct LeafFeature: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .mutate { $0 += action }
      }
    }
    struct RowFeature: Feature {
      func child(for action: Int) -> ChildAction<Int, Row>? {
        .init(LeafFeature(), action, at: \.leaf, as: { $0 }).updating { $0.changes += 1 }
      }
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Row>> { .empty() }
    }
    final class Rows: RxViewModel<Int, [Row]>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> [Row] { [Row()] }
      override func child(for action: Int) -> ChildAction<Int, [Row]>? {
        .init(RowFeature(), action, at: \.self, id: 0, as: { $0 }).updating { $0.append(Row(leaf: 9)) }
      }
    }
    let viewModel = Rows(scheduler: ImmediateScheduler())
    viewModel.execute(1)
    #expect(viewModel.currentState.map(\.leaf) == [1, 9])
    #expect(viewModel.currentState.map(\.changes) == [1, 0])
  }

  @Test func anErrorMapperOfALevelAboveIsFollowedByTheChangesOfAllLevels() {
    for level in ["detail", "screen"] {
      let screen = List(Levels.editing()) { script in
        script.form = { _, _ in .error(TestError("no")) }
        if level == "detail" { script.detailError = { _ in { $0 } } }
        script.screenError = { _ in { $0 } }
        script.changeDetail = { $0.text += "d" }
        script.changeScreen = { $0.text += $0.detail!.text }
      }
      screen.execute(.edit(.run("")))
      #expect(screen.currentState.text == "d")
    }
  }

  @Test func twoFeaturesInOnePlaceHaveTheirOwnIdentities() {
    struct Keyed: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
      func identity(of state: Int) -> AnyHashable? { state }
    }
    struct Plain: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> { .never() }
    }
    final class Both: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
      override func createInitialState() -> Int { 0 }
      override func child(for action: Int) -> ChildAction<Int, Int>? {
        switch action {
        case 1: .init(Plain(), action, at: \.self, as: { $0 })
        case 2: .init(Keyed(), action, at: \.self, as: { $0 })
        default: nil
        }
      }
      override func createObservable(_ action: Int) -> Effect { .mutate { $0 += 1 } }
    }
    let viewModel = Both(scheduler: ImmediateScheduler())
    let cancelled = viewModel.executionObservable.compactMap { $0.phase == .cancelled ? $0.action : nil }.test()
    for action in [1, 2, 3] { viewModel.execute(action) }
    #expect(cancelled.values == [2])
  }

  @Test func updatingFollowsAnErrorMapperAndNotAnErrorWithoutOne() {
    for handles in [true, false] {
      let screen = List(Levels.editing()) { script in
        script.form = { _, _ in .error(TestError("no")) }
        if handles { script.detailError = { _ in { $0 } } }
        script.changeScreen = { $0.text = "changed" }
      }
      screen.execute(.edit(.run("")))
      #expect(screen.currentState.text == (handles ? "changed" : ""))
    }
  }
}
