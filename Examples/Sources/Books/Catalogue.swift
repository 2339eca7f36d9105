import RxViewModel
import RxViewModelRecording

/// The screen: a search, the books that it finds, and the sheet of one of them.
struct Catalogue: Feature {
  struct State: Codable, Sendable, Equatable {
    var text = ""
    var rows: [BookRow.State] = []
    /// Whether the last search failed. Then there are no rows.
    var hasFailed = false
    /// The sheet. Nil while there is none.
    var detail: BookDetail.State?

    var ids: [Book.ID] { rows.map(\.id) }
  }

  enum Action: Codable, Sendable, Equatable {
    case setText(String)
    case search
    case open(Book.ID)
    case close
    case row(Book.ID, BookRow.Action)
    case detail(BookDetail.Action)
    case detailDone(BookDetail.Output)
  }

  let library: Library

  func child(for action: Action) -> ChildAction<Action, State>? {
    switch action {
    case .row(let id, let action): .init(BookRow(library: library), action, at: \.rows, id: id, as: { .row(id, $0) })
    case .detail(let action):
      .init(BookDetail(library: library), action, at: \.detail, as: Action.detail, output: Action.detailDone)
    case .setText, .search, .open, .close, .detailDone: nil
    }
  }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .row, .detail: .handledByChild()
    case .setText(let text): Observable.mutate { $0.text = text }.then(.search, on: context)
    case .search:
      Observable.task { [text = context.state.text] in try await library.find(text) }
        .mutate { state, books in
          // A row that stays keeps what it has loaded, and its request.
          let copies = Dictionary(uniqueKeysWithValues: state.rows.map { ($0.id, $0.copies) })
          state.rows = books.map { BookRow.State(book: $0, copies: copies[$0.id] ?? nil) }
          state.hasFailed = false
        }
    case .open(let id):
      .mutate { state in
        state.detail = state.rows.first { $0.id == id }.map { BookDetail.State($0.book) }
      }
    case .close: .mutate { $0.detail = nil }
    case .detailDone(.saved(let book)):
      Observable.mutate { state in
        if state.detail?.id == book.id { state.detail = nil }
        if let index = state.rows.firstIndex(where: { $0.id == book.id }) { state.rows[index].book = book }
      }
      // Replaces a search that the server may have answered before the save: its books would have the old notes.
      .then(.search, on: context)
    }
  }

  func executionMode(for action: Action) -> ExecutionMode {
    action == .search ? .switchLatest("search", after: .milliseconds(300)) : .parallel
  }

  func showSpinner(_ action: Action) -> Bool { action == .search }

  func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    guard action == .search else { return nil }
    return { state in State(text: state.text, hasFailed: true, detail: state.detail) }
  }
}

extension Catalogue {
  /// Makes the screen's view model. The app calls it, and so do the tests and the previews.
  static func viewModel(
    _ library: Library, initialState: State = State(), recorder: Recorder = Recorder(),
    scheduler: any Scheduler = .main
  ) -> FeatureViewModel<Catalogue> {
    recorder.record("catalogue") {
      FeatureViewModel(
        Catalogue(library: library.recorded(by: recorder)), initialState: initialState, scheduler: scheduler)
    }
  }
}
