import RxViewModel
import RxViewModelTesting
import Testing

@testable import App

private struct NoService: LoginService {
  func login(username: String, password: String) async throws -> String { "token" }
}

@Test func typingEnablesTheButton() throws {
  let scheduler = TestScheduler()
  try withTestStore(LoginViewModel(service: NoService(), scheduler: scheduler)) { store in
    try store.send(.setUsername("admin")) { $0.username = "admin" }
    #expect(!store.state.isLoginEnabled)
    try store.send(.setPassword("admin")) { $0.password = "admin" }
    #expect(store.state.isLoginEnabled)
  }
}
