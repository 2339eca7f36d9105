import RxViewModel

/// A view model and its screen: neither needs `nonisolated`.
// Sendable: it stores nothing.
final class CounterViewModel: RxViewModel<CounterViewModel.Action, CounterViewModel.State>, @unchecked Sendable {
  enum Action { case increment }

  struct State: Equatable { var count = 0 }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
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
