import RxViewModel
import RxViewModelTesting
import Testing

@testable import App

/// The README's two forms of one screen.
struct LoginFeatureTests {
  @Test func theFeatureSignsInAsTheSubclassDoes() throws {
    let states = try [
      { FeatureViewModel(Login(service: $0), initialState: LoginViewModel.State(), scheduler: $1) },
      { LoginViewModel(service: $0, scheduler: $1) },
    ].map {
      (makeViewModel: (any LoginService, TestScheduler) -> RxViewModel<LoginViewModel.Action, LoginViewModel.State>) in
      let scheduler = TestScheduler()
      let viewModel = makeViewModel(SlowLoginService(clock: scheduler.clock), scheduler)
      viewModel.execute(.setUsername("admin"))
      viewModel.execute(.setPassword("admin"))
      return try scheduler.perform(.login, on: viewModel)
    }
    #expect(states.map(\.token) == ["token", "token"])
    #expect(states[0] == states[1])
  }

  @Test func aRefusedLoginShowsNoSpinnerInEither() throws {
    let scheduler = TestScheduler()
    let service = SlowLoginService(clock: scheduler.clock)
    for viewModel in [
      FeatureViewModel(Login(service: service), initialState: LoginViewModel.State(), scheduler: scheduler),
      LoginViewModel(service: service, scheduler: scheduler),
    ] as [RxViewModel<LoginViewModel.Action, LoginViewModel.State>] {
      let isLoading = viewModel.isLoadingObservable.test(scheduler)
      #expect(throws: CancellationError.self) { try scheduler.perform(.login, on: viewModel) }
      #expect(isLoading.values == [false])
    }
  }
}
