import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.19
@Suite struct ChildTests {
  private let answer = PublishSubject<Int>()

  private var feature: FormFeature { FormFeature(answer: answer.asObservable()) }

  // MARK: A form in a sheet

  @Test func aSheetIsOpenedEditedAndSaved() {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.show(Form(name: "Ann")))
    viewModel.execute(.sheet(.setName("Bob")))
    viewModel.execute(.sheet(.save))
    #expect(viewModel.currentState.sheet == Form(name: "Bob"))
    answer.onNext(7)
    #expect(viewModel.currentState.sheet == Form(name: "Bob", saved: 7))
    #expect(viewModel.currentState.fixed == Form())
  }

  private struct Row: Sendable, Identifiable {
    let id: Int
    let object: Lifetimes.Object
  }

  private struct RowFeature: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Row>> {
      switch action {
      case 3: .error(TestError())
      case 4: context.cancel { _ in false }
      default: .never()
      }
    }
  }

  private final class Rows: RxViewModel<Int, [Row]>, @unchecked Sendable {  // Sendable: it stores one `let`.
    let lifetimes: Lifetimes

    init(_ scheduler: any Scheduler, _ lifetimes: Lifetimes) {
      self.lifetimes = lifetimes
      super.init(scheduler: scheduler)
    }

    override func createInitialState() -> [Row] { [Row(id: 0, object: lifetimes.make())] }

    override func child(for action: Int) -> ChildAction<Int, [Row]>? {
      [2, 5].contains(action) ? nil : .init(RowFeature(), action, at: \.self, id: 0, as: { $0 })
    }

    override func createObservable(_ action: Int) -> Effect {
      if action == 5 { clear() }
      return .unchanged()
    }

    override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) {}
  }

  enum Kept: CaseIterable {
    case stream, endedSubscription, property, failure
    /// Nothing, and the end drops the second half of a child's `context.cancel`.
    case cancellation
  }

  /// How the view model's last turn ends.
  enum LastTurn: CaseIterable {
    case runs, isDropped
  }

  // contract 2.9: whatever of the view model an app still holds
  @Test(arguments: Kept.allCases, LastTurn.allCases)
  func aReleasedViewModelKeepsNoRows(kept: Kept, lastTurn: LastTurn) {
    let (lifetimes, bag) = (Lifetimes(), DisposeBag())
    var scheduler: HandScheduler? = HandScheduler()
    var rest: Any?
    do {
      let rows = Rows(scheduler!, lifetimes)
      rows.execute(1)
      rows.execute(2)
      scheduler!.run()
      switch kept {
      case .stream: rest = rows.stateObservable
      case .endedSubscription: rows.stateObservable.subscribe { _ in }.disposed(by: bag)
      case .property: rest = rows.property { $0.count }
      case .failure:
        let failures = rows.actionAndErrorObservable.test()
        rows.execute(3)
        scheduler!.run()
        rest = failures.values
      case .cancellation:
        rows.execute(4)
        rows.execute(5)
        scheduler!.run()
      }
      #expect(lifetimes.alive == 1)
    }
    if lastTurn == .runs { scheduler!.run() }
    scheduler = nil
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(rest) {}
    bag.dispose()
  }

  // contract 2.9
  @Test func aReleasedViewModelKeepsNoFailureBelowARemovedChild() {
    let lifetimes = Lifetimes()
    do {
      let screen = Levels.Screen(Levels.editing()) { [object = lifetimes.make()] script in
        script.form = { _, _ in
          object.touch()
          return .error(TestError())
        }
      }
      screen.execute(.edit(.run("fail")))
      screen.execute(.show(nil))
    }
    #expect(lifetimes.alive == 0)
  }

  @Test func aSheetThatGoesEndsItsRequest() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    let loading = viewModel.isLoadingObservable(where: { $0 == .sheet(.save) }).test()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    #expect(answer.hasObservers)
    viewModel.execute(.show(nil))
    #expect(!answer.hasObservers)
    #expect(ends.values == ["\(ParentAction.sheet(.save)) cancelled"])
    #expect(loading.values == [false, true, false])
    answer.onNext(7)
    viewModel.execute(.show(Form(name: "other")))
    answer.onNext(8)
    #expect(viewModel.currentState.sheet == Form(name: "other"))
    #expect(viewModel.diagnosed.value.isEmpty)
  }

  @Test func aChildThatIsReplacedByAnotherInOneFoldHasNotGone() {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.show(Form(name: "one")))
    viewModel.execute(.sheet(.save))
    viewModel.execute(.show(Form(name: "two")))
    answer.onNext(7)
    #expect(viewModel.currentState.sheet == Form(name: "two", saved: 7))
  }

  @Test func performThrowsACancellation() async {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.show(Form()))
    let saved = Task { try await viewModel.perform(.sheet(.save)) }
    let isSaving = await eventually { [answer] in answer.hasObservers }
    #expect(isSaving)
    viewModel.execute(.show(nil))
    await #expect(throws: CancellationError.self) { try await saved.value }
  }

  @Test func cancellingActionsOfTheParentDisposesTheEffectOfTheChild() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    viewModel.cancelActions { $0 == .sheet(.save) }
    #expect(!answer.hasObservers)
    #expect(ends.values.count == 1)
  }

  @Test func anErrorOfTheFeatureFailsTheAction() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    answer.onError(TestError("refused"))
    #expect(ends.values == ["\(ParentAction.sheet(.save)) failed: refused"])
  }

  // MARK: An absent child

  @Test func anActionForAnAbsentChildIsDroppedAndDiagnosed() async throws {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    await #expect(throws: CancellationError.self) { try await viewModel.perform(.sheet(.save)) }
    viewModel.execute(.row(3, .setName("x")), mode: .sequence)
    #expect(viewModel.currentState == ParentState())
    let actions = [ParentAction.sheet(.save), .row(3, .setName("x"))]
    #expect(ends.values == actions.map { "\($0) dropped" })
    #expect(viewModel.diagnosed.value == actions.map { "\($0) is for a child that is absent, so it does nothing" })
  }

  // MARK: Mappers that wait

  /// A screen whose sheet saves in order after `.other("slow")`, and the subject that this action waits for.
  private func waitingScreen() -> (ParentViewModel, slow: PublishSubject<Int>) {
    let slow = PublishSubject<Int>()
    let viewModel = ParentViewModel(feature) { note in
      note == "slow" ? slow.mutate { $0.note = "slow \($1)" } : .mutate { $0.note = note }
    }
    viewModel.execute(.show(Form()))
    viewModel.execute(.other("slow"), mode: .parallelOrdered)
    viewModel.execute(.sheet(.save), mode: .parallelOrdered)
    return (viewModel, slow)
  }

  @Test(arguments: [true, false]) func waitingMappersDoNothingAfterTheChildHasGone(effectHasCompleted: Bool) {
    let (viewModel, slow) = waitingScreen()
    let ends = viewModel.ends()
    answer.onNext(7)
    if effectHasCompleted { answer.onCompleted() }
    viewModel.execute(.show(nil))
    #expect(!answer.hasObservers)
    viewModel.execute(.show(Form(name: "other")))
    slow.onCompleted()
    #expect(viewModel.currentState.sheet == Form(name: "other"))
    #expect(ends.values == ["\(ParentAction.sheet(.save)) cancelled"])
  }

  @Test func aSingleMapperThatWaitsDoesNothingAfterTheChildHasGone() {
    let (viewModel, slow) = waitingScreen()
    let ends = viewModel.ends()
    viewModel.execute(.sheet(.setName("late")), mode: .parallelOrdered)
    viewModel.execute(.show(nil))
    viewModel.execute(.show(Form(name: "other")))
    slow.onCompleted()
    #expect(viewModel.currentState.sheet == Form(name: "other"))
    #expect(ends.values.contains("\(ParentAction.sheet(.setName("late"))) cancelled"))
  }

  // The engine ends the actions in the order in which they were executed, as it does for other cancellations.
  @Test func actionsOfAChildEndInTheirOrder() {
    let viewModel = ParentViewModel(feature)
    let ended = viewModel.executionObservable.compactMap { $0.phase == .cancelled ? $0.id : nil }.test()
    viewModel.execute(.show(Form()))
    for _ in 0..<20 { viewModel.execute(.sheet(.save)) }
    viewModel.execute(.show(nil))
    #expect(ended.values.count == 20 && ended.values == ended.values.sorted())
  }

  // MARK: Rows

  @Test func aRemovedRowEndsItsRequest() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.row(2, .save))
    // The rows change their order, one of them is edited, and a new one comes.
    viewModel.execute(.setRows([Form(id: 3), Form(id: 2), Form(id: 1, name: "edited")]))
    answer.onNext(1)
    #expect(ends.values.isEmpty)
    #expect(viewModel.currentState.rows.map(\.saved) == [0, 1, 1])
    viewModel.execute(.setRows([Form(id: 2), Form(id: 3)]))
    #expect(ends.values == ["\(ParentAction.row(1, .save)) cancelled"])
    answer.onNext(2)
    #expect(viewModel.currentState.rows == [Form(id: 2, saved: 2), Form(id: 3)])
  }

  @Test func aRowReplacedByOneWithAnotherIDInOneFoldHasGone() {
    let viewModel = ParentViewModel(feature)
    let ends = viewModel.ends()
    viewModel.execute(.setRows([Form(id: 1)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.setRows([Form(id: 2)]))
    #expect(!answer.hasObservers)
    #expect(ends.values.count == 1)
    answer.onNext(1)
    #expect(viewModel.currentState.rows == [Form(id: 2)])
  }

  @Test func aRowThatTakesAnotherIDHasGone() {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.row(1, .setID(9)))
    #expect(!answer.hasObservers)
    #expect(viewModel.currentState.rows == [Form(id: 9), Form(id: 2)])
  }

  @Test func aRowThatComesBackIsAnotherChild() {
    let viewModel = ParentViewModel(feature)
    viewModel.execute(.setRows([Form(id: 1)]))
    viewModel.execute(.row(1, .save))
    viewModel.execute(.setRows([]))
    viewModel.execute(.setRows([Form(id: 1)]))
    viewModel.execute(.row(1, .save))
    answer.onNext(7)
    #expect(viewModel.currentState.rows == [Form(id: 1, saved: 7)])
  }

  // MARK: With a test store

  @Test func aTestStoreSeesParentAndChild() throws {
    let scheduler = TestScheduler()
    let viewModel = ParentViewModel(feature, scheduler: scheduler)
    try withTestStore(viewModel) { store in
      try store.send(.show(Form())) { $0.sheet = Form() }
      try store.send(.sheet(.setName("Ann"))) { $0.sheet?.name = "Ann" }
      try store.send(.sheet(.save))
      try store.send(.show(nil)) { $0.sheet = nil }
      try store.expect(.cancelled, of: .sheet(.save))
    }
  }
}
