import RxViewModel

// *Troubleshooting and questions* shows this for a module that isolates everything to the main actor: the view model and its types are
// `nonisolated`.

nonisolated enum CounterAction { case increment }

nonisolated struct CounterState: Equatable { var count = 0 }

// Sendable: it stores nothing.
nonisolated final class CounterViewModel: RxViewModel<CounterAction, CounterState>, @unchecked Sendable {
  override func createInitialState() -> CounterState { CounterState() }

  override func createObservable(_ action: CounterAction) -> Effect {
    .mutate { $0.count += 1 }
  }
}

final class CounterScreen {
  private(set) var text = ""
  private let viewModel: CounterViewModel
  private let bag = DisposeBag()

  init(_ viewModel: CounterViewModel) {
    self.viewModel = viewModel
    viewModel.stateObservable.distinctUntilChanged().bind { [weak self] state in self?.text = "\(state.count)" }
      .disposed(by: bag)
  }

  func tap() async throws {
    _ = try await viewModel.perform(.increment)
  }
}
