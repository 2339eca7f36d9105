import RxViewModel

public struct Note: Sendable, Equatable, Identifiable {
  public let id: Int
  public var text = ""

  public init(id: Int, text: String = "") { (self.id, self.text) = (id, text) }
}

/// A card on which the user types a note. A swipe puts the note away, and shows an empty one.
///
/// [AlexW00/Zettel 25](https://github.com/AlexW00/Zettel/pull/25): I typed a note and swiped it away, and the last words were missing when
/// I opened it again.
///
/// A note is saved when the user pauses. The save reads the text when it begins, and then the swipe has cleared it.
public struct NoteCard: Feature {
  public enum Action: Sendable, Equatable {
    case type(String)
    case save
    case swipe
  }

  public struct State: Sendable, Equatable {
    public var note = Note(id: 1)
    /// The notes whose last save has failed. The screen offers to save them again.
    public var unsaved: [Int: Note] = [:]

    public init() {}
  }

  let save: @Sendable (Note) async throws -> Void

  public init(save: @escaping @Sendable (Note) async throws -> Void) { self.save = save }

  public func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .type(let text): .mutate { $0.note.text = text }.then(.save, on: context)
    case .save where context.state.note.text.isEmpty: .unchanged()
    case .save: saving(context.state.note)
    case .swipe: .mutate { $0.note = Note(id: $0.note.id + 1) }
    }
  }

  public func executionMode(for action: Action) -> ExecutionMode {
    action == .save ? .keepLatest("note", after: .milliseconds(700)) : .parallel
  }

  fileprivate func saving(_ note: Note) -> Observable<StateMapper<State>> {
    Observable.task { try await save(note) }.mutate { state, _ in state.unsaved[note.id] = nil }
  }
}

/// The cure: a save carries its note, each note has its lane, and the swipe starts the save that waits for a pause.
///
/// The lane is the note's, because a save of the next note would otherwise replace the one that waits.
public struct CuredNoteCard: Feature {
  public enum Action: Sendable, Equatable {
    case type(String)
    case save(Note)
    case swipe
  }

  public typealias State = NoteCard.State

  let card: NoteCard

  public init(save: @escaping @Sendable (Note) async throws -> Void) { card = NoteCard(save: save) }

  public func createObservable(_ action: Action, context: FeatureContext<Self>) -> Observable<StateMapper<State>> {
    switch action {
    case .type(let text):
      let note = Note(id: context.state.note.id, text: text)
      return .mutate { $0.note = note }.then(.save(note), on: context)
    case .save(let note): return card.saving(note)
    case .swipe:
      return .mutate { $0.note = Note(id: $0.note.id + 1) }.concat(context.flush("note \(context.state.note.id)"))
    }
  }

  public func executionMode(for action: Action) -> ExecutionMode {
    if case .save(let note) = action { .keepLatest("note \(note.id)", after: .milliseconds(700)) } else { .parallel }
  }

  public func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    if case .save(let note) = action { mutate { $0.unsaved[note.id] = note } } else { nil }
  }
}
