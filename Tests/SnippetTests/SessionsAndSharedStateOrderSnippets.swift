// The code of *Sessions and shared state* on writes that keep an order, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

final class Pins: RxViewModel<Pins.Action, Set<Note.ID>>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case set(Note.ID, isPinned: Bool)
  }

  private let write: @Sendable (Note.ID, Bool) async throws -> Void

  init(scheduler: (any Scheduler)? = nil, write: @escaping @Sendable (Note.ID, Bool) async throws -> Void) {
    self.write = write
    super.init(initialState: [], scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .set(let id, let isPinned):
      let write = write
      return Observable.task { try await write(id, isPinned) }.ignoreElements()
    }
  }

  // Shows immediately, and is taken back if the server refuses it.
  override func optimisticUpdate(for action: Action) -> OptimisticUpdate<Set<Note.ID>>? {
    switch action {
    case .set(let id, true): .change { $0.insert(id) }
    case .set(let id, false): .change { $0.remove(id) }
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .set(let id, _): .sequence("pin \(id)")
    }
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
    [pins.stateObservable.map { [id] in $0.contains(id) }.distinctUntilChanged().mutate { $0.isPinned = $1 }]
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .setPinned(let isPinned): pins.performDetached(.set(id, isPinned: isPinned)).ignoreElements()
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
      try run.expect(pins.currentState.contains(1) == server.value)
    }
    #expect(report.isExhaustive)
  }
}
