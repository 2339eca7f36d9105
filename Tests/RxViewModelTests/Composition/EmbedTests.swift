import RxViewModel
import RxViewModelTesting
import Testing

// contract 2.19
@Suite struct EmbedTests {
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

  // contract 2.9: also a subscription outside an action
  @Test func aReleasedViewModelReleasesTheSubscribersOfItsEmbeddedStreams() {
    weak var captured: Locked<Int>?
    do {
      let (object, source) = (Locked(0), PublishSubject<Int>())
      captured = object
      let viewModel = ParentViewModel(FormFeature(answer: source.asObservable()))
      viewModel.execute(.show(Form()))
      _ = viewModel.embed(viewModel.feature, .save, at: \.sheet).subscribe { _ in object.mutate { $0 += 1 } }
      #expect(source.hasObservers)
    }
    #expect(captured == nil)
  }

  // contract 1.4
  @Test func aSubscriptionThatItsEffectDisposesGetsNoError() {
    let (source, subscription, events) = (PublishSubject<Int>(), SerialDisposable(), Locked(0))
    let viewModel = ParentViewModel(FormFeature(answer: source.do(onDispose: { subscription.dispose() })))
    viewModel.execute(.show(Form()))
    let stream = viewModel.embed(viewModel.feature, .save, at: \.sheet)
    subscription.replace(with: stream.subscribe { _ in events.mutate { $0 += 1 } })
    #expect(source.hasObservers)
    source.onError(TestError())
    #expect(!source.hasObservers)
    #expect(events.value == 0)
  }

  private struct Row: Sendable, Identifiable {
    let id: Int
    let object: Lifetimes.Object
  }

  private struct RowFeature: Feature {
    func createObservable(_ action: Int, state: Row) -> Observable<StateMapper<Row>> { .never() }
  }

  private final class Rows: RxViewModel<Int, [Row]>, @unchecked Sendable {  // Sendable: it stores one `let`.
    let lifetimes: Lifetimes

    init(_ scheduler: any Scheduler, _ lifetimes: Lifetimes) {
      self.lifetimes = lifetimes
      super.init(scheduler: scheduler)
    }

    override func createInitialState() -> [Row] { [Row(id: 0, object: lifetimes.make())] }

    override func createObservable(_ action: Int) -> Observable<StateMapper<[Row]>> {
      action == 1 ? embed(RowFeature(), action, at: \.self, id: 0) : .unchanged()
    }
  }

