import RxViewModel

/// The sheet of a book: the user's notes, with undo.
struct BookDetail: Feature {
  struct State: Codable, Sendable, Equatable, Identifiable {
    let book: Book
    /// What the user edits. Each change is a step that can be undone.
    var notes: History<Book.Notes>

    var id: Book.ID { book.id }
    var canSave: Bool { notes.value != book.notes }

    init(_ book: Book) { (self.book, notes) = (book, History(book.notes)) }
  }

  enum Action: Codable, Sendable, Equatable {
    case setRead(Bool)
    case setText(String)
    case beginTyping, endTyping
    case undo, redo
    case save
  }

  enum Output: Codable, Sendable, Equatable {
    case saved(Book)
  }

  let library: Library

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .setRead(let isRead): return .mutate { $0.notes.value.isRead = isRead }
    case .setText(let text): return .mutate { $0.notes.value.text = text }
    // What the user types between the two is one step.
    case .beginTyping: return .mutate { $0.notes.beginGroup() }
    case .endTyping: return .mutate { $0.notes.endGroup() }
    case .undo: return .mutate { $0.notes.undo() }
    case .redo: return .mutate { $0.notes.redo() }
    case .save:
      var book = context.state.book
      book.notes = context.state.notes.value
      return Observable.task { [book] in try await library.save(book) }
        .mutate { [book] _, _ in context.output(.saved(book)) }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { action == .save ? .dropWhileBusy : .parallel }

  func showSpinner(_ action: Action) -> Bool { action == .save }
}
