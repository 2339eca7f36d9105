import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum DraftAction: Sendable, Equatable {
  case type(String)
  case save
  case clear
}

// Race 14, AlexW00/Zettel PR 25: a swipe clears the note before its debounced save begins. The last edits vanish.
@Suite(.asyncEffects) struct DraftRaceTests {
  private func typeAndClear(_ run: Exploration, isCured: Bool) throws {
    let server = RaceServer(run, [String]())
    let viewModel = ClosureViewModel<DraftAction, String>("", scheduler: run.scheduler) { model, action in
      switch action {
      case .type(let text): return Observable.mutate { $0 = text }.then(.save, on: model)
      case .save:
        let text = model.currentState
        return Observable.task { try await server.request("save \(text)") { $0.append(text) } }.mutate { _, _ in }
      case .clear: return .mutate { $0 = "" }
      }
    } overrides: {
      $0.mode = { _, action in
        switch action {
        case .save: .keepLatest("note", after: .milliseconds(700))
        case .clear: isCured ? .sequence("note") : .parallel
        case .type: .parallel
        }
      }
    }
    for text in ["a", "ab"] {
      viewModel.execute(.type(text))
      run.mayArrive()
    }
    if isCured {
      viewModel.flush("note")
      viewModel.execute(.clear)
    } else {
      viewModel.execute(.clear)
    }
    run.allArrive()
    try run.expect(server.value.last == "ab" && viewModel.currentState == "", "\(server.value)")
  }

  @Test func aSaveAfterTheClearStoresNothing() {
    #expect(throws: TestFailure.self) { try explore(limit: 5_000) { try typeAndClear($0, isCured: false) } }
  }

  @Test(arguments: [false, true]) func aFlushSavesFirst(overlapping: Bool) throws {
    try explore(limit: 5_000, overlapping: overlapping) { try typeAndClear($0, isCured: true) }
  }
}
