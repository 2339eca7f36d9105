import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

typealias SessionRecorder = RxViewModelRecording.Recorder

enum SeekAction: Codable, Sendable, Equatable {
  case search(String)
}

struct SeekState: Codable, Sendable, Equatable {
  var text = ""
  var results: [String] = []
  var folds = 0
}

/// The search of *Every order*, which counts its folds.
// Sendable: it stores only `let`s.
final class SeekViewModel: RxViewModel<SeekAction, SeekState>, @unchecked Sendable {
  private let mode: ExecutionMode
  private let find: @Sendable (String) async throws -> [String]

  init(
    _ mode: ExecutionMode, on scheduler: (any Scheduler)?, find: @escaping @Sendable (String) async throws -> [String]
  ) {
    (self.mode, self.find) = (mode, find)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> SeekState { SeekState() }

  override func executionMode(for action: SeekAction) -> ExecutionMode { mode }

  override func createObservable(_ action: SeekAction) -> Effect {
    guard case .search(let text) = action else { return .empty() }
    let find = find
    let answer = Observable.task { try await find(text) }
    return .mutate {
      $0.text = text
      $0.folds += 1
    }.concat(
      answer.mutate {
        $0.results = $1
        $0.folds += 1
      })
  }
}

func seek(
  _ recorder: SessionRecorder, _ mode: ExecutionMode, on scheduler: (any Scheduler)? = nil,
  find: @escaping @Sendable (String) async throws -> [String]
) -> SeekViewModel {
  recorder.record("search") {
    SeekViewModel(mode, on: scheduler) { text in try await recorder.answer("find \(text)") { try await find(text) } }
  }
}

let sixModes: [ExecutionMode] = [
  .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy,
]

/// The states of a session, and those of its replay.
struct Fidelity: Equatable {
  let states: [String]
  let departures: [String]
}
