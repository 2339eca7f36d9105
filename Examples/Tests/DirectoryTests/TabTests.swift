import RxViewModel
import RxViewModelTesting
import Testing

@testable import Directory

/// Tabs by HTTP: what they are sent, how they reconnect, and how they end.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TabTests {
  @Test func aVisitGoesFromTheSignInToAPersonAndBack() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      // Routes wait: the page is not connected.
      #expect(try await page.state.paths == [])
      var events = try await page.events { $0.text.contains("secondsAgo") }
      // The two come from different view models.
      if !events.contains(where: { $0.text.contains("message") }) {
        events += try await page.events { $0.text.contains("message") }
      }
      #expect(events.map(\.number) == Array(1...events.count))
      #expect(events.filter { $0.text.contains("message") }.map(\.text) == [#"{"message":{"text":"Welcome, admin"}}"#])
      #expect(try await page.state.paths == ["/people", "/people/3"])
      try await page.send(#"{"go": {"path": "/people"}}"#)
      #expect(try await page.state.paths == ["/people"])
    }
  }

  // The first screen of colors is left without an answer: its release ends the request, so that the next one is not dropped.
  @Test func aScreenThatIsLeftEndsItsRequest() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      _ = try await page.events { event in
        if event.text.contains(#""secondsAgo":"#), event.text.contains(#""isBusy":false"#) {
          try await page.send(#"{"chooseColor": {}}"#)
          try await page.state("the colors") { $0.paths.count == 3 }
          try await page.send(#"{"go": {"path": "/people/3"}}"#)
          #expect(try await page.state.paths.count == 2)
          try await page.send(#"{"chooseColor": {}}"#)
          try await page.state("the colors once more") { $0.paths.count == 3 }
          try await page.send(#"{"pick": {"color": "purple"}}"#)
          try await page.state("the answer") { $0.color == "purple" && $0.paths.count == 2 }
          return true
        }
        return false
      }
    }
  }

  @Test func aSheetAddsAPerson() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      try await page.signIn()
      _ = try await page.events { $0.text.contains("newNickname") }
      try await page.send(#"{"setAdding": {"isAdding": true}}"#)
      try await page.send(#"{"setName": {"text": "Aa Aa"}}"#)
      try await page.send(#"{"setNickname": {"text": "First", "edit": 1}}"#)
      try await page.state("the edits") { $0.newPerson?.name == "Aa Aa" && $0.newPerson?.nickname == "First" }
      try await page.send(#"{"add": {}}"#)
      try await page.state("the person") { state in
        state.newPerson == nil && state.sections.first?.rows.first?.nickname == "First"
      }
      // The field is empty again.
      _ = try await page.events { event in
        [#""newNickname":"#, #""text":"""#, #""edit":1"#].allSatisfy(event.text.contains)
      }
    }
  }

  @Test func noTabSeesAnother() async throws {
    try await withDirectory { client, _ in
      let first = try await TestPage(client)
      let second = try await TestPage(client)
      #expect(first.id != second.id)
      #expect(first.id.count > 20)
      try await first.send(#"{"setUsername": {"text": "first"}}"#)
      try await first.state("the username") { $0.username == "first" }
      #expect(try await second.state.username == "")
      try await second.send(#"{"setUsername": {"text": "second"}}"#)
      try await second.state("the username") { $0.username == "second" }
      #expect(try await first.state.username == "first")
      let events = try await second.events { $0.text.contains("isEnabled") }
      #expect(!events.contains { $0.text.contains("first") })
    }
  }

  @Test func aConnectionThatBreaksLosesNothingAndDoublesNothing() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      try await page.signIn()
      var events: [TestPage.Event] = []
      // A new connection for each event.
      for index in 0..<40 {
        events += try await page.events { _ in true }
        if events.last?.text.contains("screens") == true, index > 2 { break }
      }
      for text in ["ann", "", "joh", ""] {
        try await page.send(#"{"type": {"text": "\#(text)"}}"#)
        let isAll = text.isEmpty
        try await page.state("the rows of \(text)") { ($0.sections.flatMap(\.rows).count == 50) == isAll }
        events += try await page.events { $0.text.contains("batch") }
      }
      #expect(events.map(\.number) == Array(1...events.count))
    }
  }

  @Test func whatAConnectionLosesComesAgain() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      let events = try await page.events { $0.text.contains("secondsAgo") }
      let last = events[events.count - 1].number
      // The page has got the first three.
      let again = try await page.events(after: 3) { $0.number == last }
      #expect(again == Array(events.dropFirst(3)))
    }
  }

  @Test func aMessageThatIsRepeatedIsTakenOnce() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      try await page.send(#"{"setUsername": {"text": "first"}}"#, number: 1)
      try await page.state("the username") { $0.username == "first" }
      #expect(try await page.send(#"{"setUsername": {"text": "again"}}"#, number: 1) == 204)
      try await page.send(#"{"setPassword": {"text": "end"}}"#, number: 2)
      _ = try await page.events { $0.text.contains(#""isEnabled":true"#) }
      #expect(try await page.state.username == "first")
    }
  }

  @Test func aTabIsResumedWhileItsPageIsConnectedAndVisible() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      #expect(try await !page.state.isResumed)
      _ = try await page.events { _ in
        #expect(try await page.state.isResumed)
        try await page.send(#"{"setVisible": {"isVisible": false}}"#)
        #expect(try await !page.state.isResumed)
        try await page.send(#"{"setVisible": {"isVisible": true}}"#)
        #expect(try await page.state.isResumed)
        return true
      }
      try await page.state("the server has noticed") { !$0.isResumed }
    }
  }

  // In virtual time: no test waits for a minute.
  @Test @MainActor func aTabThatIsAwayForAMinuteIsCleared() async throws {
    let scheduler = TestScheduler()
    try await withDirectory(limit: 1, scheduler: scheduler) { client, tabs in
      let page = try await TestPage(client)
      weak let tab = await tabs.tab(page.id)
      await MainActor.run { scheduler.advance(by: .seconds(59)) }
      _ = try await page.events { _ in
        await MainActor.run { scheduler.advance(by: .seconds(600)) }
        return true
      }
      try await page.state("the server has noticed") { !$0.isResumed }
      await MainActor.run { scheduler.advance(by: .milliseconds(59_999)) }
      #expect(await tabs.count == 1)
      await MainActor.run { scheduler.advance(by: .milliseconds(1)) }
      #expect(try await client.send(.GET, "/tabs/\(page.id)/state").status == 404)
      #expect(tab == nil)
      _ = try await TestPage(client)
    }
  }

  @Test func aPageThatDoesNotKeepUpPausesItsTab() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      let other = try await TestPage(client)
      // The log of a long text is long.
      try await page.send(#"{"setLog": {"isOn": true}}"#)
      let text = String(repeating: "n", count: 15_000)
      _ = try await page.events { _ in
        // None of these says that events have been seen. The log is written later than they are answered.
        var number = 2
        var answer = Client.Answer(status: 204)
        let start = ContinuousClock.now
        while answer.status == 204, ContinuousClock.now - start < .seconds(20) {
          let action = number < 40 ? #"{"setUsername": {"text": "\#(text)\#(number)"}}"# : #"{"seen": {}}"#
          let body = #"{"number": \#(number), "seen": 0, "action": \#(action)}"#
          answer = try await client.send(.POST, "/tabs/\(page.id)/actions", body)
          number += 1
        }
        #expect(answer.status == 429)
        #expect(answer.body == #"{"error":{"message":"The page has to read its events first."}}"#)
        #expect(try await !page.state.isResumed)
        #expect(try await other.send(#"{"seen": {}}"#) == 204)
        // All have been seen, up to the last line of the log.
        let body = #"{"number": \#(number), "seen": 1000, "action": {"seen": {}}}"#
        while try await !page.state.isResumed, ContinuousClock.now - start < .seconds(40) {
          _ = try await client.send(.POST, "/tabs/\(page.id)/actions", body)
        }
        #expect(try await page.state.isResumed)
        return true
      }
    }
  }
}
