// The code of *Beyond the screen* on writes that keep an order, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

final class Pins: RxViewModel<Pins.Action, Pins.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case set(Note.ID, Bool)
    case write(Note.ID, Bool)
  }

  struct State: Sendable, Equatable {
    /// The notes that are pinned on the server.
    var stored: Set<Note.ID> = []
    /// The values that the server has not confirmed yet.
    var wanted: [Note.ID: Bool] = [:]

    func isPinned(_ id: Note.ID) -> Bool { wanted[id] ?? stored.contains(id) }
  }

  private let write: @Sendable (Note.ID, Bool) async throws -> Void

  init(scheduler: (any Scheduler)? = nil, write: @escaping @Sendable (Note.ID, Bool) async throws -> Void) {
    self.write = write
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .set(let id, let isPinned):
      return Observable.mutate { $0.wanted[id] = isPinned }
        .do(onCompleted: { [weak self] in self?.execute(.write(id, isPinned)) })
    case .write(let id, let isPinned):
      let write = write
      return Observable.task { try await write(id, isPinned) }.mutate { state, _ in
        if isPinned { state.stored.insert(id) } else { state.stored.remove(id) }
        if state.wanted[id] == isPinned { state.wanted[id] = nil }
      }
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    if case .write(let id, _) = action { .sequence("pin \(id)") } else { .parallel }
  }

  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    guard case .write(let id, let isPinned) = action else { return nil }
    return mutate { if $0.wanted[id] == isPinned { $0.wanted[id] = nil } }
  }
}

private final class PinnedNoteViewModel: RxViewModel<PinnedNoteViewModel.Action, Note>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case setPinned(Bool)
  }

  private let id: Note.ID
  private let pins: Pins

  init(id: Note.ID, pins: Pins, scheduler: any Scheduler) {
    (self.id, self.pins) = (id, pins)
    super.init(initialState: Note(id: id), scheduler: scheduler)
  }

  override func createSources() -> [Effect] {
    [pins.stateObservable.map { [id] in $0.isPinned(id) }.distinctUntilChanged().mutate { $0.isPinned = $1 }]
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .setPinned(let isPinned): pins.performDetached(.set(id, isPinned)).ignoreElements()
    }
  }
}

// contract 1.4, 2.9, 2.17, 4.6
struct OutlivingOrderTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func inEveryOrderTheScreensShowWhatTheServerHas() throws {
    let report = try explore { run in
      let server = Locked(false)
      let pins = Pins(scheduler: run.scheduler) { _, isPinned in
        try await run.arrival("write \(isPinned)")
        if run.choose(false, true) { throw Offline() }
        server.mutate { $0 = isPinned }
      }
      _ = pins.errorObservable.subscribe(onNext: { _ in })
      var screen: PinnedNoteViewModel? = PinnedNoteViewModel(id: 1, pins: pins, scheduler: run.scheduler)
      for isPinned in [true, false, true] {
        screen?.execute(.setPinned(isPinned))
        run.scheduler.advance()
        try run.expect(screen?.currentState.isPinned == isPinned)
        run.mayArrive()
      }
      screen = nil
      run.allArrive()
      try run.expect(pins.currentState.wanted.isEmpty)
      try run.expect(pins.currentState.isPinned(1) == server.value)
    }
    #expect(report.isExhaustive)
  }
}
