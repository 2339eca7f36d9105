// The login of the page *From a bug report to a test*, word for word. `SnippetTests` compares the two.
import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 9.2
/// The article on recordings redacts a login.
struct FromABugReportRedactionSnippets {
  // The tests of other articles have types with these names. The view model is LoginExample's.
  typealias Recorder = RxViewModelRecording.Recorder

  nonisolated enum LoginAction: Codable, Sendable {
    case setUsername(String)
    case setPassword(String)
    case login
  }

  nonisolated struct LoginState: Codable, Sendable, Equatable {
    var username = ""
    var password = ""
    var token: String?
  }

  nonisolated enum LoginError: Error, Codable {
    case wrongUsernameOrPassword
  }

  nonisolated protocol LoginService: Sendable {
    func login(username: String, password: String) async throws -> String
  }

  class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
    private let service: any LoginService

    init(service: any LoginService, scheduler: (any Scheduler)? = nil) {
      self.service = service
      super.init(initialState: LoginState(), scheduler: scheduler)
    }

    override func createObservable(_ action: LoginAction) -> Effect {
      switch action {
      case .setUsername(let username): return .mutate { $0.username = username }
      case .setPassword(let password): return .mutate { $0.password = password }
      case .login:
        let (service, form) = (service, currentState)
        return Observable.task { try await service.login(username: form.username, password: form.password) }
          .mutate { $0.token = $1 }
      }
    }
  }

  static func login(
    _ recorder: Recorder, on scheduler: (any Scheduler)? = nil, service: any LoginService
  ) -> LoginViewModel {
    recorder.redact(LoginAction.self) { action in
      if case .setPassword(let password) = action { .setPassword(hidden(password)) } else { action }
    }
    recorder.redact(LoginState.self) { state in
      var state = state
      state.password = hidden(state.password)
      state.token = state.token.map { _ in "token" }
      return state
    }
    recorder.redact(Token.self) { _ in Token(text: "token") }
    recorder.encode(errors: LoginError.self)
    return recorder.record("login") {
      LoginViewModel(service: RecordedLogin(service: service, recorder: recorder), scheduler: scheduler)
    }
  }

  /// Keeps the length, because the view model counts the characters.
  nonisolated static func hidden(_ text: String) -> String { String(repeating: "•", count: text.count) }

  /// A type of its own: a redaction of `String` would change every text.
  nonisolated struct Token: Codable {
    var text: String
  }

  nonisolated struct RecordedLogin: LoginService {
    let service: any LoginService
    let recorder: Recorder

    func login(username: String, password: String) async throws -> String {
      try await recorder.answer("login of \(username)") {
        Token(text: try await service.login(username: username, password: password))
      }.text
    }
  }

  // MARK: A folder of sessions

  nonisolated struct NoLogin: LoginService {
    func login(username: String, password: String) async throws -> String { throw LoginError.wrongUsernameOrPassword }
  }

  nonisolated private struct Login: LoginService {
    func login(username: String, password: String) async throws -> String { "secret" }
  }

  /// Records a login in a file of a folder.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let (recorder, scheduler) = (Recorder(), TestScheduler())
    let model = Self.login(recorder, on: scheduler, service: Login())
    for action in [LoginAction.setUsername("anna"), .setPassword("swordfish"), .login] { model.execute(action) }
    scheduler.run()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Sessions-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("login.recording")
    try recorder.recording.description.write(to: url, atomically: true, encoding: .utf8)
    try body(folder.path)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.asyncEffects) func theFolderIsATest() throws {
    try withFolder { folder in
      // The article's code.
      try replay(allIn: folder) { run in
        let model = Self.login(run.recorder, on: run.scheduler, service: NoLogin())
        try run.play()
        withExtendedLifetime(model) {}
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(.asyncEffects) func aTokenThatIsAnotherOneIsAcceptedInACommonForm() throws {
    try withFolder { folder in
      let file = folder + "/login.recording"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacingOccurrences(of: #""token":"token""#, with: #""token":"old""#)
        .write(toFile: file, atomically: true, encoding: .utf8)
      #expect(throws: TestFailure.self) { try replay(allIn: folder) { run in try play(run) {} } }
      try replay(allIn: folder) { run in
        try play(run) {
          run.compare(LoginState.self) { state in
            var state = state
            state.token = nil
            return state
          }
        }
      }
    }
  }

  private func play(_ run: Replay, _ prepare: () -> Void) throws {
    prepare()
    let model = Self.login(run.recorder, on: run.scheduler, service: NoLogin())
    try run.play()
    withExtendedLifetime(model) {}
  }

  // MARK: An app of features

  struct Form: Feature {
    typealias Output = String

    enum Action: Codable, Sendable {
      case submit(String)
    }

    struct State: Codable, Sendable, Equatable {
      var password = ""
    }

    func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
      guard case .submit(let password) = action else { return .empty() }
      return .mutate { form in
        form.password = password
        context.output(password)
      }
    }
  }

  struct Root: Feature {
    enum Action: Codable, Sendable {
      case form(Form.Action)
      case formDone(String)
    }

    struct State: Codable, Sendable, Equatable {
      var form = Form.State()
    }

    func child(for action: Action) -> ChildAction<Action, State>? {
      guard case .form(let action) = action else { return nil }
      return .init(Form(), action, at: \.form, as: Action.form, output: Action.formDone)
    }

    func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
      .empty()
    }
  }

  /// The kinds of the lines with the password.
  private func record(_ redact: (Recorder) -> Void) -> Set<String> {
    let (scheduler, recorder) = (TestScheduler(), Recorder())
    redact(recorder)
    let model = recorder.record("root") { FeatureViewModel(Root(), initialState: .init(), scheduler: scheduler) }
    model.execute(.form(.submit("swordfish")))
    scheduler.run()
    let lines = "\(recorder.recording)".split(separator: "\n").filter { $0.contains("swordfish") }
    return Set(lines.map { String($0.dropFirst(2).prefix { $0 != "\"" }) })
  }

  @Test func onlyTheTopmostLevelIsRedacted() {
    let ofTheChild = record { recorder in
      recorder.redact(Form.Action.self) { _ in .submit("") }
      recorder.redact(Form.State.self) { _ in Form.State() }
    }
    #expect(ofTheChild == ["action", "own", "state"])
    for redactsOutputs in [false, true] {
      let ofTheRoot = record { recorder in
        recorder.redact(Root.State.self) { _ in Root.State() }
        recorder.redact(Root.Action.self) { action in
          if case .form = action { .form(.submit("")) } else { redactsOutputs ? .formDone("") : action }
        }
      }
      #expect(ofTheRoot == (redactsOutputs ? [] : ["own"]))
    }
  }

  nonisolated struct OneUser: LoginService {
    func login(username: String, password: String) async throws -> String {
      if password != "swordfish" { throw LoginError.wrongUsernameOrPassword }
      return "4711"
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func neitherThePasswordNorTheTokenIsInTheText() async throws {
    let recorder = Recorder()
    let model = Self.login(recorder, service: OneUser())
    try await model.perform(.setUsername("admin"))
    try await model.perform(.setPassword("wrong"))
    await #expect(throws: LoginError.wrongUsernameOrPassword) { try await model.perform(.login) }
    try await model.perform(.setPassword("swordfish"))
    try await model.perform(.login)
    let text = recorder.recording.description
    #expect(text.contains("admin"))
    for secret in ["swordfish", "wrong\"", "4711"] { #expect(!text.contains(secret), "\(text)") }
    let state = Locked<LoginState?>(nil)
    let errors = Locked<[any Error]>([])
    let report = try replay(Recording(text)) { run in
      let model = Self.login(run.recorder, on: run.scheduler, service: OneUser())
      let subscription = model.errorObservable.subscribe(onNext: { error in errors.mutate { $0.append(error) } })
      try run.play()
      state.mutate { $0 = model.currentState }
      withExtendedLifetime(subscription) {}
    }
    #expect(report.departures == [])
    #expect(state.value == LoginState(username: "admin", password: "•••••••••", token: "token"))
    #expect(errors.value.count == 1 && errors.value[0] is LoginError)
  }
}
