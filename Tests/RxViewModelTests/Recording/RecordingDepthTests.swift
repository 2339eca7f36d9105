import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite("Nested values of a recording") struct RecordingDepthTests {
  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
  }

  // contract 9.2, 9.4
  @Test(arguments: [100, 101, 250]) func aSmallStackIsEnoughForEachNestingThatIsAnEntry(_ depth: Int) async {
    let text = "RxViewModel recording 2\n[\"answer\",1,0,1,\"[[[\\\"\",1,\(nested(depth))]\nend"
    let isRead = await onThread(stackSize: smallStack) { (try? Recording(text)) != nil }
    #expect(isRead == (depth <= 100))
  }

  // contract 9.2
  @Test func aValueThatIsNestedTooDeepIsMissing() {
    let recorder = SessionRecorder()
    _ = recorder.value("deep") { Nested(depth: 101) }
    _ = recorder.value("less deep") { Nested(depth: 100) }
    let values = recorder.recording.entries.filter { $0.kind == .value }
    #expect(values.map { $0.text.contains("unrecorded") } == [true, false])
  }

  // contract 9.2
  @Test(arguments: [Entry.Kind.model, .action])
  func aStateAndAnActionThatAreNestedTooDeepAreMissing(_ kind: Entry.Kind) {
    let recorder = SessionRecorder()
    for depth in [101, 100] {
      let value = Nested(depth: depth)
      let model = recorder.record { NestedViewModel(initialState: value, scheduler: ImmediateScheduler()) }
      model.execute(value)
    }
    let entries = recorder.recording.entries.filter { $0.kind == kind }
    #expect(entries.map { $0.text.contains("unrecorded") } == [true, false])
  }
}

// Sendable: it stores nothing.
private final class NestedViewModel: RxViewModel<Nested, Nested>, @unchecked Sendable {
  override func createObservable(_ action: Nested) -> Effect { .empty() }
}

/// Writes arrays in arrays.
private struct Nested: Codable {
  let depth: Int

  init(depth: Int) { self.depth = depth }

  init(from decoder: any Decoder) throws { depth = 0 }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if depth > 1 { try container.encode(Nested(depth: depth - 1)) }
  }
}
