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
    screen.tap("Sign In")
    scheduler.advance()
  }

  @Test func theScreenShowsTheStateAndTheActivity() {
    let viewModel = makeViewModel()
    let screen = Screen(LoginView(viewModel: viewModel))
    #expect(screen.lines == ["Username: ", "Password: ", "(Sign In)"])
    screen.type("admin", into: "Username")
    // The field shows an edit at once, before its action has run.
    #expect(screen.lines == ["Username: admin", "Password: ", "(Sign In)"])
    signIn(screen, password: "admin")
    #expect(screen.lines == ["Username: admin", "Password: admin", "(Sign In)", "…", "Signing in…"])
    scheduler.run()
    #expect(screen.lines == ["Username: admin", "Password: admin", "[Sign In]", "Signed in as admin"])
  }

  @Test func theScreenShowsAFailureUntilItIsDismissed() {
    let viewModel = makeViewModel()
    let screen = Screen(LoginView(viewModel: viewModel))
    let form = ["Username: admin", "Password: error", "[Sign In]"]
    let loading = ["Username: admin", "Password: error", "(Sign In)", "…", "Signing in…"]
    let alert = "! Sign-In Failed | Not reachable | [Try Again] | [Cancel]"
    signIn(screen, password: "error")
    #expect(screen.lines == loading)
    scheduler.run()
    #expect(screen.lines == form + [alert])
    screen.tapInAlert("Try Again")
    scheduler.advance()
    #expect(screen.lines == loading)
    scheduler.run()
    #expect(screen.lines == form + [alert])
    screen.tapInAlert("Cancel")
    #expect(screen.lines == form)
  }

  @Test func theReturnKeySignsInOnce() {
    let viewModel = makeViewModel()
    let screen = Screen(LoginView(viewModel: viewModel))
    let dropped = viewModel.executionObservable.filter { if case .dropped = $0.phase { true } else { false } }.test(
      scheduler)
    screen.submit()
    scheduler.run()
    #expect(viewModel.currentState == LoginViewModel.State())
    screen.type("admin", into: "Username")
    screen.type("admin", into: "Password")
    scheduler.advance()
    screen.submit()
    screen.submit()
    scheduler.run()
    #expect(viewModel.currentState.token == "token")
    #expect(dropped.values.count == 1)
  }

  @Test func theScreenHoldsItsViewModel() {
    let screen = Screen(LoginScreen(service: SlowLoginService(clock: scheduler.clock)))
    #expect(screen.lines == ["Username: ", "Password: ", "(Sign In)"])
    screen.type("admin", into: "Username")
    #expect(screen.lines == ["Username: admin", "Password: ", "(Sign In)"])
  }

  @Test func aViewShowsTheViewModelThatItsParentPasses() {
    let (first, second) = (makeViewModel(), makeViewModel())
    let screen = Screen(LoginView(viewModel: first))
    signIn(screen, password: "admin")
    scheduler.run()
    let shownOfFirst = ["Username: admin", "Password: admin", "[Sign In]", "Signed in as admin"]
    #expect(screen.lines == shownOfFirst)
    screen.show(LoginView(viewModel: second))
    #expect(screen.lines == ["Username: ", "Password: ", "(Sign In)"])
    screen.type("other", into: "Username")
    #expect(screen.lines == ["Username: other", "Password: ", "(Sign In)"])
    screen.show(LoginView(viewModel: first))
    #expect(screen.lines == shownOfFirst)
  }
}
