import RxViewModel
import RxViewModelTesting
import SwiftUI
import Testing

@testable import App

/// The README's SwiftUI screen, with the parts that the stub of SwiftUI reads from it.
// contract 3.5
@MainActor struct LoginViewTests {
  private let scheduler = TestScheduler()

  private func makeViewModel() -> LoginViewModel {
    LoginViewModel(service: SlowLoginService(clock: scheduler.clock), scheduler: scheduler)
  }

  private func signIn(_ screen: Screen<LoginView>, password: String) {
    screen.type("admin", into: "Username")
    screen.type(password, into: "Password")
    scheduler.advance()
    screen.tap("Sign in")
    scheduler.advance()
  }

  @Test func theScreenShowsTheStateAndTheActivity() {
    let viewModel = makeViewModel()
    let screen = Screen(LoginView(viewModel: viewModel))
    #expect(screen.lines == ["Username: ", "Password: ", "(Sign in)"])
    screen.type("admin", into: "Username")
    // The field shows an edit at once, before its action has run.
    #expect(screen.lines == ["Username: admin", "Password: ", "(Sign in)"])
    signIn(screen, password: "admin")
    #expect(screen.lines == ["Username: admin", "Password: admin", "[Sign in]", "…"])
    scheduler.run()
    #expect(screen.lines == ["Username: admin", "Password: admin", "[Sign in]", "Signed in as admin"])
  }

  @Test func theScreenShowsAFailureUntilItIsDismissed() {
    let viewModel = makeViewModel()
    let screen = Screen(LoginView(viewModel: viewModel))
    let form = ["Username: admin", "Password: error", "[Sign in]"]
    let alert = "! Sign-in failed | NotReachable() | [Try again] | [Cancel]"
    signIn(screen, password: "error")
    #expect(screen.lines == form + ["…"])
    scheduler.run()
    #expect(screen.lines == form + [alert])
    screen.tapInAlert("Try again")
    scheduler.advance()
    #expect(screen.lines == form + ["…"])
    scheduler.run()
    #expect(screen.lines == form + [alert])
    screen.tapInAlert("Cancel")
    #expect(screen.lines == form)
  }

  @Test func aViewShowsTheViewModelThatItsParentPasses() {
    let (first, second) = (makeViewModel(), makeViewModel())
    let screen = Screen(LoginView(viewModel: first))
    signIn(screen, password: "admin")
    scheduler.run()
    let shownOfFirst = ["Username: admin", "Password: admin", "[Sign in]", "Signed in as admin"]
    #expect(screen.lines == shownOfFirst)
    screen.show(LoginView(viewModel: second))
    #expect(screen.lines == ["Username: ", "Password: ", "(Sign in)"])
    screen.type("other", into: "Username")
    #expect(screen.lines == ["Username: other", "Password: ", "(Sign in)"])
    screen.show(LoginView(viewModel: first))
    #expect(screen.lines == shownOfFirst)
  }
}
