import RxViewModel
import RxViewModelTesting
import Testing
import UIKit

@testable import App

/// The README's UIKit screen, with the stub's own controls.
// contract 3.6
@MainActor struct LoginViewControllerTests {
  /// The controls of the screen, which are private to it.
  private struct Controls {
    let username: UITextField
    let password: UITextField
    let signIn: UIButton
    let message: UILabel

    init(of screen: LoginViewController) throws {
      let properties = Dictionary(
        uniqueKeysWithValues: Mirror(reflecting: screen).children.map { ($0.label ?? "", $0.value) })
      username = try #require(properties["username"] as? UITextField)
      password = try #require(properties["password"] as? UITextField)
      signIn = try #require(properties["signIn"] as? UIButton)
      message = try #require(properties["message"] as? UILabel)
    }

    @MainActor func type(_ text: String, into field: UITextField) {
      field.text = text
      field.sendActions(for: .editingChanged)
    }
  }

  @Test func theMessageIsNeverStale() throws {
    let scheduler = TestScheduler()
    let viewModel = LoginViewModel(service: SlowLoginService(clock: scheduler.clock), scheduler: scheduler)
    let screen = LoginViewController(viewModel)
    screen.viewDidLoad()
    let controls = try Controls(of: screen)
    #expect(controls.message.text == nil && !controls.signIn.isEnabled)

    controls.type("admin", into: controls.username)
    controls.type("error", into: controls.password)
    scheduler.run()
    #expect(controls.signIn.isEnabled)
    #expect(!controls.password.isFirstResponder)
    controls.signIn.sendActions(for: .touchUpInside)
    scheduler.run()
    #expect(controls.message.text == "Sign-in failed: Not reachable")
    #expect(controls.password.isFirstResponder)

    // The next attempt clears the message while it runs, and so does typing.
    controls.signIn.sendActions(for: .touchUpInside)
    scheduler.advance()
    #expect(controls.message.text == "")
    scheduler.run()
    #expect(controls.message.text == "Sign-in failed: Not reachable")
    controls.type("admin", into: controls.password)
    scheduler.advance()
    #expect(controls.message.text == "")

    controls.signIn.sendActions(for: .touchUpInside)
    scheduler.run()
    #expect(controls.message.text == "Signed in as admin")
    controls.type("other", into: controls.username)
    scheduler.run()
    #expect(controls.message.text == "")
    withExtendedLifetime(screen) {}
  }
}
