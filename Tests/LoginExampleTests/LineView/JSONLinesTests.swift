import Foundation
import RxViewModel
import Testing

@testable import LoginExample

@Suite(.hangLimit) struct JSONLinesTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: service)
  }

  private func start(_ console: ScriptedConsole) -> Task<ExitCode, Never> {
    let view = LineView(viewModel: viewModel, console: console, format: .json)
    return Task { await view.run() }
  }

  // One object a line for every event of the six streams; contract 2.7: in this order, to the last one.
  @Test func everyEventOfASuccess() async throws {
    let console = ScriptedConsole("admin\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().succeed("t")
    #expect(await exitCode.value == .success)
    let empty = #"{"username":"","passwordLength":0,"isLoginEnabled":false,"token":null}"#
    let named = #"{"username":"admin","passwordLength":0,"isLoginEnabled":false,"token":null}"#
    let entered = #"{"username":"admin","passwordLength":6,"isLoginEnabled":true,"token":null}"#
    let signedIn = #"{"username":"admin","passwordLength":6,"isLoginEnabled":true,"token":"t"}"#
    #expect(
      console.lines == [
        #"{"stream":"state","state":\#(empty)}"#,
        #"{"stream":"isLoading","isLoading":false}"#,
        #"{"stream":"execution","id":1,"action":"setUsername","mode":"parallel","phase":"started"}"#,
        #"{"stream":"state","state":\#(named)}"#,
        #"{"stream":"actionAndState","action":"setUsername","state":\#(named)}"#,
        #"{"stream":"execution","id":1,"action":"setUsername","mode":"parallel","phase":"emitted","state":\#(named)}"#,
        #"{"stream":"execution","id":1,"action":"setUsername","mode":"parallel","phase":"completed","state":\#(named)}"#,
        #"{"stream":"execution","id":2,"action":"setPassword","mode":"parallel","phase":"started"}"#,
        #"{"stream":"state","state":\#(entered)}"#,
        #"{"stream":"actionAndState","action":"setPassword","state":\#(entered)}"#,
        #"{"stream":"execution","id":2,"action":"setPassword","mode":"parallel","phase":"emitted","state":\#(entered)}"#,
        #"{"stream":"execution","id":2,"action":"setPassword","mode":"parallel","phase":"completed","state":\#(entered)}"#,
        #"{"stream":"isLoading","isLoading":true}"#,
        #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"started"}"#,
        #"{"stream":"state","state":\#(signedIn)}"#,
        #"{"stream":"actionAndState","action":"login","state":\#(signedIn)}"#,
        #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"emitted","state":\#(signedIn)}"#,
        #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"completed","state":\#(signedIn)}"#,
        #"{"stream":"isLoading","isLoading":false}"#,
      ])
  }

  // The two error streams.
  @Test(arguments: [
    (LoginError.wrongUsernameOrPassword, "wrongUsernameOrPassword", ExitCode.wrong),
    (LoginError.unexpected, "unexpected", ExitCode.unexpectedError),
  ])
  func everyEventOfAFailure(error: LoginError, name: String, expected: ExitCode) async throws {
    let console = ScriptedConsole("admin\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().fail(error)
    #expect(await exitCode.value == expected)
    #expect(
      console.lines.dropFirst(12) == [
        #"{"stream":"isLoading","isLoading":true}"#,
        #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"started"}"#,
        #"{"stream":"error","error":"\#(name)"}"#,
        #"{"stream":"actionAndError","action":"login","error":"\#(name)"}"#,
        #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"failed","error":"\#(name)"}"#,
        #"{"stream":"isLoading","isLoading":false}"#,
      ])
  }

  // A password is never printed anywhere, also where a service talks about it.
  @Test(arguments: [LineFormat.text, .json]) func noPassword(format: LineFormat) async throws {
    struct TalkativeError: Error, CustomStringConvertible {
      let description = "hunter2 is no good password"
    }
    let console = ScriptedConsole("admin\nhunter2\nadmin\nhunter2\nadmin\nhunter2\nx\nhunter2\nhalf")
    let view = LineView(viewModel: viewModel, console: console, format: format)
    let exitCode = Task { await view.run() }
    try await service.nextCall().fail(TalkativeError())
    try await service.nextCall().fail(LoginError.wrongUsernameOrPassword)
    try await service.nextCall().succeed("t")
    #expect(await exitCode.value == .incompleteInput)
    #expect(console.lines.count > 3)
    #expect(!console.output.contains("hunter2"))
    #expect(!console.errors.contains("hunter2"))
  }

  // Every line is a JSON object that names its stream, whatever the username.
  @Test(arguments: [
    "\"quoted\" \\back\\slashed\\", "\u{1B}[31mred\0nul\ttab", "next\u{85}line\u{2028}separator", "é e\u{301} 😀 🇳🇱 й",
    "carriage\rreturn",
  ])
  func everyLineIsJSON(username: String) async throws {
    let console = ScriptedConsole("\(username)\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().succeed("t")
    #expect(await exitCode.value == .success)
    let streams: Set = ["state", "actionAndState", "isLoading", "execution"]
    var usernames: Set<String> = []
    for line in console.lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(streams.contains(try #require(object["stream"] as? String)))
      if let state = object["state"] as? [String: Any] { usernames.insert(try #require(state["username"] as? String)) }
    }
    #expect(usernames == ["", username])
  }

  // What is dropped or cancelled is an event too.
  @Test func droppedAndCancelled() async throws {
    let lines = Recording(jsonLines(of: viewModel))
    viewModel.execute(.login)
    _ = try await service.nextCall()
    viewModel.execute(.login)
    let dropped = #"{"stream":"execution","id":2,"action":"login","mode":"dropWhileBusy","phase":"dropped"}"#
    #expect(try await lines.next { $0.contains("dropped") }.last == dropped)
    viewModel.cancelActions { $0 == .login }
    let cancelled = #"{"stream":"execution","id":1,"action":"login","mode":"dropWhileBusy","phase":"cancelled"}"#
    #expect(try await lines.next { $0.contains("cancelled") }.last == cancelled)
  }
}
