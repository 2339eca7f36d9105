import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The session in a page, as its script gets it.
struct PictureData: Decodable {
  struct Head: Decodable {
    let title: String
    let unit: String
    let now: Int
    let failure: String?
    let failing: Int?
    let models: [Model]
  }

  struct Model: Decodable, Equatable {
    let m: Int
    let name: String
    let type: String
  }

  struct Cause: Decodable, Equatable {
    let `is`: String
    let a: Int?
  }

  struct Entry: Decodable {
    let k: String
    let t: Int
    let m: Int
    let a: Int
    let value: String?
    let name: String?
    let ms: Int?
    let by: [String: Int]?
    let `as`: String?
    let error: String?
    let cause: Cause?
    let diff: [String]?

    /// What it says, in short.
    var text: String {
      let who = a == 0 ? "\(m)" : "\(m)#\(a)"
      let what = value ?? name ?? `as` ?? diff?.joined(separator: ", ")
      return ["\(t / 100)", who, k, what].compactMap(\.self).joined(separator: " ")
    }
  }

  let head: Head
  let entries: [Entry]

  var texts: [String] { entries.map(\.text) }

  init(of page: String) throws {
    let start = try #require(page.range(of: "\nsession(", options: .backwards)).upperBound
    let end = try #require(page.range(of: ");", options: .backwards, range: start..<page.endIndex)).lowerBound
    let text = String(page[start..<end])
    // A character that could end the script, or a string in it.
    #expect(text.unicodeScalars.allSatisfy { !["<", ">", "&", "\u{2028}", "\u{2029}"].contains($0) })
    self = try JSONDecoder().decode(PictureData.self, from: Data("[\(text)]".utf8))
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    (head, entries) = (try container.decode(Head.self), try container.decode([Entry].self))
  }

  init(of path: URL) throws {
    self = try PictureData(of: String(contentsOf: path, encoding: .utf8))
  }
}

// contract 9.7
struct PictureTests {
  private func picture(_ lines: String) throws -> PictureData {
    try PictureData(of: Recording("RxViewModel recording 3\n\(lines)\nend").timeline())
  }

