import NIOHTTP1
import Testing

@testable import Directory

/// Bad input is answered with a status and a sentence, and leaves the tabs as they are.
@Suite(.serialized) struct BadInputTests {
  /// Whether an answer is of that status, with a sentence.
  private func expect(
    _ answer: Client.Answer, _ status: Int, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, sourceLocation: location)
    #expect(answer.body.contains(/^{"error":{"message":"[A-Z].+\."}}$/), "\(answer)", sourceLocation: location)
  }

  @Test func aTabThatDoesNotExistIsNotFound() async throws {
    try await withDirectory { client, _ in
      for id in ["nobody", "%00", "..%2F..", String(repeating: "x", count: 10_000)] {
        expect(try await client.send(.GET, "/tabs/\(id)/events"), 404)
        expect(try await client.send(.GET, "/tabs/\(id)/state"), 404)
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
    ("", 400), ("{", 400), ("nothing", 400), ("[]", 400), ("null", 400), ("\u{0}", 400),
    (#"{"number": 1, "seen": 0}"#, 400),
    (#"{"number": 1, "seen": 0, "action": {"destroy": {}}}"#, 400),
    (#"{"number": 1, "seen": 0, "action": {"signIn": {}, "loadMore": {}}}"#, 400),
    (#"{"number": 1, "seen": 0, "action": {"open": {"id": "one"}}}"#, 400),
    (#"{"number": 1e99, "seen": 0, "action": {"signIn": {}}}"#, 400),
    (String(repeating: "[", count: 10_000), 400),
    (#"{"number": 1, "seen": 0, "action": {"type": {"text": "\#(String(repeating: "a", count: 17_000))"}}}"#, 413),
    (String(repeating: "a", count: 3_000_000), 413),
    // An action of a screen that is not shown.
    (#"{"number": 1, "seen": 0, "action": {"open": {"id": 1}}}"#, 409),
  ])
  func aBodyThatIsNoActionIsRefused(body: String, status: Int) async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      expect(try await client.send(.POST, "/tabs/\(page.id)/actions", body), status)
      #expect(try await page.send(#"{"setUsername": {"text": "me"}}"#, number: 2) == 204)
      try await page.state("the tab goes on") { $0.username == "me" }
    }
  }

  // A form of another site can send no JSON, as such.
  @Test func aBodyThatDoesNotSayThatItIsJSONIsRefused() async throws {
    try await withDirectory { client, tabs in
      expect(try await client.send(.POST, "/tabs", #"{"path": "/"}"#, headers: ["Content-Type": "text/plain"]), 415)
      expect(try await client.send(.POST, "/tabs", #"{"path": "/"}"#, headers: [:]), 415)
      #expect(await tabs.count == 0)
    }
  }

  @Test func numbersAndPathsThatMakeNoSenseDoNoHarm() async throws {
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

  @Test func tenThousandTabsAtOnceGetThePlacesThatThereAreAndASentence() async throws {
    try await withDirectory(limit: 100) { client, tabs in
      let answers = try await withThrowingTaskGroup(of: [Client.Answer].self) { group in
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
      for answer in answers where answer.status != 201 { expect(answer, 503) }
      #expect(await tabs.count == 100)
    }
  }

  @Test func itListensOnTheLoopbackAddressUnlessToldOtherwise() throws {
    #expect(try Program.parse([]).host == "127.0.0.1")
    #expect(throws: (any Error).self) { try Program.parse(["--port", "65536"]) }
  }
}
