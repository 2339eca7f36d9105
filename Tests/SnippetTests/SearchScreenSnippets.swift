// The code of *A list that loads page by page*, word for word. `SnippetTests` compares the two.
import RxViewModel

nonisolated struct Book: Sendable, Hashable, Identifiable {
  let id: Int
  let title: String
  let author: String
  var isFavorite = false
}

nonisolated protocol BookService: Sendable {
  /// Fetches a page of books that match the request's text.
  func books(_ request: PageRequest<String, Int>) -> Observable<Page<Book, Int>>
}

nonisolated enum BooksAction: Sendable, Equatable {
  /// The text in the field changed.
  case search(String)
  /// The user pulled the list down.
  case refresh(String)
  case scrolledToEnd
  case retry
  case open(Book)
}

nonisolated struct BooksState: Sendable, Equatable {
  var books = Pages<String, Book, Int>()

  /// A section for each author.
  var sections: [SectionModel<String, Book>] {
    Dictionary(grouping: books.items, by: \.author)
      .map { SectionModel(model: $0.key, items: $0.value) }
      .sorted { $0.model < $1.model }
  }

  /// The text of the row below the books.
  var footer: String? {
    if books.error != nil { return "The books could not be loaded. Tap to try again." }
    return books.pageCount > 0 && books.items.isEmpty ? "No books found." : nil
  }
}

nonisolated enum BooksRoute: Sendable, Equatable {
  /// A screen that shows a book and replies with the user's edited copy.
  case details(Book, Reply<Book>)
}

final class BooksViewModel: RxViewModel<BooksAction, BooksState>, @unchecked Sendable {
  private let service: any BookService
  private let navigator: Navigator<BooksRoute>

  init(service: any BookService, navigator: Navigator<BooksRoute>, scheduler: (any Scheduler)? = nil) {
    self.service = service
    self.navigator = navigator
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> BooksState { BooksState() }

  override func createObservable(_ action: BooksAction) -> Effect {
    switch action {
    case .search(let text) where text.count < 3, .refresh(let text) where text.count < 3:
      return .mutate { $0.books = Pages() }
    case .search(let text), .refresh(let text):
      return .page(\.books, { $0.begin(text) }, request: service.books)
    case .scrolledToEnd:
      // A failed page waits for the user to retry.
      return .page(\.books, { $0.error == nil ? $0.nextRequest : nil }, request: service.books)
    case .retry:
      return .page(\.books, { $0.nextRequest }, request: service.books)
    case .open(let book):
      return navigator.request { .details(book, $0) }.mutate { state, changed in
        guard let index = state.books.items.firstIndex(where: { $0.id == changed.id }) else { return }
        state.books.items[index] = changed
      }
    }
  }

  override func executionMode(for action: BooksAction) -> ExecutionMode {
    switch action {
    case .search(let text) where text.count < 3: .switchLatest("list")
    case .search: .switchLatest("list", after: .milliseconds(300))
    case .refresh: .switchLatest("list")
    case .scrolledToEnd, .retry: .dropWhileBusy("list")
    case .open: .dropWhileBusy("details")
    }
  }

  override func showSpinner(_ action: BooksAction) -> Bool {
    switch action {
    case .search, .refresh, .retry: true
    // No request, no spinner: at the end of the list, and after an error.
    case .scrolledToEnd: currentState.books.hasMore && currentState.books.error == nil
    case .open: false
    }
  }

  override func handleError(_ error: any Error, action: BooksAction?) -> Bool {
    // The list itself shows errors from loading its pages.
    if case .open = action { false } else { true }
  }
}

/// Adds the items of a page, except those that the list already has.
nonisolated func appendNew(_ books: inout [Book], _ page: [Book]) {
  let known = Set(books.map(\.id))
  books += page.filter { !known.contains($0.id) }
}

#if canImport(SwiftUI)
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct BooksView: View {
    let viewModel: BooksViewModel
    @State private var text = ""

    var body: some View {
      let sections = viewModel.observed.sections
      List {
        ForEach(sections, id: \.model) { section in
          Section(section.model) {
            ForEach(section.items) { book in
              Button(book.title) { viewModel.execute(.open(book)) }
                .onAppear { if book == sections.last?.items.last { viewModel.execute(.scrolledToEnd) } }
            }
          }
        }
        if viewModel.activity.isLoading { ProgressView() }
        if let footer = viewModel.observed.footer { Button(footer) { viewModel.execute(.retry) } }
      }
      .animation(.default, value: viewModel.observed.books.items)
      .searchable(text: $text)
      .onChange(of: text) { viewModel.execute(.search(text)) }
      .refreshable { _ = try? await viewModel.perform(.refresh(text)) }
    }
  }
#endif
