import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import DirectoryScreens

/// From the button of the page to a test.
// contract 9.2, 9.5
@Suite(.timeLimit(.minutes(2))) struct RecordingTests {
  // MARK: A bug, followed from the page to its smallest recording

  /// A list with a bug: its reload has no lane, so a search does not cancel it.
  private final class PeopleWithoutALane: PeopleViewModel, @unchecked Sendable {  // Sendable: it stores nothing.
    override func executionMode(for action: PeopleAction) -> ExecutionMode {
      action == .reload ? .parallel : super.executionMode(for: action)
    }
  }

  /// Expects that a list that changes shows only people whom its search finds. Returns whom it shows in the end.
  @discardableResult
  private func play(
    _ recording: Recording, to list: PeopleViewModel.Type, picture: String? = nil
  ) throws -> [String] {
    var before: [Person] = []
    try replay(recording, picture: picture) { run in
      let list = makeViewModels(run.recorder, on: run.scheduler, list: list).people()
      before = []
      try run.play {
        let state = list.currentState
        defer { before = state.people.items }
        try run.expect(
          state.people.items == before || state.people.items.allSatisfy(state.query.finds),
          "The list shows people whom the search does not find")
      }
    }
    return before.map(\.name)
  }

  private func expectFiveEntries(of recording: Recording, picture: String? = nil) throws {
    let failure = try #require(throws: TestFailure.self, "\(recording)") {
      try play(recording, to: PeopleWithoutALane.self, picture: picture)
    }
    let entries = "\(failure)".split(separator: "\n").filter { $0.hasPrefix("  [") }
    #expect(entries.count <= 5, "\(failure)")
    #expect("\(failure)".contains("fails with \(entries.count) of \(recording.count) entries"), "\(failure)")
  }

  // While the list is reloaded, the user searches. With the bug, the late answer to the reload takes the place of the search.
  @Test func theDownloadedRecordingFailsUntilTheBugIsFixed() async throws {
    let clock = HeldClock()
    let store = PeopleStore(Person.madeUp(200), clock: clock)
    try await withDirectory(store: store, clock: clock, list: PeopleWithoutALane.self) { client, _ in
      let page = try await TestPage(client)
      let reading = Task { try await page.events { _ in false } }
      defer { reading.cancel() }
      try await page.signIn()
      try await page.state("all people") { $0.names.count == 50 }
      clock.phase.value = .holdsNext
      _ = try await store.add(Person(id: 0, name: "Zoe Zander", lastSeen: .zero))
      try await clock.reaches(.holds)
      try await page.send(#"{"type": {"text": "lena"}}"#)
      try await page.state("the search") { !$0.names.isEmpty && $0.names.allSatisfy { $0.hasPrefix("Lena ") } }
      clock.phase.value = .passes
      try await page.state("the bug") { $0.names.count == 50 }

      let recording = try Recording(try await page.recording)
      try expectFiveEntries(of: recording)
      let names = try play(recording, to: PeopleViewModel.self)
      #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix("Lena ") })
    }
  }

  // Session.recording comes from a browser, from a directory of eight people with the same bug. The user signed in, searched, edited a
  // nickname, added a person, and searched again. In the end the list showed everyone. The environment may name a folder for the picture of
  // the failure.
  @Test func theRecordingOfALongerSessionFailsUntilTheBugIsFixed() throws {
    let recording = try Recording(String(decoding: PackageResources.Session_recording, as: UTF8.self))
    let folder = ProcessInfo.processInfo.environment["RX_PICTURE_DIR"]
    try expectFiveEntries(of: recording, picture: folder.map { "\($0)/session.html" })
    #expect(try play(recording, to: PeopleViewModel.self) == ["Edgar Loliwood"])
  }

  // MARK: What a recording holds

  @Test func aDownloadedSessionIsReplayedWithoutDepartures() async throws {
    try await withDirectory { client, _ in
      let page = try await TestPage(client)
      let reading = Task { try await page.events { _ in false } }
      defer { reading.cancel() }
      try await page.signIn()
      try await page.state("all people") { $0.names.count == 50 }
      try await page.send(#"{"type": {"text": "anna"}}"#)
      try await page.state("the search") { !$0.names.isEmpty && $0.names.allSatisfy { $0.hasPrefix("Anna ") } }
      try await page.send(#"{"type": {"text": ""}}"#)
      try await page.state("all people again") { $0.names.count == 50 }
      try await page.send(#"{"loadMore": {}}"#)
      try await page.state("the next page") { $0.names.count > 50 }
      try await page.send(#"{"open": {"id": 42}}"#)
      try await page.state("the person") { $0.color != nil }
      try await page.send(#"{"setNickname": {"text": "Lenchen ", "edit": 1}}"#)
      try await page.send(#"{"endEditing": {}}"#)
      try await page.state("the stored nickname") { $0.nickname == "Lenchen" }
      try await page.send(#"{"chooseColor": {}}"#)
      try await page.state("the colors") { $0.paths.count == 3 }
      try await page.send(#"{"pick": {"color": "blue"}}"#)
      try await page.state("the color") { $0.color == "blue" }
      try await page.send(#"{"go": {"path": "/people"}}"#)
      try await page.send(#"{"setAdding": {"isAdding": true}}"#)
      try await page.send(#"{"setName": {"text": "Lena Aaa"}}"#)
      try await page.send(#"{"add": {}}"#)
      try await page.state("the new person") { $0.newPerson == nil && $0.names.first == "Lena Aaa" }

      let text = try await page.recording
      #expect(text.contains(#"{"setPassword":{"_0":"•••••"}}"#))
      #expect(!text.contains(#""admin","admin""#))
      let departures = try departures(of: Recording(text))
      #expect(departures == [], "\(text)")
    }
  }

  /// Plays a recording to the view models that it names.
  private func departures(of recording: Recording) throws -> [String] {
    try replay(recording) { try playAll($0) }.departures
  }

  /// Makes the view models that a recording names, and plays it to them.
  private func playAll(_ run: Replay, list: PeopleViewModel.Type = PeopleViewModel.self) throws {
    // Only this thread uses them.
    nonisolated(unsafe) var viewModels: ViewModels!
    nonisolated(unsafe) var made: [AnyObject] = []
    viewModels = makeViewModels(run.recorder, on: run.scheduler, list: list) { route in
      if case .pickColor(let color, let reply) = route { made.append(viewModels.color(color, reply)) }
    }
    for name in run.names {
      switch name.split(separator: " ").first {
      case "sign-in": made.append(viewModels.signIn())
      case "people": made.append(viewModels.people())
      case "person": made.append(viewModels.person(try #require(Int(name.dropFirst("person ".count)))))
      // The route makes the screen of the colors.
      default: continue
      }
    }
    try run.play()
  }

  // MARK: A folder of sessions

  // Scripts/record_sessions.py has recorded them in a browser.
  @Test func eachSessionReachesTheRecordedStates() throws {
    let reports = try replay(allIn: "Sessions") { try playAll($0) }
    #expect(reports.count == 6)
    for (name, report) in reports { #expect(report.entries > 5 && report.departures == [], "\(name)") }
  }

  /// A list that writes what the user types in capitals.
  private final class ChangedPeople: PeopleViewModel, @unchecked Sendable {  // Sendable: it stores nothing.
    override func createObservable(_ action: PeopleAction) -> Effect {
      let effect = super.createObservable(action)
      guard case .type(let text) = action else { return effect }
      return effect.concat(.mutate { $0.text = text.uppercased() })
    }
  }

  @Test func aChangeOfAMapperFailsWithTheDifference() throws {
    let failure = try #require(throws: TestFailure.self) {
      try replay(allIn: "Sessions") { try playAll($0, list: ChangedPeople.self) }
    }
    let text = "\(failure)"
    #expect(text.contains("search.recording:") && !text.contains("sign-in.recording:"), "\(text)")
    #expect(text.contains(#"-   - text: "lena""#) && text.contains(#"+   - text: "LENA""#), "\(text)")
  }

  // MARK: A long session

  /// Follows something for ever.
  private final class Follower: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
    override func createInitialState() -> Int { 0 }

    override func createObservable(_ action: Int) -> Effect {
      Observable<Int>.interval(.seconds(action), scheduler: scheduler).mutate { state, _ in state += 1 }
    }
  }

  // A recorder keeps its newest entries. A view model that never rests spoils the recording of no other.
  @Test func twoHoursAreReplayedFromWhereEachScreenHasRested() throws {
    let (recorder, scheduler) = (Recorder(), TestScheduler())
    let viewModels = makeViewModels(recorder, on: scheduler, Person.madeUp(200), latency: .milliseconds(150))
    let (list, people) = (viewModels.people(), [3, 42].map { viewModels.person($0) })
    let follower = recorder.record("follower") { Follower(scheduler: scheduler) }
    follower.execute(7)
    var random = Congruence(state: 1)
    let words = ["", "a", "an", "ann", "anna", "le", "lena", "zo", "zoe"]
    while scheduler.now < .seconds(7_200) {
      scheduler.advance(by: .milliseconds(.random(in: 10...3_000, using: &random)))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: list.execute(.loadMore)
      case 1: list.execute(.reverse)
      case 2: people.randomElement(using: &random)!.execute(.form(.setNickname(words.randomElement(using: &random)!)))
      case 3: people.randomElement(using: &random)!.execute(.form(.endEditing))
      case 4: people.randomElement(using: &random)!.execute(.retry)
      default: list.execute(.type(words.randomElement(using: &random)!))
      }
    }
    let recording = recorder.recording
    #expect("\(recording)".contains("[\"begin\""))
    #expect(recording.count < 2_200)
    #expect(try departures(of: recording) == [])
    let failure = try #require(throws: TestFailure.self) {
      try replay(recording) { run in
        _ = run.recorder.record("follower") { Follower(scheduler: run.scheduler) }
        try run.play()
      }
    }
    #expect("\(failure)".contains("it has not rested since then, because these actions have not ended:"), "\(failure)")
    #expect("\(failure)".contains("\n    7, since "), "\(failure)")
  }

  private func makeViewModels(
    _ recorder: Recorder, on scheduler: TestScheduler, _ people: [Person] = [],
    list: PeopleViewModel.Type = PeopleViewModel.self, latency: Duration = .zero,
    answer: @escaping @Sendable (DirectoryRoute) -> Void = { _ in }
  ) -> ViewModels {
    let store = PeopleStore(people, clock: scheduler.clock)
    return ViewModels(
      service: DemoDirectoryService(store, latency: latency, clock: scheduler.clock),
      navigator: TestNavigator(answer).navigator, messages: Messages(), scheduler: scheduler, recorder: recorder,
      list: list)
  }

  // MARK: The program draws a recording

  @Test func theProgramDrawsARecording() async throws {
    let html = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: html) }
    let recording = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Session.recording")
    #expect(try await Self.run(["--picture", recording.path, html.path]).exitCode == 0)
    #expect(try String(contentsOf: html, encoding: .utf8).contains("Edgar Loliwood"))
  }

  @Test(arguments: [
    (["--picture", "/missing/file", "a.html"], 1, "/missing/file cannot be read."),
    (["--picture", #filePath, "a.html"], 1, "RecordingTests.swift is not a recording. Line 1: "),
    (
      ["--picture", #filePath.replacing("RecordingTests.swift", with: "Session.recording"), "/missing/a.html"], 1,
      "/missing/a.html cannot be written. Name a file in a folder that you may write to."
    ),
    (["--picture", "a"], 64, "A picture takes two files: a recording, and the HTML file to write."),
  ]) func aFileThatCannotBeUsedIsRefused(_ arguments: [String], _ code: Int32, _ sentence: String) async throws {
    let end = try await Self.run(arguments)
    #expect(end.exitCode == code)
    #expect(end.errors.contains(sentence))
  }

  /// Runs the program in a process of its own until it ends.
  private static func run(_ arguments: [String]) async throws -> (exitCode: Int32?, errors: String) {
    let (process, errors) = (Process(), Pipe())
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let (ends, end) = AsyncStream<Int32>.makeStream()
    process.executableURL = products.appending(path: "Directory")
    process.arguments = arguments
    process.standardError = errors
    process.terminationHandler = { end.yield($0.terminationStatus) }
    try process.run()
    let exitCode = await ends.first { _ in true }
    // A few lines, for which a pipe has room.
    return (exitCode, String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
  }
}

/// A linear congruential generator.
private struct Congruence: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 33
  }
}

/// A clock on which each sleep ends immediately, except one that the test holds.
private struct HeldClock: Clock {
  enum Phase {
    case passes, holdsNext, holds
  }

  let phase = MutableProperty(Phase.passes)
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    guard phase.value == .holdsNext else { return }
    phase.value = .holds
    try await reaches(.passes)
  }

  func reaches(_ next: Phase) async throws {
    for try await phase in phase.asObservable().values where phase == next { return }
  }
}

extension PeopleQuery {
  fileprivate func finds(_ person: Person) -> Bool {
    let names = person.name.lowercased().split(separator: " ")
    return words.allSatisfy { word in names.contains { $0.hasPrefix(word.lowercased()) } }
  }
}

extension TestState {
  fileprivate var names: [String] { sections.flatMap(\.rows).map(\.name) }
}
