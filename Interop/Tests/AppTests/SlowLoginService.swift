import Foundation
import RxViewModel
import RxViewModelTesting

@testable import App

struct NotReachable: LocalizedError {
  var errorDescription: String? { "Not reachable" }
}

/// Answers after a second. Fails for the password "error".
struct SlowLoginService: LoginService {
  let clock: TestClock

  func login(username: String, password: String) async throws -> String {
    try await clock.sleep(for: .seconds(1))
    if password == "error" { throw NotReachable() }
    return "token"
  }
}
