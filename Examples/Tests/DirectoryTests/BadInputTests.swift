import NIOCore
import NIOHTTP1
import RxViewModelTesting
import Testing

@testable import Directory

/// The server answers bad input with a status and an error message, and the tabs do not change.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BadInputTests {
  /// Expects a status, and an error message that is a sentence and contains `text`.
  private func expect(
    _ answer: Client.Answer, _ status: Int, _ text: String = "", _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, sourceLocation: location)
    #expect(answer.body.contains(/^{"error":{"message":"[A-Z0-9].+\."}}$/), "\(answer)", sourceLocation: location)
    #expect(text.isEmpty || answer.body.contains(text), "\(answer)", sourceLocation: location)
  }

  @Test @MainActor func theServerSaysWhyATabDoesNotExist() async throws {
    let scheduler = TestScheduler()
    try await withDirectory { other, _ in
      let tabOfAnotherServer = try await TestPage(other).id
      try await withDirectory(scheduler: scheduler) { client, _ in
        let id = try await TestPage(client).id
        await MainActor.run { scheduler.advance(by: .seconds(60)) }
        let action = #"{"number":1,"seen":0,"action":{"seen":{}}}"#
        expect(
          try await client.send(.POST, "/tabs/\(id)/actions", action), 404,
          "This tab was disconnected for too long. Reload the page to start again.")
        expect(
          try await client.send(.POST, "/tabs/\(tabOfAnotherServer)/actions", action), 404,
          "The server has been restarted. Reload the page to start again.")
      }
    }
  }

  @Test func aTabThatDoesNotExistIsNotFound() async throws {
    try await withDirectory { client, _ in
      for id in ["unknown", "%00", "..%2F..", String(repeating: "x", count: 10_000)] {
        expect(try await client.send(.GET, "/tabs/\(id)/events"), 404)
        expect(try await client.send(.GET, "/tabs/\(id)/state"), 404)
        expect(try await client.send(.GET, "/tabs/\(id)/recording"), 404)
        expect(try await client.send(.POST, "/tabs/\(id)/actions", #"{"number":1,"seen":0,"action":{"seen":{}}}"#), 404)
      }
    }
  }

  @Test func aPathThatDoesNotExistIsNotFound() async throws {
    try await withDirectory { client, _ in
      expect(try await client.send(.GET, "/nothing"), 404)
      expect(try await client.send(.POST, "/people"), 404)
      expect(try await client.send(.DELETE, "/tabs"), 404)
    }
  }

  @Test(arguments: [
    ("", 400, "not JSON"), ("{", 400, "not JSON"), ("nothing", 400, "not JSON"), ("\u{0}", 400, "not JSON"),
    ("[]", 400, "not a JSON object"), ("null", 400, "not a JSON object"),
    (#"{"number": 1, "seen": 0}"#, 400, #"has no \"action\""#),
    (#"{"number": 1, "seen": 0, "action": {"destroy": {}}}"#, 400, #"does not understand \"action\""#),
    (#"{"number": 1, "seen": 0, "action": {"signIn": {}, "loadMore": {}}}"#, 400, #"understand \"action\""#),
    (#"{"number": 1, "seen": 0, "action": {"open": {"id": "one"}}}"#, 400, #"understand \"action.open.id\""#),
    (#"{"number": 1, "seen": 0, "action": {"open": {"id": 1.5}}}"#, 400, #"understand \"action.open.id\""#),
    (#"{"number": 1, "seen": 0, "action": {"open": {}}}"#, 400, #"has no \"action.open.id\""#),
    (#"{"number": 1, "seen": 0, "action": {"pick": {"color": "pink"}}}"#, 400, #"\"action.pick.color\""#),
    (#"{"number": 1e99, "seen": 0, "action": {"signIn": {}}}"#, 400, #"understand \"number\""#),
    (#"{"number": 1, "seen": 0.5, "action": {"signIn": {}}}"#, 400, #"understand \"seen\""#),
    (String(repeating: "[", count: 10_000), 400, "JSON"),
    (
      #"{"number": 1, "seen": 0, "action": {"type": {"text": "\#(String(repeating: "a", count: 17_000))"}}}"#, 413,
      "too long"
    ),
    (String(repeating: "a", count: 3_000_000), 413, "too long"),
    // An action of a screen that is not shown.
    (#"{"number": 1, "seen": 0, "action": {"open": {"id": 1}}}"#, 409, "The screen has changed meanwhile."),
  ])
  func aBodyThatIsNotAnActionIsRefused(body: String, status: Int, text: String) async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      expect(try await client.send(.POST, "/tabs/\(page.id)/actions", body), status, text)
      #expect(try await page.send(#"{"setUsername": {"text": "me"}}"#, number: 2) == 204)
      try await page.state("the tab executes the next action") { $0.username == "me" }
    }
  }

  // A form on another site cannot send a request with the content type of JSON.
  @Test func aBodyWithoutTheContentTypeOfJSONIsRefused() async throws {
    try await withDirectory { client, tabs in
      expect(try await client.send(.POST, "/tabs", #"{"path": "/"}"#, headers: ["Content-Type": "text/plain"]), 415)
      expect(try await client.send(.POST, "/tabs", #"{"path": "/"}"#, headers: [:]), 415)
      #expect(await tabs.count == 0)
    }
  }

  @Test func invalidNumbersAndPathsDoNoHarm() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/99999999999999999999/../%2e")
      try await page.signIn()
      for seen in [Int.max, Int.min, -1] {
        _ = try await client.send(
          .POST, "/tabs/\(page.id)/actions", #"{"number": \#(Int.min), "seen": \#(seen), "action": {"signIn": {}}}"#)
      }
      _ = try await page.events(after: .max) { $0.text.contains("reload") }
      for path in ["", "people", "/people/-1", "/people/200", "/people/1/2/3", "//", "\u{1F600}"] {
        #expect(try await page.send(#"{"go": {"path": "\#(path)"}}"#) == 204)
      }
      #expect(try await page.send(#"{"go": {"path": "/people"}}"#) == 204)
      try await page.state("the list is shown") { $0.paths == ["/people"] }
    }
  }

  // A website may make its name resolve to this machine. The browser then sends the name of that site.
  @Test func aRequestForAnotherHostIsRefused() async throws {
    @Sendable func answer(_ client: Client, _ host: String) async throws -> Client.Answer {
      try await client.send(.GET, "/", headers: ["Host": host])
    }
    try await withDirectory { client, tabs in
      for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:\(client.port)", "[::1]:8080"] {
        #expect(try await answer(client, host).status == 200, "\(host)")
      }
      for host in [
        "evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1", "127.0.0.1@evil", "", "[", ":80",
      ] {
        expect(try await answer(client, host), 421)
      }
      let headers: HTTPHeaders = ["Host": "evil.example", "Content-Type": "application/json"]
      expect(try await client.send(.POST, "/tabs", #"{"path": "/"}"#, headers: headers), 421)
      #expect(await tabs.count == 0)
    }
    try await withDirectory(host: "0.0.0.0") { client, _ in
      #expect(try await answer(client, "10.0.0.1").status == 200)
      expect(try await answer(client, "evil.example"), 421)
    }
  }

  // 80 connections are the maximum here.
  @Test func slowClientsDoNotKeepOthersOut() async throws {
    try await withDirectory(maximumConnections: 80) { client, _ in
      var slow: [any Channel] = []
      for _ in 0..<40 {
        slow.append(try await client.begin("GET / HTTP/1.1\r\nHo"))
        slow.append(try await client.begin("POST /tabs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{"))
      }
      let start = ContinuousClock.now
      #expect(try await client.send(.GET, "/").status == 200)
      #expect(ContinuousClock.now - start < .seconds(5))
      for channel in slow { channel.close(promise: nil) }
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHo", "POST /tabs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"])
  func aRequestThatTakesTooLongClosesItsConnection(text: String) async throws {
    try await withDirectory(requestTime: .milliseconds(100)) { client, _ in
      let start = ContinuousClock.now
      try await client.begin(text).closeFuture.get()
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  // In virtual time, in which no tab is removed after its minute without a page.
  @Test func theServerOpensNoMoreTabsThanItsLimit() async throws {
    try await withDirectory(limit: 100, scheduler: TestScheduler()) { client, tabs in
      let answers = try await withThrowingTaskGroup(of: [Client.Answer].self) { group in
        // Fewer than the 64 waiting connections that the server lets a client have.
        for _ in 0..<50 {
          group.addTask {
            var answers: [Client.Answer] = []
            for _ in 0..<200 { answers.append(try await client.send(.POST, "/tabs", #"{"path": "/"}"#)) }
            return answers
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(answers.count == 10_000)
      #expect(answers.filter { $0.status == 201 }.count == 100)
      for answer in answers where answer.status != 201 { expect(answer, 503, "100 tabs are open") }
      #expect(await tabs.count == 100)
    }
  }

  @Test func theServerListensOnTheLoopbackAddressByDefault() throws {
    #expect(try Program.parse([]).host == "127.0.0.1")
    #expect(throws: (any Error).self) { try Program.parse(["--port", "65536"]) }
  }
}
