import Foundation
import Logging
import NIOCore
import RxViewModel
import RxViewModelTesting
import Testing

@testable import Directory

/// Everything that a client makes the server keep has a bound.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BoundTests {
  /// The largest number that a page can claim to have seen.
  private static let all = Int.max

  /// Posts an action, which acknowledges the events up to `seen`, and returns the status of the answer.
  private static func post(
    _ action: String, _ number: Int, seen: Int = 0, to page: TestPage, _ client: Client
  ) async throws -> Int {
    let body = #"{"number": \#(number), "seen": \#(seen), "action": \#(action)}"#
    return try await client.send(.POST, "/tabs/\(page.id)/actions", body).status
  }

  /// The resident memory of this process, which includes the server, in bytes.
  private static func memory() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm")))
  @MainActor func aClientThatDoesNotReadIsClosed() async throws {
    let scheduler = TestScheduler()
    let log = MutableProperty<[String]>([])
    try await withDirectory(scheduler: scheduler, logger: Logger(label: "") { _ in Lines(log: log) }) { client, tabs in
      let page = try await TestPage(client)
      try await page.signIn()
      _ = try await page.events { $0.text.contains("reload") }
      let stalled = try await client.begin(
        "GET /tabs/\(page.id)/events HTTP/1.1\r\nHost: localhost\r\n\r\n", isReading: false)
      try await page.state("the tab is resumed") { $0.isResumed }
      let before = try Self.memory()
      var refused = 0
      for number in 10...10_009 {
        let status = try await Self.post(#"{"reverse": {}}"#, number, seen: Self.all, to: page, client)
        if status == 429 { refused += 1 }
      }
      let growth = try Self.memory() - before
      print("10,000 actions of a client that does not read: \(growth / 1_000_000) MB, \(refused) refused")
      #expect(growth < 16_000_000)
      #expect(refused > 0)
      #expect(log.value == [])
      await MainActor.run { scheduler.advance(by: .seconds(30)) }
      #expect(log.value == ["A page has not read its events for 30.0 seconds. Its tab is closed."])
      #expect(await tabs.count == 0)
      try await stalled.setOption(.autoRead, value: true).get()
      try await stalled.closeFuture.get()
    }
  }

  // A page that reads again in time goes on.
  @Test @MainActor func aClientThatReadsInTimeIsNotClosed() async throws {
    let scheduler = TestScheduler()
    try await withDirectory(scheduler: scheduler) { client, tabs in
      let page = try await TestPage(client)
      let tab = try await tabs.tab(page.id)
      _ = try await page.events { event in
        if event.number == 1 {
          await MainActor.run { tab.outbox.send(.message(text: String(repeating: "n", count: 2_000_000))) }
        }
        if !event.text.contains("message") { return false }
        await MainActor.run { scheduler.advance(by: .milliseconds(29_999)) }
        #expect(await tab.outbox.reader == .behind)
        let status = try await Self.post(#"{"seen": {}}"#, 1, seen: event.number, to: page, client)
        #expect(status == 204)
        await MainActor.run { scheduler.advance(by: .seconds(600)) }
        return true
      }
      #expect(await tabs.count == 1)
    }
  }

  // Only a connection writes events, so a page cannot have received the others.
  @Test @MainActor func aPageCannotAcknowledgeWhatHasNotBeenWritten() async throws {
    let outbox = Outbox()
    let text = String(repeating: "n", count: 500_000)
    for _ in 1...2 { outbox.send(.message(text: text)) }
    outbox.acknowledge(Self.all)
    #expect(outbox.isFull)
    var frames = outbox.connect(after: Self.all) {}.makeAsyncIterator()
    _ = try await frames.next()
    #expect(outbox.reader == .behind)
    for number in 1...2 {
      let frame = try #require(await frames.next())
      #expect(frame.hasPrefix("id: \(number)\n"))
    }
    outbox.acknowledge(1)
    #expect(outbox.reader == .reading)
    // Another connection has to write the second event again.
    _ = outbox.connect(after: 0) {}
    outbox.send(.message(text: text))
    outbox.acknowledge(Self.all)
    #expect(outbox.reader == .behind)
  }

  @Test @MainActor func aTabWithTooManyEventsIsRemovedAtOnce() async throws {
    let scheduler = TestScheduler()
    let log = MutableProperty<[String]>([])
    try await withDirectory(scheduler: scheduler, logger: Logger(label: "") { _ in Lines(log: log) }) { client, tabs in
      let page = try await TestPage(client)
      let tab = try await tabs.tab(page.id)
      await MainActor.run {
        for _ in 1...4 { tab.outbox.send(.message(text: String(repeating: "n", count: 1_000_000))) }
        scheduler.advance()
      }
      #expect(await tabs.count == 0)
      #expect(log.value == ["A page has not read its events, which have become too many. Its tab is closed."])
    }
  }

  @Test func aPausedTabExecutesABoundedNumberOfActions() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      try await page.signIn()
      _ = try await page.events { $0.text.contains("reload") }
      try await page.state("the tab is paused") { !$0.isResumed }
      var statuses: [Int] = []
      for id in 1...300 { statuses.append(try await page.send(#"{"open": {"id": \#(id)}}"#)) }
      #expect(statuses.prefix(200) == ArraySlice(repeatElement(204, count: 200)))
      #expect(statuses.suffix(100) == ArraySlice(repeatElement(429, count: 100)))
      // The tab opens the person of the last click.
      _ = try await page.events { $0.text.contains(#""/people/199""#) || $0.text.contains(#""/people/200""#) }
      try await page.state("one person is open") { $0.paths.count == 2 }
      #expect(try await page.send(#"{"go": {"path": "/people"}}"#) == 204)
    }
  }
}

/// Collects the log.
private struct Lines: LogHandler {
  let log: MutableProperty<[String]>
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { log.update { $0.append("\(event.message)") } }
}
