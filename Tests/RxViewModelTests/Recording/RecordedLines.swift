import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

enum LinesAction: Codable, Sendable, Equatable {
  case add(Int)
  case run(String)
}

/// A view model whose test gives the effects of its actions. Its state lists what it has folded.
// Sendable: it stores only `let`s.
final class LinesViewModel: RxViewModel<LinesAction, [String]>, @unchecked Sendable {
  private let sources: [Effect]
  private let mode: ExecutionMode
  private let effect: @Sendable (LinesViewModel, String) -> Effect

  init(
    on scheduler: (any Scheduler)?, mode: ExecutionMode = .parallel, sources: [Effect] = [],
    effect: @escaping @Sendable (_ viewModel: LinesViewModel, _ name: String) -> Effect = { _, _ in .empty() }
  ) {
    (self.mode, self.sources, self.effect) = (mode, sources, effect)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createSources() -> [Effect] { sources }

  override func executionMode(for action: LinesAction) -> ExecutionMode { mode }

  override func createObservable(_ action: LinesAction) -> Effect {
    switch action {
    case .add(let number): .mutate { $0.append("\(number)") }
    case .run(let name): effect(self, name)
    }
  }
}

/// A service that answers when the test says so.
final class HeldService: Sendable {
  let asked = Signal()
  /// The caller has the answer.
  let answered = Signal()
  private let (answers, source) = AsyncStream.makeStream(of: String.self)

  func answer(_ text: String) {
    source.yield(text)
  }

  /// Waits for the answer, even if the task has been cancelled.
  func call() async -> String {
    asked.fire()
    return await Task { [answers] in
      for await answer in answers { return answer }
      return "none"
    }.value
  }
}

extension SessionRecorder {
  /// The kinds of the entries, without those of view models and states.
  var kinds: [RxViewModelRecording.Entry.Kind] {
    recording.entries.map(\.kind).filter { ![.model, .state].contains($0) }
  }

  /// The questions of the answers, in their order.
  var answeredQuestions: [String?] {
    recording.entries.filter { $0.kind == .answer }.map { $0.call?.question }
  }
}

extension Recording {
  /// Whether older entries have been dropped, and it begins without the state of a view model.
  var beginsInTheMiddle: Bool {
    let head = entries.prefix { $0.kind != .begin }
    return head.count < count && head.contains { $0.kind == .model && $0.json(5) == "null" }
  }
}

/// Plays a recording to the view model that `make` makes. Returns its last state, and the departures.
func playLines(
  _ recording: Recording, tolerant: Bool = false,
  _ make: (_ recorder: SessionRecorder, _ scheduler: any Scheduler) -> LinesViewModel
) throws -> Fidelity {
  var states: [String] = []
  let report = try replay(recording, tolerant: tolerant) { run in
    let model = make(run.recorder, run.scheduler)
    try run.play()
    states = model.currentState
  }
  return Fidelity(states: states, departures: report.departures)
}

/// A recording of the view model "lines" with the lines of `text`.
func linesRecording(_ text: String) throws -> Recording {
  try Recording("RxViewModel recording 2\n[\"model\",0,0,\"lines\",\"LinesViewModel\",null]\n\(text)\nend")
}
