// The code of *Beyond the screen* on a write that goes on and on ⌘Z, word for word. `SnippetTests` compares the two.
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

struct Contact: Sendable, Equatable {
  var name = ""
}

private final class ContactViewModel: RxViewModel<ContactViewModel.Action, ContactViewModel.State>, @unchecked Sendable
{
  enum Action: Sendable {
    case began, ended, undo, redo
    case typed(String)
  }

  struct State: Sendable, Equatable {
    var contact = History(Contact())
  }

  init() { super.init(initialState: State(), scheduler: ImmediateScheduler()) }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .began: .mutate { $0.contact.beginGroup() }
    case .typed(let name): .mutate { $0.contact.value.name = name }
    case .ended: .mutate { $0.contact.endGroup() }
    case .undo: .mutate { $0.contact.undo() }
    case .redo: .mutate { $0.contact.redo() }
    }
  }
}

struct HistorySnippetTests {
  @Test func aForm() {
    let form = ContactViewModel()
    for action: ContactViewModel.Action in [.began, .typed("A"), .typed("Ad"), .typed("Ada"), .ended] {
      form.execute(action)
    }
    form.execute(.undo)
    #expect(form.currentState.contact.value.name == "")
    form.execute(.redo)
    #expect(form.currentState.contact.value.name == "Ada")
  }
}
