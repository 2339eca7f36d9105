// The code of *Beyond the screen* on a write that goes on and on ⌘Z, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct Note: Sendable, Equatable, Identifiable {
  let id: Int
  var isPinned = false
}

protocol NoteService: Sendable {
  func pin(_ id: Note.ID) async throws
}

enum NotesAction: Sendable, Equatable {
  case pin(Note.ID)
}

struct NotesState: Sendable, Equatable {
  var notes: [Note] = []
}

final class NotesViewModel: RxViewModel<NotesAction, NotesState>, @unchecked Sendable {
  private let service: any NoteService

  init(notes: [Note], service: any NoteService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: NotesState(notes: notes), scheduler: scheduler)
  }

  override func createObservable(_ action: NotesAction) -> Effect {
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

private enum ContactAction: Sendable {
  case began, ended, undo, redo
  case typed(String)
}

struct ContactState: Sendable, Equatable {
  var contact = History(Contact())
}

private final class ContactViewModel: RxViewModel<ContactAction, ContactState>, @unchecked Sendable {
  init() { super.init(initialState: ContactState(), scheduler: ImmediateScheduler()) }

  override func createObservable(_ action: ContactAction) -> Effect {
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
    for action: ContactAction in [.began, .typed("A"), .typed("Ad"), .typed("Ada"), .ended] { form.execute(action) }
    form.execute(.undo)
    #expect(form.currentState.contact.value.name == "")
    form.execute(.redo)
    #expect(form.currentState.contact.value.name == "Ada")
  }
}
