import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The data of a page, as its script reads it.
struct PictureData: Decodable {
  struct Lane: Decodable {
    let label: String
    let isAction: Bool
  }

  struct Step: Decodable, Equatable {
    let kind: String
    let time: Int?
    let lanes: [Int]
    let origin: Int?
    let label: String
    let lines: [String]
    let states: [Shown]
  }

  struct Shown: Decodable, Equatable {
    let model: Int
    let lines: [String]
    let changes: [String]
  }

  let title: String
  let failure: String?
  let failing: Int?
  let models: [String: String]
  let lanes: [Lane]
  let steps: [Step]

  init(of page: String) throws {
    let start = try #require(page.range(of: "id=\"data\">")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let text = String(page[start..<end])
    // A character that could end the script, or a string in it.
    #expect(text.unicodeScalars.allSatisfy { !["<", ">", "&", "\u{2028}", "\u{2029}"].contains($0) })
    self = try JSONDecoder().decode(PictureData.self, from: Data(text.utf8))
  }

  init(of path: URL) throws {
    self = try PictureData(of: String(contentsOf: path, encoding: .utf8))
  }

  func lanes(of step: Int) -> [String] { steps[step].lanes.map { lanes[$0].label } }
}

// contract 9.7
struct PictureTests {
  private func picture(_ lines: String) throws -> PictureData {
    try PictureData(of: Recording("RxViewModel recording 3\n\(lines)\nend").timeline())
  }

  @Test func eachActionHasALane() throws {
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
    #expect(picture.lanes.map(\.label) == ["cities", "search(\"a\")", "submit(by: \"ann\", count: 2)", "source -1"])
    #expect(picture.lanes.map(\.isAction) == [false, true, true, true])
    #expect(picture.steps.map(\.lanes) == [[0], [1], [2], [1], [3], [2], [1, 2], [0]])
    #expect(picture.steps[2].origin == 1)
    #expect(picture.steps.map(\.time) == [nil, 5, 5, 7, 8, 8, 9, 9])
    #expect(
      picture.steps.map(\.label) == [
        "cities: CitySearch", "search(\"a\")", "submit(by: \"ann\", count: 2)", "find a → [\"a\"]", "places → reload",
        "save → ServiceFailure: \"offline\"", "", "",
      ])
    #expect(picture.failing == nil)
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
    #expect(picture.steps.map(\.kind) == ["action", "answer", "answer", "event"])
    #expect(picture.steps.map(\.lines.count) == [1, 3, 1, 1])
  }

  @Test func aStateStandsAtTheInputThatHasMadeIt() throws {
    let picture = try picture(
      """
      ["model",0,0,null,null,"a","A"]
      ["state",0,0,null,0]
      ["model",0,1,null,null,"b","B"]
      ["action",5,0,1,1]
      ["action",5,1,2,1]
      ["cancel",5,0,null,[7]]
      ["state",5,0,null,{"count":1,"name":"a"}]
      ["state",5,1,null,{"open":{}}]
      """)
    #expect(picture.steps.map(\.kind) == ["model", "model", "action", "action", "cancel"])
    #expect(picture.steps[0].states == [.init(model: 0, lines: ["0"], changes: ["+ 0"])])
    let (lines, changes) = (["count: 1", "name: \"a\""], ["- 0", "+ count: 1", "+ name: \"a\""])
    #expect(picture.steps[2].states == [.init(model: 0, lines: lines, changes: changes)])
    #expect(picture.steps[3].states == [.init(model: 1, lines: ["open: ()"], changes: ["+ open: ()"])])
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
    #expect(picture.models["0"] == Self.hostile)
    #expect(picture.lanes.contains { $0.label == "search(\"\(Self.hostile)\")" })
    #expect(picture.steps.contains { $0.label == "\(Self.hostile) → \"\(Self.hostile)\"" })
    #expect(picture.steps.contains { $0.states.contains { $0.lines.contains { $0.contains("</script>") } } })
    #expect(page.components(separatedBy: "</script>").count == 3)
    for word in ["src=", "href=", "url(", "@import", "import(", "fetch", "innerHTML"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
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
    for step in picture.steps { #expect(step.lanes.allSatisfy(picture.lanes.indices.contains) && !step.lanes.isEmpty) }
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

  private func seekLines(_ text: String, _ results: [String], _ folds: Int) -> [String] {
    let list =
      results.isEmpty ? ["  - results: 0 elements"] : ["  ▿ results: 1 element"] + results.map { "    - \"\($0)\"" }
    return ["▿ SeekState", "  - text: \"\(text)\""] + list + ["  - folds: \(folds)"]
  }

  @Test(.asyncEffects) func aFailingReplayIsDrawn() throws {
    let picture = try withFile("replay") { path in
      let failure = #expect(throws: TestFailure.self) { try replayStale(path.path) }
      #expect("\(failure!)".hasSuffix("\n  picture: \(path.path)"), "\(failure!)")
      return try PictureData(of: path)
    }
    #expect(picture.steps.map(\.kind) == ["model", "action", "action", "answer"])
    #expect(picture.failing == 3)
    #expect(picture.failure?.hasPrefix("A stale answer, PictureTests.swift:") == true)
    #expect(
      picture.steps.map { $0.states.map(\.lines) } == [
        [seekLines("", [], 0)], [seekLines("a", [], 1)], [seekLines("ab", [], 2)], [seekLines("ab", ["a"], 3)],
      ])
  }

  @Test(.asyncEffects) func theStepOfTheFailureIsMarkedAmongOthers() throws {
    let picture = try withFile("whole") { path in
      #expect(throws: TestFailure.self) { try replayStale(path.path, shrinking: false) }
      return try PictureData(of: path)
    }
    #expect(picture.steps.count == 6)
    #expect(picture.failing == 4)
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
    #expect(picture.title == "Failing order \"0-0-1-0\"")
    #expect(picture.failure?.hasPrefix("A stale answer, PictureTests.swift:") == true)
    #expect(picture.steps.map(\.kind) == ["model", "choice", "action", "action", "answer", "answer"])
    #expect(
      picture.steps.map(\.label).dropFirst() == [
        "chose \"a\"", "search(\"a\")", "search(\"ab\")", "answer to ab", "answer to a",
      ])
    #expect(picture.lanes.map(\.label) == ["SeekAction, SeekState", "the test", "search(\"a\")", "search(\"ab\")"])
    #expect(picture.steps[0].states.map(\.lines) == [seekLines("", [], 0)])
    #expect(picture.lanes(of: 5) == ["search(\"a\")"])
    #expect(picture.steps[5].states.map(\.lines) == [seekLines("ab", ["a"], 4)])
    #expect(picture.failing == 5)
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
    let kinds = Dictionary(picture.steps.map { ($0.label, $0.kind) }) { first, _ in first }
    #expect(picture.steps.filter { $0.kind == "cancel" }.count >= 2)
    #expect((1...4).map { kinds["add(\($0))"] } == ["action", "action", "action", "own"])
  }

  @Test func anOrderThatFailsInNoWayIsNotDrawn() throws {
    try withFile("none") { path in
      try explore(picture: path.path) { _ in }
      #expect(!FileManager.default.fileExists(atPath: path.path))
    }
  }

  // MARK: Pictures for the browser

  @Test func aLongSessionIsDrawn() throws {
    let count = Self.browserFolder == nil ? 150 : 1_500
    let picture = try write(longSession(count), "long")
    #expect(picture.steps.count == count)
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
