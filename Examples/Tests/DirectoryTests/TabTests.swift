import RxViewModel
import RxViewModelTesting
import Testing

@testable import Directory

/// Tabs over HTTP: their actions and events, their connections, and their end.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TabTests {
  @Test func aVisitGoesFromTheSignInToAPersonAndBack() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      // The route waits, because the page is not connected.
      #expect(try await page.state.paths == [])
      var events = try await page.events { $0.text.contains("secondsAgo") }
      // Two view models send the message and the state, so the order of these events is not determined.
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

  // The user leaves the first color screen without an answer. The release of the screen ends the request, so the view model does not drop
  // the next one.
  @Test func theReleaseOfAScreenEndsItsRequest() async throws {
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

  @Test func twoTabsShowOneDirectory() async throws {
    try await withDirectory { client, _ in
      let list = try await TestPage(client)
      let details = try await TestPage(client, path: "/people/3")
      for page in [list, details] { try await page.signIn() }
      _ = try await details.events { event in
        guard event.text.contains(#""secondsAgo":"#) else { return false }
        // The list's tab makes its own service fail, and still shows the edit of the other tab.
        _ = try await list.events { $0.text.contains("reload") }
        try await list.send(#"{"setFailing": {"isOn": true}}"#)
        try await details.send(#"{"setNickname": {"text": "Three", "edit": 1}}"#)
        try await list.state("the edit") { $0.sections.flatMap(\.rows).contains { $0.nickname == "Three" } }
        return true
      }
    }
  }

  @Test func aPauseDoesNotChangeTheTextThatTheUserTypes() async throws {
    try await withDirectory { client, _ in
      let (page, other) = (try await TestPage(client, path: "/people/3"), try await TestPage(client))
      for page in [page, other] { try await page.signIn() }
      @Sendable func stores(_ nickname: String) async throws {
        try await other.state("the list shows the nickname \(nickname)") { state in
          state.sections.flatMap(\.rows).contains { $0.nickname == nickname }
        }
      }
      _ = try await other.events { $0.text.contains("reload") }
      _ = try await page.events { $0.text.contains(#""secondsAgo":"#) }
      try await page.send(#"{"setNickname": {"text": "Bob ", "edit": 1}}"#)
      try await stores("Bob")
      try await page.send(#"{"setNickname": {"text": "Bob Lee ", "edit": 2}}"#)
      try await stores("Bob Lee")
      try await page.send(#"{"endEditing": {}}"#)
      let texts = try await page.events { $0.text.contains(#""text":"Bob Lee""#) }.map(\.text)
      #expect(texts.filter { $0.contains("Bob") }.count == 1, "the tab sends only the last text to the page")
    }
  }

  // The page clears the field when it shows another person, so the nickname has to arrive after the screen.
  @Test func theNicknameOfAPersonComesAfterTheScreen() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      _ = try await page.events { $0.text.contains(#""secondsAgo":"#) }
      try await page.send(#"{"setNickname": {"text": "Three", "edit": 1}}"#)
      try await page.send(#"{"endEditing": {}}"#)
      try await page.send(#"{"go": {"path": "/people"}}"#)
      try await page.state("the edit") { $0.sections.flatMap(\.rows).contains { $0.nickname == "Three" } }
      try await page.send(#"{"go": {"path": "/people/3"}}"#)
      let events = try await page.events { event in
        ["nickname", #""text":"Three""#, #""edit":0"#].allSatisfy(event.text.contains)
      }
      #expect(events.contains { $0.text.contains("/people/3") })
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
      // The field is empty.
      _ = try await page.events { event in
        [#""newNickname":"#, #""text":"""#, #""edit":1"#].allSatisfy(event.text.contains)
      }
    }
  }

  @Test func aTabDoesNotSeeTheFormOfAnother() async throws {
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

  @Test func aBrokenConnectionLosesAndRepeatsNoEvent() async throws {
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

  @Test func theNextConnectionSendsTheLostEvents() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client, path: "/people/3")
      try await page.signIn()
      let events = try await page.events { $0.text.contains("secondsAgo") }
      let last = events[events.count - 1].number
      // The page has received the first three events.
      let again = try await page.events(after: 3) { $0.number == last }
      #expect(again == Array(events.dropFirst(3)))
    }
  }

  @Test func aRepeatedActionIsExecutedOnce() async throws {
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

  // The page sends these actions without the user, who would not understand a refusal.
  @Test func anActionThatThePageSendsByItselfIsNotRefused() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      for action in [#"{"loadMore": {}}"#, #"{"endEditing": {}}"#, #"{"seen": {}}"#] {
        #expect(try await page.send(action) == 204)
      }
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
      try await page.state("the tab is paused") { !$0.isResumed }
    }
  }

  // In virtual time.
  @Test @MainActor func aTabThatIsDisconnectedForAMinuteIsRemoved() async throws {
    let scheduler = TestScheduler()
    try await withDirectory(limit: 1, scheduler: scheduler) { client, tabs in
      let page = try await TestPage(client)
      weak let tab = try await tabs.tab(page.id)
      await MainActor.run { scheduler.advance(by: .seconds(59)) }
      _ = try await page.events { _ in
        await MainActor.run { scheduler.advance(by: .seconds(600)) }
        return true
      }
      try await page.state("the tab is paused") { !$0.isResumed }
      await MainActor.run { scheduler.advance(by: .milliseconds(59_999)) }
      #expect(await tabs.count == 1)
      await MainActor.run { scheduler.advance(by: .milliseconds(1)) }
      #expect(try await client.send(.GET, "/tabs/\(page.id)/state").status == 404)
      #expect(tab == nil)
      _ = try await TestPage(client)
    }
  }

  @Test func aTabIsPausedWhileItsPageDoesNotAcknowledgeEvents() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      let other = try await TestPage(client)
      // With the log, each edit of a long text sends many bytes.
      try await page.send(#"{"setLog": {"isOn": true}}"#)
      let text = String(repeating: "n", count: 15_000)
      _ = try await page.events { _ in
        // None of these actions acknowledges an event. The server may answer an action before it writes its log.
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
        #expect(
          answer.body == #"{"error":{"message":"The page is behind with its updates. Wait a moment and try again."}}"#)
        #expect(try await !page.state.isResumed)
        #expect(try await other.send(#"{"seen": {}}"#) == 204)
        // Acknowledges all events.
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
