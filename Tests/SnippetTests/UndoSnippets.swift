// The code of the article on an undo, and of *Writes that go on*, word for word. `SnippetTests` compares them.
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
  func delete(_ id: Note.ID) async throws
}

enum NotesAction: Sendable, Equatable {
  case pin(Note.ID)
  case delete(Note.ID)
  case undo(Note.ID)
}

struct NotesState: Sendable, Equatable {
  enum Deletion {
    case undoable, underWay
  }

  var notes: [Note] = []
  var deletions: [Note.ID: Deletion] = [:]

  /// The notes that the list shows.
  var visibleNotes: [Note] { notes.filter { deletions[$0.id] == nil } }
}

final class NotesViewModel: RxViewModel<NotesAction, NotesState>, @unchecked Sendable {
  private let service: any NoteService
  private let undone = PublishSubject<Note.ID>()

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
    case .delete(let id):
      return Observable.mutate { $0.deletions[id] = .undoable }.concat(deletion(of: id))
    case .undo(let id):
      undone.onNext(id)
      return .unchanged()
    }
  }

  private func deletion(of id: Note.ID) -> Effect {
    let service = service
    let isTimeUp = Observable.merge(
      Observable.timer(.seconds(5), scheduler: scheduler).map { _ in true },
      undone.filter { $0 == id }.map { _ in false })
    // The first of the two decides.
    return isTimeUp.take(1)
      .flatMap { isTimeUp -> Effect in
        guard isTimeUp else { return .mutate { $0.deletions[id] = nil } }
        let deleted = Observable.task { try await service.delete(id) }
        return Observable.mutate { $0.deletions[id] = .underWay }.concat(
          deleted.mutate { state, _ in
            state.notes.removeAll { $0.id == id }
            state.deletions[id] = nil
          })
      }
      .continuesAfterDispose()
  }

  override func executionMode(for action: NotesAction) -> ExecutionMode {
    if case .delete(let id) = action { .dropWhileBusy("delete \(id)") } else { .parallel }
  }

  override func stateMapper(for error: any Error, action: NotesAction) -> StateMapper<NotesState>? {
    guard case .delete(let id) = action else { return nil }
    // A note that could not be deleted comes back.
    return { state in
      var state = state
      state.deletions[id] = nil
      return state
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

  func delete(_ id: Note.ID) async throws {
    try await clock.sleep(for: .seconds(1))
    if id < 0 { throw Offline() }
    writes.mutate { $0.append("delete \(id)") }
  }
}

// contract 1.4, 2.9
@Suite struct OutlivingWriteTests {
  private let scheduler = TestScheduler()
  private let service: SlowNotes

  init() {
    service = SlowNotes(clock: scheduler.clock)
  }

  private func makeViewModel(_ ids: Int...) -> NotesViewModel {
    NotesViewModel(notes: ids.map { Note(id: $0) }, service: service, scheduler: scheduler)
  }

  private func visible(_ viewModel: NotesViewModel) -> [Int] { viewModel.currentState.visibleNotes.map(\.id) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aNoteIsPinnedAlthoughTheScreenHasGone() {
    var viewModel: NotesViewModel? = makeViewModel(1)
    weak let gone = viewModel
    viewModel?.execute(.pin(1))
    scheduler.advance(by: .milliseconds(500))
    viewModel = nil
    #expect(gone == nil)
    scheduler.run()
    #expect(service.writes.value == ["pin 1"])
    #expect(scheduler.now == .seconds(1))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aPinnedNoteIsShownAsPinned() {
    let viewModel = makeViewModel(1)
    viewModel.execute(.pin(1))
    scheduler.run()
    #expect(viewModel.currentState.notes == [Note(id: 1, isPinned: true)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aDeletionThatIsUndoneDeletesNothing() {
    let viewModel = makeViewModel(1, 2)
    viewModel.execute(.delete(1))
    scheduler.advance(by: .milliseconds(4_999))
    #expect(visible(viewModel) == [2])
    viewModel.execute(.undo(1))
    scheduler.run()
    #expect(visible(viewModel) == [1, 2])
    #expect(service.writes.value == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func anUndoAfterFiveSecondsDoesNothing() {
    let viewModel = makeViewModel(1, 2)
    viewModel.execute(.delete(1))
    scheduler.advance(by: .seconds(5))
    #expect(viewModel.currentState.deletions == [1: .underWay])
    viewModel.execute(.undo(1))
    scheduler.advance()
    #expect(visible(viewModel) == [2])
    scheduler.run()
    #expect(viewModel.currentState == NotesState(notes: [Note(id: 2)]))
    #expect(service.writes.value == ["delete 1"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aNoteIsDeletedAlthoughTheScreenHasGone() {
    var viewModel: NotesViewModel? = makeViewModel(1)
    viewModel?.execute(.delete(1))
    scheduler.advance(by: .seconds(2))
    viewModel = nil
    scheduler.run()
    #expect(service.writes.value == ["delete 1"])
    #expect(scheduler.now == .seconds(6))
    #expect(scheduler.pendingCount == 0)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aNoteThatCannotBeDeletedComesBack() {
    let viewModel = makeViewModel(-1)
    let errors = viewModel.errorObservable.test(scheduler)
    viewModel.execute(.delete(-1))
    scheduler.advance(by: .seconds(5))
    #expect(visible(viewModel) == [])
    scheduler.run()
    #expect(visible(viewModel) == [-1])
    #expect(errors.values.count == 1)
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

private struct Circle: Sendable, Equatable {
  var radius: Int
}

private enum DrawingAction: Sendable {
  case dragBegan, dragEnded, dialogOpened, dialogConfirmed, dialogCancelled, undo
  case add(Circle)
  case resized(Int, Int)
}

private struct DrawingState: Sendable, Equatable {
  var drawing = History([Circle]())
}

private final class DrawingViewModel: RxViewModel<DrawingAction, DrawingState>, @unchecked Sendable {
  init() { super.init(initialState: DrawingState(), scheduler: ImmediateScheduler()) }

  override func createObservable(_ action: DrawingAction) -> Effect {
    switch action {
    case .add(let circle): .mutate { $0.drawing.value.append(circle) }
    case .dragBegan, .dialogOpened: .mutate { $0.drawing.beginGroup() }
    case .resized(let index, let radius): .mutate { $0.drawing.value[index].radius = radius }
    case .dragEnded, .dialogConfirmed: .mutate { $0.drawing.endGroup() }
    case .dialogCancelled: .mutate { $0.drawing.cancelGroup() }
    case .undo: .mutate { $0.drawing.undo() }
    }
  }
}

@Suite struct HistorySnippetTests {
  @Test func aForm() {
    let form = ContactViewModel()
    for action: ContactAction in [.began, .typed("A"), .typed("Ad"), .typed("Ada"), .ended] { form.execute(action) }
    form.execute(.undo)
    #expect(form.currentState.contact.value.name == "")
    form.execute(.redo)
    #expect(form.currentState.contact.value.name == "Ada")
  }

  @Test func aDrawing() {
    let drawing = DrawingViewModel()
    drawing.execute(.add(Circle(radius: 10)))
    for action: DrawingAction in [.dragBegan, .resized(0, 11), .resized(0, 12), .dragEnded] { drawing.execute(action) }
    for action: DrawingAction in [.dialogOpened, .resized(0, 99), .dialogCancelled] { drawing.execute(action) }
    #expect(drawing.currentState.drawing.value == [Circle(radius: 12)])
    drawing.execute(.undo)
    #expect(drawing.currentState.drawing.value == [Circle(radius: 10)])
  }
}
