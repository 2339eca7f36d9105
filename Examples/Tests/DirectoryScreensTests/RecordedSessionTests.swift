import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import DirectoryScreens

/// A list with a fault: its reload has no lane, so a search does not cancel it.
private final class PeopleWithoutALane: PeopleViewModel, @unchecked Sendable {  // Sendable: it stores nothing.
  override func executionMode(for action: PeopleAction) -> ExecutionMode {
    action == .reload ? .parallel : super.executionMode(for: action)
  }
}

/// Session.recording is a session in the browser, in a directory of eight people, with that fault in the app and with a service that
/// takes long to reload a list. The user signed in, searched, edited a nickname, added a person, and searched again. In the end the list
/// showed everyone.
// contract 9.5
@Suite struct RecordedSessionTests {
  private let recording = try! Recording(String(decoding: PackageResources.Session_recording, as: UTF8.self))

  /// Expects that a list that changes shows only people whom its search finds. Returns whom it shows in the end.
  ///
  /// The environment may name a folder for the picture of a failure.
  @discardableResult
  private func play(_ list: PeopleViewModel.Type) throws -> [String] {
    var before: [Person] = []
    let folder = ProcessInfo.processInfo.environment["RX_PICTURE_DIR"]
    try replay(recording, picture: folder.map { "\($0)/session.html" }) { run in
      let clock = run.scheduler.clock
      let viewModels = ViewModels(
        service: DemoDirectoryService(PeopleStore([], clock: clock), latency: .zero, clock: clock),
        navigator: TestNavigator().navigator, messages: Messages(), scheduler: run.scheduler, recorder: run.recorder)
      let list = viewModels.people(list)
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

  @Test func aRecordedFaultIsShrunkToFiveEntries() throws {
    let failure = try #require(throws: TestFailure.self) { try play(PeopleWithoutALane.self) }
    let entries = "\(failure)".split(separator: "\n").filter { $0.hasPrefix("  [") }
    #expect(entries.count <= 5, "\(failure)")
    #expect("\(failure)".contains("fails with \(entries.count) of \(recording.count) entries"), "\(failure)")
  }

  @Test func theMendedListPasses() throws {
    #expect(try play(PeopleViewModel.self) == ["Edgar Loliwood"])
  }
}

extension PeopleQuery {
  fileprivate func finds(_ person: Person) -> Bool {
    let names = person.name.lowercased().split(separator: " ")
    return words.allSatisfy { word in names.contains { $0.hasPrefix(word.lowercased()) } }
  }
}
