import RxViewModel
import RxViewModelTesting
import Testing

// contract 2.19
struct FeatureTests {
  private let answer = PublishSubject<Int>()

  @Test func aFeatureIsAViewModelOfItsOwn() {
    let viewModel = FeatureViewModel(
      FormFeature(answer: answer.asObservable(), mode: .dropWhileBusy), initialState: Form(name: "Ann"),
      scheduler: ImmediateScheduler())
    let loading = viewModel.isLoadingObservable.test()
    #expect(viewModel.currentState == Form(name: "Ann"))
    viewModel.execute(.setName("Bob"))
    viewModel.execute(.save)
    viewModel.execute(.save)
    answer.onNext(1)
    answer.onCompleted()
    #expect(viewModel.currentState == Form(name: "Bob", saved: 1))
    #expect(loading.values == [false, true, false])
  }

  @Test func aFeatureNeedsNeitherModeNorSpinner() {
    struct Counter: Feature {
      func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Int>> {
        .just { _ in context.state + action }
      }
    }
    #expect(Counter().executionMode(for: 1) == .parallel)
    #expect(!Counter().showSpinner(1))
    let viewModel = FeatureViewModel(Counter(), initialState: 40, scheduler: ImmediateScheduler())
    viewModel.execute(2)
    #expect(viewModel.currentState == 42)
  }

  // MARK: Lanes

  private func timeline(_ actions: [ParentAction], _ mode: ExecutionMode) -> [String] {
    let viewModel = ParentViewModel(FormFeature(mode: mode))
    viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
    let started = viewModel.executionObservable.compactMap { $0.phase == .started ? "\($0.action)" : nil }.test()
    for action in actions { viewModel.execute(action) }
    withExtendedLifetime(viewModel) {}
    return started.values
  }

  @Test(arguments: [
    ExecutionMode.sequence, .dropWhileBusy, .sequence("save"), .dropWhileBusy("save"), .parallelDeferred,
    .parallel(limit: 1), .parallel("save", limit: 1),
  ])
  func twoRowsHaveSeparateLanes(_ mode: ExecutionMode) {
    let actions = [ParentAction.row(1, .save), .row(1, .save), .row(2, .save)]
    #expect(timeline(actions, mode) == actions.dropFirst().map { "\($0)" })
  }
}
