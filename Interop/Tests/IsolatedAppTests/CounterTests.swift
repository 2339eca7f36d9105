import RxViewModelTesting
import Testing

@testable import App

@MainActor
struct CounterTests {
  @Test func aScreenInAModuleOnTheMainActorWorks() async throws {
    let viewModel = CounterViewModel()
    let screen = CounterScreen(viewModel)
    #expect(screen.text == "0")
    try await screen.tap()
    #expect(viewModel.currentState == CounterViewModel.State(count: 1))
  }

  @Test func itsStateIsEquatableForTheTestKit() throws {
    let scheduler = TestScheduler()
    let viewModel = CounterViewModel(scheduler: scheduler)
    try withTestStore(viewModel) { store in
      try store.send(.increment) { $0.count = 1 }
    }
  }
}
