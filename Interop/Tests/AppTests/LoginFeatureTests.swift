import RxViewModel
import RxViewModelTesting
import Testing

@testable import App

/// The README's two forms of one screen.
struct LoginFeatureTests {
  private let scheduler = TestScheduler()

  private var feature: FeatureViewModel<Login> {
    FeatureViewModel(
      Login(service: SlowLoginService(clock: scheduler.clock)), initialState: Login.State(), scheduler: scheduler)
  }

  private var subclass: LoginViewModel {
    LoginViewModel(service: SlowLoginService(clock: scheduler.clock), scheduler: scheduler)
  }

  @Test func theFeatureSignsInAsTheSubclassDoes() throws {
    let feature = feature
    for action: Login.Action in [.setUsername("admin"), .setPassword("admin")] { feature.execute(action) }
    let subclass = subclass
    for action: LoginViewModel.Action in [.setUsername("admin"), .setPassword("admin")] { subclass.execute(action) }
    let states = (try scheduler.perform(.login, on: feature), try scheduler.perform(.login, on: subclass))
    #expect(states.0.token == "token")
    #expect("\(states.0)" == "\(states.1)")
  }

  @Test func aRefusedLoginShowsNoSpinnerInEither() throws {
    let (feature, subclass) = (feature, subclass)
    let isLoading = [feature.isLoadingObservable, subclass.isLoadingObservable].map { $0.test(scheduler) }
    #expect(throws: CancellationError.self) { try scheduler.perform(.login, on: feature) }
    #expect(throws: CancellationError.self) { try scheduler.perform(.login, on: subclass) }
    #expect(isLoading.map(\.values) == [[false], [false]])
  }
}
