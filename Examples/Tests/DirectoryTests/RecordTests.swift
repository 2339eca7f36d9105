import DirectoryScreens
import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

/// The program itself, with `--record`.
// contract 9.2, 9.5
@Suite(.timeLimit(.minutes(2))) struct RecordTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")

  @Test func aRecordedSessionIsReplayedWithoutDepartures() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let program = try DirectoryProcess(["--port", "0", "--latency", "10", "--record", file.path])
    let port = try #require(program.output().firstMatch(of: /:(\d+)\./).flatMap { Int($0.1) })
    let page = try await TestPage(Client(port: port))
    let reading = Task { try await page.events { _ in false } }
    defer { reading.cancel() }
    try await page.signIn()
    try await page.state("all people") { $0.names.count == 50 }
    try await page.send(#"{"type": {"text": "lena"}}"#)
    try await page.state("the search") { !$0.names.isEmpty && $0.names.allSatisfy { $0.hasPrefix("Lena ") } }
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
    #expect(await program.interrupt() == 0)
    #expect(program.output().contains("The recording is in \(file.path)"))

    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains(#"{"setPassword":{"_0":"•••••"}}"#))
    let report = try replay(Recording(text)) { run in try play(text, run) }
    #expect(report.departures == [], "\(text)")

    let html = file.deletingPathExtension().appendingPathExtension("html")
    defer { try? FileManager.default.removeItem(at: html) }
    #expect(try await DirectoryProcess(["--picture", file.path, html.path]).end() == 0)
    #expect(try String(contentsOf: html, encoding: .utf8).contains("Lena Aaa"))
  }

  @Test(arguments: [
    (
      ["--record", "/missing/file"], 1,
      "/missing/file cannot be written. Name a file in a folder that you may write to."
    ),
    (["--picture", "/missing/file", "a.html"], 1, "/missing/file cannot be read."),
    (["--picture", #filePath, "a.html"], 1, "RecordTests.swift is not a recording. Line 1: "),
    (["--picture", "a"], 64, "A picture takes two files: a recording, and the HTML file to write."),
  ]) func aFileThatCannotBeUsedIsRefused(_ arguments: [String], _ code: Int32, _ sentence: String) async throws {
    let program = try DirectoryProcess(["--port", "0"] + arguments)
    #expect(await program.end() == code)
    #expect(program.output().contains(sentence))
  }

  /// Makes the view models that the recording names, and plays it to them.
  private func play(_ text: String, _ run: Replay) throws {
    let clock = run.scheduler.clock
    // Only this thread uses them.
    nonisolated(unsafe) var viewModels: ViewModels!
    nonisolated(unsafe) var made: [AnyObject] = []
    let navigator = TestNavigator<DirectoryRoute> { route in
      if case .pickColor(let color, let reply) = route { made.append(viewModels.color(color, reply)) }
    }
    viewModels = ViewModels(
      service: DemoDirectoryService(PeopleStore([], clock: clock), latency: .zero, clock: clock),
      navigator: navigator.navigator, messages: Messages(), scheduler: run.scheduler, recorder: run.recorder)
    for line in text.split(separator: "\n") {
      guard let model = line.prefixMatch(of: /\["model",\d+,\d+,"(sign-in|people|person) ?(\d*)"/) else { continue }
      switch model.1 {
      case "sign-in": made.append(viewModels.signIn())
      case "people": made.append(viewModels.people())
      default: made.append(viewModels.person(try #require(Int(model.2))))
      }
    }
    try run.play()
  }
}

extension TestState {
  fileprivate var names: [String] { sections.flatMap(\.rows).map(\.name) }
}

/// The program in a process of its own.
private final class DirectoryProcess {
  private let process = Process()
  private let pipe = Pipe()
  private let ends: AsyncStream<Int32>

  init(_ arguments: [String]) throws {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let (ends, end) = AsyncStream<Int32>.makeStream()
    self.ends = ends
    process.executableURL = products.appending(path: "Directory")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    process.terminationHandler = { end.yield($0.terminationStatus) }
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Waits for the next lines that the program prints.
  func output() -> String { String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }

  /// Ends the program as Ctrl-C does, and returns its exit code.
  func interrupt() async -> Int32? {
    process.interrupt()
    return await end()
  }

  func end() async -> Int32? { await ends.first { _ in true } }
}