  @Test func eachActionHasARow() throws {
    let picture = try picture(
      """
      ["model",0,0,null,null,"cities","CitySearch"]
      ["action",5,0,1,{"search":{"_0":"a"}}]
      ["own",5,0,2,{"submit":{"by":"ann","count":2}},[0,1]]
      ["answer",7,0,1,["a"],"find a",1]
      ["element",8,0,-1,{"reload":{}},"places",1]
      ["error",8,0,2,"offline","save",1,"ServiceFailure"]
      ["cancel",9,0,null,[1,2]]
      ["resume",9,0,null,0]
      """)
    #expect(picture.head.models == [.init(m: 1, name: "cities", type: "CitySearch")])
    #expect(picture.head.now == 800)
    #expect(
      picture.texts == [
        "1 1#1 action search(\"a\")", "1 1#1 start", "2 1#2 action submit(by: \"ann\", count: 2)", "2 1#2 start",
        "3 1#1 answer find a → [\"a\"]", "4 1#-1 source source -1", "4 1#-1 element places → reload",
        "5 1#2 error save → ServiceFailure: \"offline\"", "6 1#1 end cancelled", "6 1#2 end cancelled",
        "7 1 source without an action", "7 1 note resume",
      ])
    #expect(picture.entries[2].by == ["m": 1, "a": 1])
    #expect(picture.entries.compactMap(\.ms) == [5, 5])
    #expect(picture.head.failing == nil)
  }

  @Test func theTableHasAColumnForEachAction() throws {
    let lines = """
      ["model",0,0,null,null,"cities","CitySearch"]
      ["state",0,0,null,{"results":[],"text":""}]
      ["action",5,0,1,{"search":{"_0":"a"}}]
      ["own",5,0,2,{"submit":{"by":"ann"}},[0,1]]
      ["answer",7,0,1,["a"],"find a",1]
      ["event",7,0,1]
      ["cancel",9,0,null,[1,2]]
      ["resume",9,0,null,0]
      ["state",10,0,null,{"results":["a"],"text":"a: b"}]
      """
    #expect(
      try Recording("RxViewModel recording 3\n\(lines)\nend").table() == """
                  search("a")     submit(by: "ann")
                  executed
                                  executed
                  find a → ["a"]
                  cancelled       cancelled
          resume                                     results: [] → ["a"]
                                                     text: "" → "a: b"
        """)
  }

  // An action ends with the last thing that has come for it, because a recording says no more.
  @Test func anEventBelongsToItsAnswer() throws {
    let picture = try picture(
      """
      ["action",5,0,1,1]
      ["answer",7,0,1,2,"find",1]
      ["event",7,0,1]
      ["event",8,0,1]
      ["answer",9,0,1,2,"find",2]
      ["event",9,0,2]
      """)
    #expect(
      picture.texts == [
        "0 1#1 action 1", "0 1#1 start", "1 1#1 answer find → 2", "2 1#1 answer find → 2", "2 1#1 end ",
        "3 1#2 action action 2", "3 1#2 end ",
      ])
    #expect(picture.head.now == 400)
  }

  @Test func aStateStandsAtTheInputThatHasMadeIt() throws {
    let picture = try picture(
      """
      ["model",0,0,null,null,"a","A"]
      ["state",0,0,null,{"count":0,"name":"a"}]
      ["model",0,1,null,null,"b","B"]
      ["state",0,1,null,{"closed":{}}]
      ["action",5,0,1,1]
      ["action",5,1,2,1]
      ["cancel",5,0,null,[7]]
      ["state",5,0,null,{"count":1,"name":"a"}]
      ["state",5,1,null,{"open":{}}]
      """)
    #expect(
      picture.texts == [
        "0 1 source without an action", "0 1 state + count: 0, + name: \"a\"", "1 2 source without an action",
        "1 2 state + state: closed",
        "2 1#1 action 1", "2 1#1 start", "2 1#1 state - count: 0, + count: 1", "2 1#1 end ", "3 2#2 action 1",
        "3 2#2 start",
        "3 2#2 state - state: closed, + state: open", "3 2#2 end ", "4 1#7 action action 7", "4 1#7 end cancelled",
      ])
  }

  // MARK: Hostile texts

  private static let hostile =
    "</script><script>document.title = 'hurt'</script><!-- <b>\u{2028}\u{2029}\"'`&amp;\\u003c"

  private static func hostileRecording() -> Recording {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let model = recorder.record(hostile) { SeekViewModel(.parallel, on: scheduler) { [$0] } }
    model.execute(.search(hostile))
    _ = recorder.value(hostile) { hostile }
    scheduler.run()
    return withExtendedLifetime(model) { recorder.recording }
  }

  @Test(.asyncEffects) func textsThatLookLikeCodeStayTextsAndLoadNothing() throws {
    let page = Self.hostileRecording().timeline()
    let picture = try PictureData(of: page)
    #expect(picture.head.models.contains { $0.name == Self.hostile })
    #expect(picture.entries.contains { $0.value == "search(\"\(Self.hostile)\")" })
    #expect(picture.entries.contains { $0.name == "\(Self.hostile) → \"\(Self.hostile)\"" })
    #expect(page.components(separatedBy: "</script>").count == 3)
    // A script without the page's number doesn't run, and nothing else is loaded.
    #expect(page.components(separatedBy: "<script nonce=").count == 3)
    for word in ["src=", "href=", "@import", "import(", "fetch", "innerHTML"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.components(separatedBy: "url(").count == page.components(separatedBy: "url(#").count)
    #expect(page.contains("default-src 'none'") && !page.contains("NONCE"))
  }

  @Test(arguments: [
    "", "[\"state\",0,0,null,\"d\"]", "[\"state\",0,0,null,7]", "[\"own\",0,0,1,5,7]", "[\"own\",0,9,1,[],7]",
    "[\"begin\",0,0,null,null]",
    "[\"action\",9223372036854775807,2147483647,-9223372036854775808,{}]", "[\"cancel\",0,0,null,\"x\"]",
    "[\"cancel\",0,0,null,[]]", "[\"answer\",0,0,{},null,[],{}]", "[\"model\",3,4,null,7,5,6]", "[\"action\",0,0,0,[]]",
    "[\"error\",0,0,1,{\"a\":{\"b\":{\"c\":[1e308,-0.0]}}},\"q\",1,2]",
    "[\"action\",0,0,1,{\"\":{\"_\":{\"__proto__\":{}}}}]",
  ])
  func anyEntriesAreDrawn(_ line: String) throws {
    let picture = try picture(line)
    var rows: Set<[Int]> = []
    for entry in picture.entries {
      if entry.k == "action" || entry.k == "source" { #expect(rows.insert([entry.m, entry.a]).inserted) }
      #expect(rows.contains([entry.m, entry.a]) && picture.head.models.contains { $0.m == entry.m })
    }
  }

  // MARK: Failures

  /// Calls `body` with the path of a file. The file is kept in the folder in which `Examples/Scripts/browser_test.py` opens pictures.
  private func withFile<Result>(_ name: String, _ body: (URL) throws -> Result) rethrows -> Result {
    if let folder = Self.browserFolder { return try body(folder.appendingPathComponent("\(name).html")) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }

  private static let browserFolder: URL? = {
    let folder = ProcessInfo.processInfo.environment["RX_PICTURE_DIR"].map { URL(fileURLWithPath: $0) }
    if let folder { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    return folder
  }()

  private let stale = """
    RxViewModel recording 3
    ["model",0,0,null,null,"search","SeekViewModel"]
    ["action",320,0,301,{"search":{"_0":"a"}}]
    ["action",341,0,302,{"search":{"_0":"ab"}}]
    ["answer",523,0,302,["ab"],"find ab",1]
    ["answer",560,0,301,["a"],"find a",1]
    ["action",700,0,303,{"search":{"_0":"abc"}}]
    end
    """

  private func replayStale(_ path: String, shrinking: Bool = true) throws {
    try replay(Recording(stale), shrinking: shrinking, picture: path) { run in
      let model = seek(run.recorder, .parallel, on: run.scheduler)
      try run.play {
        let state = model.currentState
        try run.expect(state.results.isEmpty || state.results == [state.text], "A stale answer")
      }
    }
  }

  @Test(.asyncEffects) func aFailingReplayIsDrawn() throws {
    let picture = try withFile("replay") { path in
      let failure = #expect(throws: TestFailure.self) { try replayStale(path.path) }
      #expect("\(failure!)".hasSuffix("\n  picture: \(path.path)"), "\(failure!)")
      return try PictureData(of: path)
    }
    #expect(picture.head.failing == 300)
    #expect(picture.head.failure?.hasPrefix("A stale answer, PictureTests.swift:") == true)
    #expect(
      picture.texts == [
        "0 1 source without an action", "0 1 state + text: \"\", + results: [], + folds: 0",
        "1 1#301 action search(\"a\")", "1 1#301 start",
        "1 1#301 state - text: \"\", + text: \"a\", - folds: 0, + folds: 1",
        "2 1#302 action search(\"ab\")", "2 1#302 start",
        "2 1#302 state - text: \"a\", + text: \"ab\", - folds: 1, + folds: 2", "2 1#302 end ",
        "3 1#301 answer find a → [\"a\"]", "3 1#301 state - results: [], + results: [\"a\"], - folds: 2, + folds: 3",
        "3 1#301 end ",
      ])
  }

  @Test(.asyncEffects) func theStepOfTheFailureIsMarkedAmongOthers() throws {
    let picture = try withFile("whole") { path in
      #expect(throws: TestFailure.self) { try replayStale(path.path, shrinking: false) }
      return try PictureData(of: path)
    }
    #expect(picture.head.now == 600)
    #expect(picture.head.failing == 400)
  }

  @Test(.asyncEffects) func aPathThatCannotBeWrittenIsASentenceOfTheFailure() throws {
    let path = "/no/such/folder/picture.html"
    let failure = #expect(throws: TestFailure.self) { try replayStale(path) }
    #expect("\(failure!)".hasSuffix("\n  The picture cannot be written to \(path)"), "\(failure!)")
    let order = #expect(throws: TestFailure.self) { try explore(picture: path) { try $0.expect(false) } }
    #expect("\(order!)".hasSuffix("\nThe picture cannot be written to \(path)"), "\(order!)")
  }

  private func body(_ run: Exploration) throws {
    let model = SeekViewModel(.parallel, on: run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    model.execute(.search(run.choose("a", "b")))
    run.mayArrive()
    model.execute(.search("ab"))
    run.allArrive()
    try run.expect(model.currentState.results == ["ab"], "A stale answer")
  }

  // contract 4.6
  @Test(.asyncEffects) func aFailingOrderIsDrawn() throws {
    try withFile("order") { path in
      let failure = #expect(throws: TestFailure.self) { try explore(picture: path.path, body) }
      #expect("\(failure!)".hasSuffix("\npicture: \(path.path)"), "\(failure!)")
      try check(PictureData(of: path))
      try FileManager.default.removeItem(at: path)
      #expect(throws: TestFailure.self) { try explore(replaying: "0-0-1-0", picture: path.path, body) }
      try check(PictureData(of: path))
    }
  }

  private func check(_ picture: PictureData) {
    #expect(picture.head.title == "Failing order \"0-0-1-0\"")
    #expect(picture.head.failure?.hasPrefix("A stale answer, PictureTests.swift:") == true)
    #expect(picture.head.models.map(\.name) == ["SeekAction, SeekState", "the test"])
    #expect(
      picture.texts == [
        "0 1 source without an action", "0 1 state + text: \"\", + results: [], + folds: 0",
        "1 2 source the test and its servers", "1 2 note chose \"a\"", "2 1#1 action search(\"a\")", "2 1#1 start",
        "2 1#1 state - text: \"\", + text: \"a\", - folds: 0, + folds: 1", "3 1#2 action search(\"ab\")", "3 1#2 start",
        "3 1#2 state - text: \"a\", + text: \"ab\", - folds: 1, + folds: 2", "4 1#2 answer answer to ab",
        "4 1#2 state - results: [], + results: [\"ab\"], - folds: 2, + folds: 3", "5 1#2 end completed",
        "6 1#1 answer answer to a", "6 1#1 state - results: [\"ab\"], + results: [\"a\"], - folds: 3, + folds: 4",
        "7 1#1 end completed",
      ])
    #expect(picture.head.failing == 700)
  }

  // As in a recording.
  @Test func aDroppedActionOfABatchAndAnEffectsOwnActionAreDrawnAsSuch() throws {
    let picture = try withFile("batch") { path in
      #expect(throws: TestFailure.self) {
        try explore(picture: path.path) { run in
          let model = LinesViewModel(on: run.scheduler) { model, _ in
            model.execute(.add(4))
            return .empty()
          }
          model.execute(.run(""))
          model.executeInSequence(.add(1), .add(2), .add(3))
          model.cancelActions { $0 == .add(2) }
          run.allArrive()
          try run.expect(false)
        }
      }
      return try PictureData(of: path)
    }
    let actions = Dictionary(picture.entries.filter { $0.k == "action" }.map { ($0.value!, $0) }) { first, _ in first }
    #expect((1...4).map { actions["add(\($0))"]?.by != nil } == [false, false, false, true])
    let ends = Dictionary(picture.entries.filter { $0.k == "end" }.map { ($0.a, $0) }) { first, _ in first }
    let (second, third) = (ends[actions["add(2)"]!.a], ends[actions["add(3)"]!.a])
    #expect(second?.as == "cancelled" && second?.cause == .init(is: "request", a: nil))
    #expect(third?.as == "dropped" && third?.cause == .init(is: "batch", a: actions["add(2)"]!.a))
  }

  @Test func anOrderThatFailsInNoWayIsNotDrawn() throws {
    try withFile("none") { path in
      try explore(picture: path.path) { _ in }
      #expect(!FileManager.default.fileExists(atPath: path.path))
    }
  }

  // MARK: Pictures for the browser

  @Test func aLongSessionIsDrawn() throws {
    for (name, count) in [("short", 150), ("long", 1_500)] where name == "short" || Self.browserFolder != nil {
      #expect(try write(longSession(count), name).head.now == 100 * count)
    }
    _ = try write(Self.hostileRecording(), "hostile")
  }

  private func write(_ recording: Recording, _ name: String) throws -> PictureData {
    try withFile(name) { path in
      try recording.timeline().write(to: path, atomically: true, encoding: .utf8)
      return try PictureData(of: path)
    }
  }

  /// A session of two view models, with as many steps, and soon with thirty actions that go on.
  private func longSession(_ steps: Int) throws -> Recording {
    var random = SplitMix64(seed: 5)
    var lines = [
      "[\"model\",0,0,null,null,\"people\",\"PeopleViewModel\"]",
      "[\"model\",0,1,null,null,\"basket\",\"BasketViewModel\"]",
    ]
    var (time, action, open): (Int, Int, [(id: Int, model: Int, text: String)]) = (0, 0, [])
    var count = 2
    while count < steps {
      time += Int(random.next() % 400)
      let choice = random.next() % 10
      var model = 0
      if choice < 5 || open.count < 30 {
        action += 1
        model = random.next() % 4 == 0 ? 1 : 0
        let word = ["ann", "bob", "carla", "dora", "emil"][Int(random.next() % 5)]
        open.append((action, model, word))
        lines.append(
          "[\"action\",\(time),\(model),\(action),{\"\(model == 0 ? "search" : "add")\":{\"_0\":\"\(word)\"}}]")
      } else {
        let call = open.remove(at: Int(random.next() % UInt64(open.count)))
        model = call.model
        let head = "\(time),\(model),\(call.id)"
        lines.append(
          choice == 9
            ? "[\"error\",\(head),\"offline\",\"load \(call.text)\",1,\"ServiceFailure\"]"
            : choice == 8
              ? "[\"cancel\",\(time),\(model),null,[\(call.id)]]"
              : "[\"answer\",\(head),[\"\(call.text)\",\"\(call.text)-2\"],\"load \(call.text)\",1]\n[\"event\",\(head)]"
        )
      }
      count += 1
      let rows = (0..<(20 + action % 9)).map {
        "\"person \($0)\":{\"id\":\($0),\"isPicked\":\($0 == action % 7)}"
      }
      let state = "{\"query\":\"\(action)\",\"isLoading\":\(open.isEmpty),\(rows.joined(separator: ","))}"
      lines.append("[\"state\",\(time),\(model),null,\(state)]")
    }
    return try Recording("RxViewModel recording 3\n" + lines.joined(separator: "\n") + "\nend")
  }
}
