import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

typealias SessionRecorder = RxViewModelRecording.Recorder

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
  private let resumed: @Sendable (LinesViewModel, DisposeBag) -> Void

  init(
    on scheduler: (any Scheduler)?, mode: ExecutionMode = .parallel, sources: [Effect] = [],
    effect: @escaping @Sendable (_ viewModel: LinesViewModel, _ name: String) -> Effect = { _, _ in .empty() },
    resumed: @escaping @Sendable (LinesViewModel, DisposeBag) -> Void = { _, _ in }
  ) {
    (self.mode, self.sources, self.effect, self.resumed) = (mode, sources, effect, resumed)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> [String] { [] }

  override func createSources() -> [Effect] { sources }

  override func onResume(_ scope: DisposeBag) { resumed(self, scope) }

  override func executionMode(for action: LinesAction) -> ExecutionMode { mode }

  override func createObservable(_ action: LinesAction) -> Effect {
    switch action {
    case .add(let number): .mutate { $0.append("\(number)") }
    case .run(let name): effect(self, name)
    }
  }
}

/// Makes a view model with the name "lines", in the session and in its replay.
typealias MakeLines = @Sendable (_ recorder: SessionRecorder, _ scheduler: any Scheduler) -> LinesViewModel

func recordedLines(
  _ recorder: SessionRecorder, on scheduler: any Scheduler, mode: ExecutionMode = .parallel,
  sources: [LinesViewModel.Effect] = [],
  effect: @escaping @Sendable (_ viewModel: LinesViewModel, _ name: String) -> LinesViewModel.Effect = { _, _ in
    .empty()
  }
) -> LinesViewModel {
  recorder.record("lines") { LinesViewModel(on: scheduler, mode: mode, sources: sources, effect: effect) }
}

/// An effect that asks a service with the name of its action, and appends the answer. The service answers with the name.
func answers(by recorder: SessionRecorder) -> @Sendable (LinesViewModel, String) -> LinesViewModel.Effect {
  { _, name in Observable.task { try await recorder.answer(name) { name } }.mutate { $0.append($1) } }
}

/// A service that answers when the test says so, or when its task is cancelled.
final class HeldService: Sendable {
  private let (answers, source) = AsyncStream.makeStream(of: String.self)

  func answer(_ text: String) { source.yield(text) }

  func call() async -> String { await answers.first { _ in true } ?? "cancelled" }
}

extension SessionRecorder {
  /// The kinds of the entries, without those of view models and states, and without a beginning behind nothing.
  var kinds: [RxViewModelRecording.Entry.Kind] {
    recording.entries.filter { $0.kind != .begin || !$0.isMark }.map(\.kind).filter { ![.model, .state].contains($0) }
  }
}

/// Plays a recording to the view model that `make` makes. Returns its last state, and the departures.
func replayed<A, S, M: RxViewModel<A, S>>(
  _ recording: Recording, _ make: (_ recorder: SessionRecorder, _ scheduler: any Scheduler) throws -> M
) throws -> (state: S, departures: [String]) {
  var last: S?
  let report = try replay(recording) { run in
    let model = try make(run.recorder, run.scheduler)
    try run.play()
    last = model.currentState
  }
  return (try #require(last), report.departures)
}

/// Expects that a replay departs nowhere, and ends in the state.
func expectReplay<A, S: Equatable, M: RxViewModel<A, S>>(
  of recording: Recording, _ state: S, sourceLocation: SourceLocation = #_sourceLocation,
  _ make: (_ recorder: SessionRecorder, _ scheduler: any Scheduler) throws -> M
) throws {
  let played = try replayed(recording) { try make($0, $1) }
  #expect(played.departures == [], "\(recording)", sourceLocation: sourceLocation)
  #expect(played.state == state, "\(recording)", sourceLocation: sourceLocation)
}

/// A recording of the view model "lines" with the lines of `text`.
func linesRecording(_ text: String) throws -> Recording {
  try Recording("RxViewModel recording 3\n[\"model\",0,0,null,null,\"lines\",\"LinesViewModel\"]\n\(text)\nend")
}

// MARK: A search

enum SeekAction: Codable, Sendable, Equatable {
  case search(String)
}

struct SeekState: Codable, Sendable, Equatable {
  var text = ""
  var results: [String] = []
  var folds = 0
}

typealias SeekViewModel = ClosureViewModel<SeekAction, SeekState>

extension SeekViewModel {
  /// The search of *Every order*, which counts its folds.
  convenience init(
    _ mode: ExecutionMode, on scheduler: (any Scheduler)?, find: @escaping @Sendable (String) async throws -> [String]
  ) {
    self.init(SeekState(), scheduler: scheduler) { _, action in
      switch action {
      case .search(let text):
        .mutate { ($0.text, $0.folds) = (text, $0.folds + 1) }.concat(
          Observable.task { try await find(text) }.mutate { ($0.results, $0.folds) = ($1, $0.folds + 1) })
      }
    } overrides: {
      $0.mode = { _, _ in mode }
    }
  }
}

func seek(
  _ recorder: SessionRecorder, _ mode: ExecutionMode, on scheduler: (any Scheduler)? = nil,
  find: @escaping @Sendable (String) async throws -> [String] = { _ in [] }
) -> SeekViewModel {
  recorder.record("search") {
    SeekViewModel(mode, on: scheduler) { text in try await recorder.answer("find \(text)") { try await find(text) } }
  }
}
