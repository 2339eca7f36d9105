import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 5: a write of a view model's property is shown until its action has folded once or ended
@Suite struct AnsweredWriteTests {
  private struct Choice: Sendable, Equatable {
    var filter = 0
    var rows = 0
  }

  private enum Action: Sendable, Equatable {
    case choose(Int)
    case set(Int)
  }

  /// The effect of `choose` is a subject for each number, so a test answers for it.
  // Sendable: it stores only `let`s.
  private final class ChoiceViewModel: RxViewModel<Action, Choice>, @unchecked Sendable {
    let answers: [PublishSubject<StateMapper<Choice>>] = (0..<10).map { _ in PublishSubject() }
    let mode: ExecutionMode

    init(_ mode: ExecutionMode = .parallel) {
      self.mode = mode
      super.init(scheduler: ImmediateScheduler())
    }

    override func createInitialState() -> Choice { Choice() }

    override func createObservable(_ action: Action) -> Effect {
      switch action {
      case .choose(let number): answers[number].asObservable()
      case .set(let number): .mutate { $0.filter = number }
      }
    }

    override func executionMode(for action: Action) -> ExecutionMode {
      if case .choose = action { mode } else { .parallel }
    }

    func answer(_ number: Int, _ change: @escaping @Sendable (inout Choice) throws -> Void) {
      answers[number].onNext { state in
        var state = state
        try change(&state)
        return state
      }
    }

    var filter: MutableProperty<Int> { property(\.filter, set: Action.choose) }
  }

  @Test func theFirstFoldOfAnEffectThatNeverEndsEndsTheWrite() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    let shown = filter.asObservable().test(TestScheduler())
    filter.value = 1
    viewModel.answer(1) { $0.filter = 1 }
    viewModel.execute(.set(5))
    #expect(filter.value == 5)
    #expect(shown.values == [0, 1, 5])
  }

  @Test func aFoldThatLeavesThePartAloneEndsTheWriteToo() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    let shown = filter.asObservable().test(TestScheduler())
    filter.value = 1
    viewModel.answer(1) { $0.rows = 1 }
    #expect(shown.values == [0, 1, 0])
  }

  @Test func anEffectThatNeverEndsCorrectsTheWrite() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    filter.value = 1
    viewModel.answer(1) { $0.filter = 7 }
    #expect(filter.value == 7)
  }

  @Test func otherActionsEndNoWrite() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    filter.value = 1
    viewModel.execute(.set(5))
    #expect(filter.value == 1)
    viewModel.answers[1].onCompleted()
    #expect(filter.value == 5)
  }

  @Test func onlyTheNewestWriteIsShownUntilItsOwnActionAnswers() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    let shown = filter.asObservable().test(TestScheduler())
    for number in [1, 2, 3] { filter.value = number }
    viewModel.answer(1) { $0.filter = 1 }
    viewModel.answers[2].onCompleted()
    #expect(filter.value == 3)
    viewModel.answer(3) { $0.filter = 3 }
    viewModel.answer(1) { $0.filter = 4 }
    #expect(shown.values == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [
    ExecutionMode.parallel, .sequence, .sequence("lane"), .parallel("lane", limit: 1), .dropWhileBusy("lane"),
    .switchLatest("lane"), .parallelOrdered,
  ])
  func inEachModeTheStatesValueIsShownWhenTheNewestHasEnded(_ mode: ExecutionMode) {
    let viewModel = ChoiceViewModel(mode)
    let filter = viewModel.filter
    filter.value = 1
    filter.value = 2
    if mode == .dropWhileBusy("lane") {
      // The newest write has ended at once, and the older one does not show again.
      #expect(filter.value == 0)
    } else {
      #expect(filter.value == 2)
    }
    viewModel.cancelActions { $0 == .choose(2) }
    #expect(filter.value == 0)
    viewModel.answer(1) { $0.filter = 1 }
    #expect(filter.value == viewModel.currentState.filter)
  }

  @Test func aMapperThatThrowsAndAFailureEndTheWrite() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    filter.value = 1
    viewModel.answer(1) { _ in throw TestError("mapper") }
    #expect(filter.value == 0)
    filter.value = 2
    viewModel.answers[2].onError(TestError("effect"))
    #expect(filter.value == 0)
  }

  @Test func aWriteInsideAMapperIsNewerThanItsFold() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    filter.value = 1
    viewModel.answer(1) { state in
      filter.value = 2
      state.filter = 1
    }
    #expect(filter.value == 2)
    viewModel.answer(2) { $0.filter = 2 }
    viewModel.execute(.set(3))
    #expect(filter.value == 3)
  }

  @Test func aWriteInAnswerToAFoldIsShown() {
    let viewModel = ChoiceViewModel()
    let filter = viewModel.filter
    filter.value = 1
    let observer = viewModel.stateObservable.subscribe { event in
      if case .next(let state) = event, state.filter == 1 { filter.value = 2 }
    }
    viewModel.answer(1) { $0.filter = 1 }
    #expect(filter.value == 2)
    observer.dispose()
  }
}
