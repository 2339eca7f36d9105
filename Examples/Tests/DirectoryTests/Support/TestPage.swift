import Foundation
import Testing

@testable import Directory

/// A page without a browser: it opens a tab, sends actions, and receives events.
actor TestPage {
  struct Event: Sendable, Equatable {
    let number: Int
    let text: String
  }

  private struct Opened: Decodable {
    let id: String
  }

  let client: Client
  let id: String
  private var lastMessage = 0
  private(set) var lastSeen = 0

  init(_ client: Client, path: String = "/") async throws {
    self.client = client
    let answer = try await client.send(.POST, "/tabs", #"{"path": "\#(path)"}"#)
    try #require(answer.status == 201, "\(answer)")
    id = try JSONDecoder().decode(Opened.self, from: Data(answer.body.utf8)).id
  }

  /// Sends an action, and returns the status of the answer.
  @discardableResult
  func send(_ action: String, number: Int? = nil) async throws -> Int {
    lastMessage = number ?? lastMessage + 1
    let body = #"{"number": \#(lastMessage), "seen": \#(lastSeen), "action": \#(action)}"#
    return try await client.send(.POST, "/tabs/\(id)/actions", body).status
  }

  func signIn() async throws {
    try await send(#"{"setUsername": {"text": "admin"}}"#)
    try await send(#"{"setPassword": {"text": "admin"}}"#)
    try await send(#"{"signIn": {}}"#)
  }

  /// Waits until the state meets a condition.
  func state(_ comment: Comment, where condition: (TestState) -> Bool) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    var state = try await state
    while !condition(state) {
      if clock.now - start > .seconds(20) { throw Late(comment: comment, state: state) }
      await Task.yield()
      state = try await self.state
    }
  }

  private struct Late: Error {
    let comment: Comment
    let state: TestState
  }

  var state: TestState {
    get async throws {
      let answer = try await client.send(.GET, "/tabs/\(id)/state")
      try #require(answer.status == 200, "\(answer)")
      return try JSONDecoder().decode(TestState.self, from: Data(answer.body.utf8))
    }
  }

  /// What the page downloads.
  var recording: String {
    get async throws {
      let answer = try await client.send(.GET, "/tabs/\(id)/recording")
      try #require(answer.status == 200, "\(answer)")
      return answer.body
    }
  }

  /// Opens a connection, receives events up to the first one for which `isLast` returns true, and closes the connection.
  ///
  /// - Parameter seen: The number of the last event that the page has received. The default is the number of the last event of
  ///   the earlier connections.
  func events(
    after seen: Int? = nil, until isLast: @escaping @Sendable (Event) async throws -> Bool
  ) async throws -> [Event] {
    let after = seen ?? lastSeen
    var events: [Event] = []
    var text = ""
    for try await part in client.receive(.GET, "/tabs/\(id)/events", headers: ["Last-Event-ID": "\(after)"]) {
      guard case .body(let bytes) = part else { continue }
      text += String(buffer: bytes)
      while let end = text.range(of: "\n\n") {
        let frame = text[..<end.lowerBound]
        text = String(text[end.upperBound...])
        guard let event = Self.event(frame) else { continue }
        events.append(event)
        lastSeen = event.number
        if try await isLast(event) { return events }
      }
    }
    return events
  }

  private static func event(_ frame: Substring) -> Event? {
    let lines = frame.split(separator: "\n")
    guard lines.count == 2, let number = Int(lines[0].dropFirst("id: ".count)) else { return nil }
    return Event(number: number, text: String(lines[1].dropFirst("data: ".count)))
  }
}

/// The parts of a `Snapshot` that the tests read.
struct TestState: Decodable, Sendable {
  struct Section: Decodable, Sendable {
    struct Row: Decodable, Sendable {
      let name: String
      let nickname: String
    }

    let letter: String
    let rows: [Row]
  }

  struct NewPerson: Decodable, Sendable {
    let name: String
    let nickname: String
  }

  let paths: [String]
  let newPerson: NewPerson?
  let isResumed: Bool
  let sections: [Section]
  let username: String?
  let nickname: String?
  let color: String?
}
