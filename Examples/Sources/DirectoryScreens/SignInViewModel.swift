import RxViewModel

public enum SignInAction: Sendable, Equatable, Codable {
  case setUsername(String)
  case setPassword(Password)
  case signIn
}

/// A password. A log and a recording show only its length.
public struct Password: Sendable, Equatable, Codable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  public var description: String { String(repeating: "•", count: text.count) }
}

public struct SignInState: Sendable, Equatable, Codable {
  public var username = ""
  public var password = Password("")
  public var error: String?
  public var isSignedIn = false

  /// The same rule as in LoginExample. Once the user has signed in, another screen follows.
  public var isSignInEnabled: Bool { !isSignedIn && username.count > 4 && password.text.count > 2 }
}

/// The first screen. It navigates to the people once the user has signed in.
// Sendable: it stores only `let`s.
public final class SignInViewModel: RxViewModel<SignInAction, SignInState>, @unchecked Sendable {
  private let service: any DirectoryService
  private let navigator: Navigator<DirectoryRoute>
  private let messages: Messages

  public init(
    service: any DirectoryService, navigator: Navigator<DirectoryRoute>, messages: Messages,
    scheduler: (any Scheduler)? = nil
  ) {
    self.service = service
    self.navigator = navigator
    self.messages = messages
    super.init(scheduler: scheduler)
  }

  override public func createInitialState() -> SignInState { SignInState() }

  override public func createObservable(_ action: SignInAction) -> Effect {
    switch action {
    case .setUsername(let username): .mutate { $0.username = username }
    case .setPassword(let password): .mutate { $0.password = password }
    case .signIn: signIn(currentState)
    }
  }

  override public func showSpinner(_ action: SignInAction) -> Bool { action == .signIn }

  override public func executionMode(for action: SignInAction) -> ExecutionMode {
    action == .signIn ? .dropWhileBusy : .parallel
  }

  override public func stateMapper(for error: any Error, action: SignInAction) -> StateMapper<SignInState>? {
    mutate { $0.error = message(of: error) }
  }

  /// The state shows the errors of the service.
  override public func handleError(_ error: any Error, action: SignInAction?) -> Bool {
    action == .signIn && error is DirectoryError
  }

  private func signIn(_ form: SignInState) -> Effect {
    // The view may not have disabled its button yet.
    guard form.isSignInEnabled else { return .declined() }
    let (navigator, messages, service) = (navigator, messages, service)
    let signedIn = Observable<Void>
      .task { try await service.signIn(username: form.username, password: form.password.text) }
      .do(onNext: {
        messages.send("Welcome, \(form.username)")
        navigator.navigate(.people)
      })
    return .mutate { $0.error = nil }.concat(signedIn.mutate { state, _ in state.isSignedIn = true })
  }
}