  enum Kept: CaseIterable {
    case stream, endedSubscription, property, embeddedStream
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
      case .embeddedStream: rest = rows.embed(RowFeature(), 1, at: \.self, id: 0)
      }
      #expect(lifetimes.alive == 1)
    }
    if lastTurn == .runs { scheduler!.run() }
    scheduler = nil
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(rest) {}
    bag.dispose()
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

  @Test func cancellingActionsOfTheParentDisposesTheEmbeddedStream() {
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

  @Test func anActionForAnAbsentChildCompletesAndIsDiagnosed() async throws {
    let viewModel = ParentViewModel(feature)
    #expect(try await viewModel.perform(.sheet(.save)) == ParentState())
    viewModel.execute(.row(3, .setName("x")))
    #expect(viewModel.currentState == ParentState())
    #expect(
      viewModel.diagnosed.value == [
        "save was embedded for a child that is absent, so it does nothing",
        #"setName("x") was embedded for a child that is absent, so it does nothing"#,
      ])
  }

  // MARK: Mappers that wait

  /// A screen whose sheet saves in order after `.other("slow")`, and the subject that this action waits for.
  private func waitingScreen(
    wrap: @escaping @Sendable (ParentViewModel.Effect) -> ParentViewModel.Effect = { $0 }
  ) -> (ParentViewModel, slow: PublishSubject<Int>) {
    let slow = PublishSubject<Int>()
    let viewModel = ParentViewModel(feature, wrap: wrap) { _, note in
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

  // MARK: As a part of an effect

  @Test func anEffectThatCatchesTheEndOfTheChildContinues() {
    let viewModel = ParentViewModel(feature) { effect in effect.catch { _ in .mutate { $0.note = "closed" } } }
    let ends = viewModel.ends()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    viewModel.execute(.show(nil))
    #expect(viewModel.currentState.note == "closed")
    #expect(ends.values.isEmpty)
  }

  @Test func aWaitingMapperDoesNotEndAnEffectThatHasHandledTheEnd() {
    let (viewModel, slow) = waitingScreen { effect in effect.catch { _ in .mutate { $0.note = "closed" } } }
    let ends = viewModel.ends()
    answer.onNext(7)
    viewModel.execute(.show(nil))
    slow.onCompleted()
    #expect(viewModel.currentState == ParentState(note: "closed"))
    #expect(ends.values.isEmpty)
  }

  @Test func anEffectThatMergesItEndsWithTheChild() {
    let more = PublishSubject<Int>()
    let viewModel = ParentViewModel(feature) { effect in .merge([effect, more.mutate { $0.note = "\($1)" }]) }
    let ends = viewModel.ends()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    more.onNext(1)
    viewModel.execute(.show(nil))
    #expect(!more.hasObservers && !answer.hasObservers)
    #expect(viewModel.currentState.note == "1")
    #expect(ends.values == ["\(ParentAction.sheet(.save)) cancelled"])
  }

  @Test func aStreamThatIsSubscribedToLaterEndsAtOnceIfTheChildHasGone() {
    let start = PublishSubject<Int>()
    let subscriptions = Locked(0)
    // The engine must not even subscribe to the request.
    let request = Observable<Int>.create { _ in
      subscriptions.mutate { $0 += 1 }
      return Disposables.create()
    }
    let viewModel = ParentViewModel(FormFeature(answer: request)) { effect in start.take(1).flatMap { _ in effect } }
    let ends = viewModel.ends()
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    viewModel.execute(.show(nil))
    viewModel.execute(.show(Form(name: "other")))
    #expect(ends.values.isEmpty)
    start.onNext(1)
    #expect(subscriptions.value == 0)
    #expect(ends.values == ["\(ParentAction.sheet(.save)) cancelled"])
  }

  // The engine ends the actions in the order in which they were executed, as it does for other cancellations.
  @Test func actionsOfAChildEndInTheirOrder() {
    let viewModel = ParentViewModel(
      feature, other: { viewModel, _ in viewModel.embed(viewModel.feature, .save, at: \.sheet) })
    let ends = viewModel.ends()
    let actions = (0..<20).map { ParentAction.other("\($0)") }
    viewModel.execute(.show(Form()))
    for action in actions { viewModel.execute(action) }
    viewModel.execute(.show(nil))
    #expect(ends.values == actions.map { "\($0) cancelled" })
  }

  @Test func eachSubscriptionEndsWithTheChild() {
    let viewModel = ParentViewModel(feature) { effect in .merge([effect, effect]) }
    viewModel.execute(.show(Form()))
    viewModel.execute(.sheet(.save))
    answer.onNext(7)
    viewModel.execute(.show(nil))
    #expect(!answer.hasObservers)
  }

  // MARK: Rows

  @Test func aRemovedRowEndsItsRequest() {
    let answers = (PublishSubject<Int>(), PublishSubject<Int>())
    struct Rows: Feature {
      let answers: (PublishSubject<Int>, PublishSubject<Int>)
      func createObservable(_ action: FormAction, state: Form) -> Observable<StateMapper<Form>> {
        (state.id == 1 ? answers.0 : answers.1).mutate { $0.saved = $1 }
      }
    }
    let rows = Rows(answers: answers)
    let viewModel = ParentViewModel(
      feature, other: { viewModel, note in viewModel.embed(rows, .save, at: \.rows, id: Int(note)!) })
    let ends = viewModel.ends()
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    viewModel.execute(.other("1"))
    viewModel.execute(.other("2"))
    // The rows change their order, one of them is edited, and a new one comes.
    viewModel.execute(.setRows([Form(id: 3), Form(id: 2), Form(id: 1, name: "edited")]))
    answers.0.onNext(1)
    #expect(ends.values.isEmpty)
    viewModel.execute(.setRows([Form(id: 2), Form(id: 3)]))
    #expect(!answers.0.hasObservers && answers.1.hasObservers)
    #expect(ends.values == ["\(ParentAction.other("1")) cancelled"])
    answers.1.onNext(2)
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

  // MARK: Features in features

  private struct Outer: Sendable, Equatable {
    var middle = Middle()
  }

  private struct Middle: Sendable, Equatable {
    var inner: Form? = Form()
  }

  private struct MiddleFeature: Feature {
    let form: FormFeature
    func createObservable(_ action: FormAction, state: Middle) -> Observable<StateMapper<Middle>> {
      guard let inner = state.inner else { return .empty() }
      return form.createObservable(action, state: inner).lifted(to: \.inner)
    }
  }

  private struct OuterFeature: Feature {
    let middle: MiddleFeature
    func createObservable(_ action: FormAction, state: Outer) -> Observable<StateMapper<Outer>> {
      middle.createObservable(action, state: state.middle).lifted(to: \.middle)
    }
  }

  private struct Root: Sendable, Equatable {
    var outer: Outer? = Outer()
  }

  private enum RootAction: Sendable, Equatable {
    case outer(FormAction)
    case closeInner, closeOuter
  }

  private final class RootViewModel: RxViewModel<RootAction, Root>, @unchecked Sendable {
    let feature: OuterFeature

    init(_ feature: OuterFeature) {
      self.feature = feature
      super.init(scheduler: ImmediateScheduler())
    }

    override func createInitialState() -> Root { Root() }

    override func createObservable(_ action: RootAction) -> Observable<StateMapper<Root>> {
      switch action {
      case .outer(let action): embed(feature, action, at: \.outer)
      case .closeInner: .mutate { $0.outer?.middle.inner = nil }
      case .closeOuter: .mutate { $0.outer = nil }
      }
    }
  }

  @Test func anEffectOfAGrandchildEndsWithTheEmbeddedChild() {
    let viewModel = RootViewModel(OuterFeature(middle: MiddleFeature(form: feature)))
    viewModel.execute(.outer(.setName("Ann")))
    #expect(viewModel.currentState.outer?.middle.inner?.name == "Ann")
    viewModel.execute(.outer(.save))
    viewModel.execute(.closeInner)
    #expect(answer.hasObservers)
    answer.onNext(7)
    #expect(viewModel.currentState == Root(outer: Outer(middle: Middle(inner: nil))))
    viewModel.execute(.closeOuter)
    #expect(!answer.hasObservers)
  }

  // MARK: With a test store

  @Test func aTestStoreSeesParentAndChild() throws {
    let scheduler = TestScheduler()
    let viewModel = ParentViewModel(feature, scheduler: scheduler)
    let store = TestStore(viewModel)
    try store.send(.show(Form())) { $0.sheet = Form() }
    try store.send(.sheet(.setName("Ann"))) { $0.sheet?.name = "Ann" }
    try store.send(.sheet(.save))
    try store.send(.show(nil)) { $0.sheet = nil }
    try store.expect(.cancelled, of: .sheet(.save))
    try store.finish()
    withExtendedLifetime(viewModel) {}
  }
}
