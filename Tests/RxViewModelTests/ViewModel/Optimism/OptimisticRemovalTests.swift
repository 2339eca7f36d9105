import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private struct Sheet: Feature {
  struct State: Sendable, Equatable, Identifiable {
    var id = 1
    var number = 0
  }

  let answer: Observable<Int>

  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Effect {
    if action < 0 { return .error(RxError.timeout) }
    let effect: Effect = answer.mutate { $0.number = $1 }
    return action == 50 ? effect.then(51, on: context) : effect
  }
}

private struct SheetRow: Feature {
  struct State: Sendable, Equatable, Identifiable {
    var id = 2
    var sheet: Sheet.State? = Sheet.State()
  }

  enum Action: Sendable {
    case sheet(Int)
    case close, replace, closeOptimistically
  }

  let answer: Observable<Int>
  let closed: Observable<Int>

  func child(for action: Action) -> ChildAction<Action, State>? {
    guard case .sheet(let number) = action else { return nil }
    return .init(Sheet(answer: answer), number, at: \.sheet, as: Action.sheet)
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .close: closed.mutate { row, _ in row.sheet = nil }
    case .replace: closed.mutate { row, _ in row.sheet = Sheet.State(id: 5) }
    case .closeOptimistically, .sheet: closed.ignoreElements()
    }
  }

  func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? {
    if case .closeOptimistically = action { .change { $0.sheet = nil } } else { nil }
  }
}

private final class List: RxViewModel<List.Action, List.State>, @unchecked Sendable {
  struct State: Sendable, Equatable {
    var rows = [SheetRow.State()]
    var sheet: Sheet.State? = Sheet.State()
    var isLiked = false
  }

  enum Action: Sendable {
    case row(SheetRow.Action)
    case sheet(Int)
    case like, replaceSheet
  }

  let (answer, closed) = (PublishSubject<Int>(), PublishSubject<Int>())

  override func createInitialState() -> State { State() }

  override func child(for action: Action) -> ChildAction<Action, State>? {
    switch action {
    case .row(let action):
      .init(
        SheetRow(answer: answer.asObservable(), closed: closed.asObservable()), action, at: \.rows, id: 2,
        as: Action.row)
    case .sheet(let number): .init(Sheet(answer: answer.asObservable()), number, at: \.sheet, as: Action.sheet)
    case .like, .replaceSheet: nil
    }
  }

  override func createObservable(_ action: Action) -> Effect { closed.skip(1).ignoreElements() }

  override func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? {
    switch action {
    case .like: .change { $0.isLiked = true }
    case .replaceSheet: .change { $0.sheet = Sheet.State(id: 5) }
    case .row, .sheet: nil
    }
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<Action>) {}
}

// Contract 2.19, 2.20: which actions end when a child of a child is removed, or when a child is replaced.
struct OptimisticRemovalTests {
  private let scheduler = TestScheduler()

  /// The ends of the sheets' actions, and the errors, after a row with an unfinished sheet has done something.
  private func list(_ before: [List.Action], _ action: SheetRow.Action) -> (List, fates: TestObserver<String>) {
    let list = List(scheduler: scheduler)
    let fates = list.executionObservable.filter { if case .row(.sheet) = $0.action { true } else { false } }
      .map { "\($0.phase)" }.test()
    list.execute(.row(.sheet(1)))
    for action in before { list.execute(action) }
    list.execute(.row(action))
    scheduler.run()
    list.closed.onNext(0)
    scheduler.run()
    return (list, fates)
  }

  @Test(arguments: [false, true]) func aRowClosesItsSheet(besideALike: Bool) {
    let (list, fates) = list(besideALike ? [.like] : [], .close)
    #expect(fates.values == ["started", "cancelled"])
    #expect(list.currentState.rows[0].sheet == nil && list.currentState.isLiked == besideALike)
    #expect(!list.answer.hasObservers)
  }

  @Test func aRowReplacesItsSheetBesideALike() {
    let (list, fates) = list([.like], .replace)
    list.execute(.row(.sheet(2)))
    scheduler.run()
    #expect(list.currentState.rows[0].sheet?.id == 5)
    #expect(fates.values == ["started", "cancelled", "started"])
    list.answer.onNext(7)
    scheduler.run()
    #expect(list.currentState.rows[0].sheet?.number == 7)
  }

  @Test func aClosedSheetEndsWhenItsRowIsConfirmed() {
    let (list, fates) = list([], .closeOptimistically)
    #expect(fates.values == ["started"] && list.currentState.rows[0].sheet == nil)
    list.closed.onCompleted()
    scheduler.run()
    #expect(fates.values == ["started", "cancelled"])
    #expect(!list.answer.hasObservers)
  }

  // The failure of the old sheet is kept for a view.
  @Test(arguments: [0, -1]) func aNewSheetTakesActionsAfterTheOldOne(first: Int) {
    let list = List(scheduler: scheduler)
    list.execute(.sheet(first))
    scheduler.run()
    list.cancelActions { if case .sheet = $0 { true } else { false } }
    list.execute(.replaceSheet)
    list.execute(.sheet(3))
    scheduler.run()
    #expect(list.currentState.sheet?.id == 5)
    #expect(list.answer.hasObservers)
  }

  // The next action belongs to the child that is hidden, and not yet removed.
  @Test func anActionBehindOneOfAHiddenChildIsDropped() {
    let list = List(scheduler: scheduler)
    let fates = list.executionObservable.filter { if case .sheet = $0.action { true } else { false } }
      .map { "\($0.id) \($0.phase)".prefix(11) }.test()
    list.execute(.sheet(50))
    list.execute(.replaceSheet)
    scheduler.run()
    list.answer.onCompleted()
    scheduler.run()
    #expect(fates.values == ["1 started", "1 emitted S", "1 completed", "3 dropped"])
  }
}
