import Foundation
import RxViewModel
import Testing

@testable import LoginExample

@MainActor
@Suite(.hangLimit) struct JSONLinesTests {
  private let service = FakeLoginService()
  private let viewModel: LoginViewModel

  init() {
    viewModel = LoginViewModel(service: service, scheduler: MainScheduler())
  }

  private func start(_ console: ScriptedConsole, isJSON: Bool = true) -> Task<ExitCode, any Error> {
    let view = LineView(viewModel: viewModel, console: console.console, isJSON: isJSON)
    return Task { try await view.run() }
  }

  /// The objects with sorted members.
  private func sorted(_ lines: [String]) throws -> [String] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }
  }

  // Each event of the six streams is an object on a line of its own. contract 2.7: the order, up to the last event.
  @Test func everyEventOfASuccess() async throws {
    let console = try ScriptedConsole("admin\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().succeed("t")
    #expect(try await exitCode.value == .success)
    let empty = #"{"username":"","passwordLength":0,"isLoginEnabled":false,"token":null}"#
    let named = #"{"username":"admin","passwordLength":0,"isLoginEnabled":false,"token":null}"#
    let entered = #"{"username":"admin","passwordLength":6,"isLoginEnabled":true,"token":null}"#
    let signedIn = #"{"username":"admin","passwordLength":6,"isLoginEnabled":true,"token":"t"}"#
    let expected = [
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
    ]
    #expect(try sorted(console.lines) == sorted(expected))
  }

  @Test(arguments: [
    (LoginError.wrongUsernameOrPassword, "wrongUsernameOrPassword", ExitCode.wrong),
    (LoginError.unexpected, "unexpected", ExitCode.unexpectedError),
  ])
  func everyEventOfAFailure(error: LoginError, name: String, expected: ExitCode) async throws {
    let console = try ScriptedConsole("admin\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().fail(error)
    #expect(try await exitCode.value == expected)
    let lines = [
      #"{"stream":"isLoading","isLoading":true}"#,
      #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"started"}"#,
      #"{"stream":"error","error":"\#(name)"}"#,
      #"{"stream":"actionAndError","action":"login","error":"\#(name)"}"#,
      #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"failed","error":"\#(name)"}"#,
      #"{"stream":"isLoading","isLoading":false}"#,
    ]
    #expect(try sorted(Array(console.lines.dropFirst(12))) == sorted(lines))
  }

  // The program never prints a password, even if an error of the service contains it.
  @Test(arguments: [false, true]) func noPassword(isJSON: Bool) async throws {
    struct TalkativeError: Error, CustomStringConvertible {
      let description = "hunter2 is no good password"
    }
    let console = try ScriptedConsole("admin\nhunter2\nadmin\nhunter2\nadmin\nhunter2\nx\nhunter2\nhalf")
    let exitCode = start(console, isJSON: isJSON)
    try await service.nextCall().fail(TalkativeError())
    try await service.nextCall().fail(LoginError.wrongUsernameOrPassword)
    try await service.nextCall().succeed("t")
    await #expect(throws: Failure(exitCode: .incompleteInput, message: "the input ends inside a pair")) {
      try await exitCode.value
    }
    #expect(console.lines.count > 3)
    #expect(!console.output.contains("hunter2"))
    #expect(!console.errors.contains("hunter2"))
  }

  // Every line is a JSON object that names its stream, for any username.
  @Test(arguments: [
    "\"quoted\" \\back\\slashed\\", "\u{1B}[31mred\0nul\ttab", "next\u{85}line\u{2028}separator", "é e\u{301} 😀 🇳🇱 й",
    "carriage\rreturn",
  ])
  func everyLineIsJSON(username: String) async throws {
    let console = try ScriptedConsole("\(username)\nsecret\n")
    let exitCode = start(console)
    try await service.nextCall().succeed("t")
    #expect(try await exitCode.value == .success)
    let streams: Set = ["state", "actionAndState", "isLoading", "execution"]
    var usernames: Set<String> = []
    for line in console.lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(streams.contains(try #require(object["stream"] as? String)))
      if let state = object["state"] as? [String: Any] { usernames.insert(try #require(state["username"] as? String)) }
    }
    #expect(usernames == ["", username])
  }

  @Test func droppedAndCancelled() async throws {
    var lines: [String] = []
    let bag = DisposeBag()
    jsonLines(of: viewModel).bind { lines.append($0) }.disposed(by: bag)
    viewModel.execute(.setUsername("admin"))
    viewModel.execute(.setPassword("secret"))
    viewModel.execute(.login)
    _ = try await service.nextCall()
    viewModel.execute(.login)
    let dropped = #"{"stream":"execution","id":4,"action":"login","mode":"dropWhileBusy","phase":"dropped"}"#
    #expect(try sorted(lines).last == sorted([dropped]).last)
    viewModel.cancelActions { $0 == .login }
    let cancelled = #"{"stream":"execution","id":3,"action":"login","mode":"dropWhileBusy","phase":"cancelled"}"#
    #expect(try sorted(lines).suffix(2).first == sorted([cancelled]).first)
    withExtendedLifetime(bag) {}
  }
}
