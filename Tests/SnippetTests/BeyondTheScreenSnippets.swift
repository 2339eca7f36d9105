// The code of *Beyond the screen* on a write that goes on and on a draft, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated struct Note: Sendable, Equatable, Identifiable {
  let id: Int
  var isPinned = false
}

nonisolated protocol NoteService: Sendable {
  func pin(_ id: Note.ID) async throws
}

final class NotesViewModel: RxViewModel<NotesViewModel.Action, NotesViewModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case pin(Note.ID)
  }

  struct State: Sendable, Equatable {
    var notes: [Note] = []
  }

  private let service: any NoteService

  init(notes: [Note], service: any NoteService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: State(notes: notes), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .pin(let id):
      let service = service
      return Observable.task { try await service.pin(id) }
        .continuesAfterDispose()
        .mutate { state, _ in
          if let index = state.notes.firstIndex(where: { $0.id == id }) { state.notes[index].isPinned = true }
        }
    }
  }
}

/// A service that takes a second for each write.
private struct SlowNotes: NoteService {
  let clock: TestClock
  let writes = Locked<[String]>([])

  func pin(_ id: Note.ID) async throws {
    try await clock.sleep(for: .seconds(1))
    writes.mutate { $0.append("pin \(id)") }
  }
}

// contract 1.4, 2.9
struct OutlivingWriteTests {
  private let scheduler = TestScheduler()
  private let service: SlowNotes

  init() {
    service = SlowNotes(clock: scheduler.clock)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aNoteIsPinnedAlthoughTheScreenHasGone() {
    let stays = NotesViewModel(notes: [Note(id: 2)], service: service, scheduler: scheduler)
    var viewModel: NotesViewModel? = NotesViewModel(notes: [Note(id: 1)], service: service, scheduler: scheduler)
    weak let gone = viewModel
    viewModel?.execute(.pin(1))
    stays.execute(.pin(2))
    scheduler.advance(by: .milliseconds(500))
    viewModel = nil
    #expect(gone == nil)
    scheduler.run()
    #expect(service.writes.value == ["pin 1", "pin 2"])
    #expect(stays.currentState.notes == [Note(id: 2, isPinned: true)])
  }
}

// MARK: A draft

nonisolated protocol DraftStorage: Sendable {
  func load() -> String?
  func save(_ text: String)
}

final class DraftViewModel: RxViewModel<DraftViewModel.Action, DraftViewModel.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case type(String)
  }

  struct State: Sendable, Equatable {
    var text = ""
  }

  private let storage: any DraftStorage
  private let bag = DisposeBag()

  init(storage: any DraftStorage, scheduler: (any Scheduler)? = nil) {
    self.storage = storage
    super.init(initialState: storage.load().map { State(text: $0) }, scheduler: scheduler)
    stateObservable.map(\.text).distinctUntilChanged().skip(1)
      .throttle(.seconds(1), scheduler: self.scheduler)
      .subscribe(onNext: { storage.save($0) })
      .disposed(by: bag)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .type(let text): .mutate { $0.text = text }
    }
  }

  override func onPause() {
    storage.save(currentState.text)
  }
}

private struct MemoryStorage: DraftStorage {
  let saved = Locked<[String]>([])

  func load() -> String? { saved.value.last }
  func save(_ text: String) { saved.mutate { $0.append(text) } }
}

// contract 2.4, 2.12
struct DraftTests {
  private let scheduler = TestScheduler()
  private let storage = MemoryStorage()

  @Test func aDraftIsSavedOnceASecondAndAtThePause() {
    var viewModel: DraftViewModel? = DraftViewModel(storage: storage, scheduler: scheduler)
    viewModel?.didResume()
    for text in ["a", "ab", "abc"] {
      viewModel?.execute(.type(text))
      scheduler.advance(by: .milliseconds(100))
    }
    #expect(storage.saved.value == ["a"])
    scheduler.advance(by: .seconds(1))
    #expect(storage.saved.value == ["a", "abc"])

    viewModel?.execute(.type("abcd"))
    viewModel?.didPause()
    viewModel = nil
    scheduler.advance()
    // The old screen saves nothing more.
    let new = DraftViewModel(storage: storage, scheduler: scheduler)
    #expect(new.currentState.text == "abcd")
    new.execute(.type("abcde"))
    scheduler.run()
    #expect(storage.saved.value == ["a", "abc", "abcd", "abcde"])
  }
}
