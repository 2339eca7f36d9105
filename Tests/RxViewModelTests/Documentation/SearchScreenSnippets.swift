// The code of the article on a search screen, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

struct Book: Sendable, Hashable, Identifiable {
  let id: Int
  let title: String
  let author: String
  var isFavorite = false
}

protocol BookService: Sendable {
  /// Fetches a page of the books that match the text of the request.
  func books(_ request: PageRequest<String, Int>) -> Observable<Page<Book, Int>>
}

enum BooksAction: Sendable, Equatable {
  /// The text in the field has changed.
  case search(String)
  /// The user has pulled the list down.
  case refresh(String)
  case scrolledToEnd
  case retry
  case open(Book)

  var beginsList: Bool {
    switch self {
    case .search, .refresh: true
    case .scrolledToEnd, .retry, .open: false
    }
  }

  var continuesList: Bool {
    self == .scrolledToEnd || self == .retry
  }
}

struct BooksState: Sendable, Equatable {
  var books = Pages<String, Book, Int>()

  /// A section for each author.
  var sections: [SectionModel<String, Book>] {
    Dictionary(grouping: books.items, by: \.author)
      .map { SectionModel(model: $0.key, items: $0.value) }
      .sorted { $0.model < $1.model }
  }

  /// What the row below the books says.
  var footer: String? {
    if books.error != nil { return "The books could not be loaded. Tap to try again." }
    return books.pageCount > 0 && books.items.isEmpty ? "No books found." : nil
  }
}

enum BooksRoute: Sendable, Equatable {
  /// A screen that shows a book, and answers with the book as the user has changed it.
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

  override func createObservable(_ action: BooksAction) -> Observable<StateMapper<BooksState>> {
    switch action {
    case .search(let text) where text.count < 3:
      return .mutate { $0.books = Pages() }
    case .search(let text), .refresh(let text):
      return .page(\.books, { $0.first(text) }, request: service.books)
    case .scrolledToEnd:
      // A page that has failed waits for the user's retry.
      return .page(\.books, { $0.error == nil ? $0.next() : nil }, request: service.books)
    case .retry:
      return .page(\.books, { $0.next() }, request: service.books)
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
    // The list shows the errors of its pages.
    action?.beginsList == true || action?.continuesList == true
  }
}

@MainActor
final class BooksScreen {
  let edits = PublishSubject<String>()
  let pulls = PublishSubject<Void>()
  let scrollsToEnd = PublishSubject<Void>()
  let list: ListDataSource<String, Book>
  var isSpinnerInHeader = false
  var isSpinnerInFooter = false
  var footer: String?
  private let viewModel: BooksViewModel
  private let bag = DisposeBag()

  init(_ viewModel: BooksViewModel, in table: any ListView) {
    self.viewModel = viewModel
    list = ListDataSource(table, sectionID: { $0 }, itemID: \.id)

    let states = viewModel.stateObservable
    states.map(\.sections).distinctUntilChanged().bind(to: list).disposed(by: bag)
    states.map(\.footer).distinctUntilChanged().bind(to: self, \.footer).disposed(by: bag)
    viewModel.isLoadingObservable(where: \.beginsList).bind(to: self, \.isSpinnerInHeader).disposed(by: bag)
    viewModel.isLoadingObservable(where: \.continuesList).bind(to: self, \.isSpinnerInFooter).disposed(by: bag)

    Observable.merge(
      edits.map { BooksAction.search($0) },
      edits.takeWhen(pulls).filter { $0.count >= 3 }.map { BooksAction.refresh($0) },
      scrollsToEnd.map { BooksAction.scrolledToEnd }
    ).execute(on: viewModel).disposed(by: bag)
  }

  func tapRow(_ path: ItemPath) { viewModel.execute(.open(list[path])) }
  func tapFooter() { viewModel.execute(.retry) }
}

struct SlowBooks: BookService {
  struct Offline: Error {}

  let scheduler: TestScheduler
  /// Until when each request fails.
  var offlineUntil = Duration.zero

  func books(_ request: PageRequest<String, Int>) -> Observable<Page<Book, Int>> {
    let (query, page) = (request.parameters, request.cursor ?? 1)
    let books = [page * 10, page * 10 + 1].map { Book(id: $0, title: "\(query) \($0)", author: "Author \($0 % 2)") }
    let answer = Page(books, next: page < 2 ? page + 1 : nil)
    return scheduler.coldObservable([
      Recorded(.milliseconds(50), scheduler.now < offlineUntil ? .error(Offline()) : .next(answer))
    ])
  }
}

/// The same for a service with asynchronous functions.
struct LibraryBooks: BookService {
  let fetch: @Sendable (_ query: String, _ page: Int) async throws -> Page<Book, Int>

  func books(_ request: PageRequest<String, Int>) -> Observable<Page<Book, Int>> {
    .task { try await fetch(request.parameters, request.cursor ?? 1) }
  }
}

@Suite struct BooksViewModelTests {
  private let scheduler = TestScheduler()

  private func makeViewModel(
    offlineUntil: Duration = .zero, navigator: Navigator<BooksRoute> = Navigator { _ in }
  ) -> BooksViewModel {
    let service = SlowBooks(scheduler: scheduler, offlineUntil: offlineUntil)
    return BooksViewModel(service: service, navigator: navigator, scheduler: scheduler)
  }

  private func titles(_ viewModel: BooksViewModel) -> [String] {
    viewModel.currentState.books.items.map(\.title)
  }

  @Test func searchesWhenTheUserPausesAndForTheLatestTextOnly() {
    let viewModel = makeViewModel()
    let states = viewModel.stateObservable.map(\.books.items.count).distinctUntilChanged().test(scheduler)
    for text in ["s", "sw", "swi", "swif", "swift"] {
      viewModel.execute(.search(text))
      scheduler.advance(by: .milliseconds(100))
    }
    scheduler.run()
    // "swift" is typed at 400 ms, searched for at 700, and found at 750.
    #expect(states.events == [Recorded(.zero, .next(0)), Recorded(.milliseconds(750), .next(2))])
    #expect(titles(viewModel) == ["swift 10", "swift 11"])
  }

  @Test func aShortTextClearsTheListAtOnce() {
    let viewModel = makeViewModel()
    viewModel.execute(.search("swift"))
    scheduler.run()
    viewModel.execute(.search("sw"))
    scheduler.advance()
    #expect(titles(viewModel) == [])
    #expect(viewModel.currentState.footer == nil)
  }

  @Test func scrollingLoadsOnePageAtATimeUntilTheLast() {
    let viewModel = makeViewModel()
    viewModel.execute(.refresh("swift"))
    scheduler.run()
    viewModel.execute(.scrolledToEnd)
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(titles(viewModel) == ["swift 10", "swift 11", "swift 20", "swift 21"])
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(viewModel.currentState.books.pageCount == 2)
  }

  @Test func aSearchCancelsThePageOnItsWay() {
    let viewModel = makeViewModel()
    viewModel.execute(.search("swift"))
    scheduler.run()
    viewModel.execute(.scrolledToEnd)
    scheduler.advance(by: .milliseconds(20))
    viewModel.execute(.search("kotlin"))
    // It is unfinished while the view model waits for the pause, and no page is asked for.
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(titles(viewModel) == ["kotlin 10", "kotlin 11"])
  }

  @Test func aPageThatFailedIsLoadedAgainOnRetry() {
    let viewModel = makeViewModel(offlineUntil: .milliseconds(10))
    viewModel.execute(.refresh("swift"))
    scheduler.run()
    #expect(viewModel.currentState.footer == "The books could not be loaded. Tap to try again.")
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(titles(viewModel) == [])
    viewModel.execute(.retry)
    scheduler.run()
    #expect(titles(viewModel) == ["swift 10", "swift 11"])
    #expect(viewModel.currentState.footer == nil)
  }

  @Test func theSpinnerIsInTheHeaderForANewListAndInTheFooterForANextPage() {
    let viewModel = makeViewModel()
    let header = viewModel.isLoadingObservable(where: \.beginsList).test(scheduler)
    let footer = viewModel.isLoadingObservable(where: \.continuesList).test(scheduler)
    viewModel.execute(.search("swift"))
    scheduler.run()
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    func times(_ observer: TestObserver<Bool>) -> [Duration] { observer.events.map(\.time) }
    #expect(header.values == [false, true, false])
    #expect(times(header) == [.zero, .milliseconds(300), .milliseconds(350)])
    #expect(footer.values == [false, true, false])
    #expect(times(footer) == [.zero, .milliseconds(350), .milliseconds(400)])
  }

  @Test func theDetailScreenAnswersWithTheChangedBook() {
    let screens = TestNavigator<BooksRoute> { route in
      guard case .details(var book, let reply) = route else { return }
      book.isFavorite = true
      reply.send(book)
    }
    let viewModel = makeViewModel(navigator: screens.navigator)
    viewModel.execute(.refresh("swift"))
    scheduler.run()
    viewModel.execute(.open(viewModel.currentState.books.items[1]))
    scheduler.run()
    #expect(viewModel.currentState.books.items.map(\.isFavorite) == [false, true])
  }
}

@MainActor
@Suite struct BooksScreenTests {
  @Test func theScreenShowsASectionForEachAuthorAndLoadsWhatTheUserAsksFor() {
    let (scheduler, table) = (TestScheduler(), LineTable())
    let service = SlowBooks(scheduler: scheduler)
    let screen = BooksScreen(
      BooksViewModel(service: service, navigator: Navigator { _ in }, scheduler: scheduler), in: table)
    table.list = screen.list

    screen.edits.onNext("swift")
    scheduler.advance(by: .milliseconds(320))
    #expect(screen.isSpinnerInHeader)
    scheduler.run()
    #expect(!screen.isSpinnerInHeader)
    #expect(table.lines == ["Author 0", "- swift 10", "Author 1", "- swift 11"])

    screen.scrollsToEnd.onNext(())
    scheduler.advance()
    #expect(screen.isSpinnerInFooter)
    scheduler.run()
    #expect(table.lines == ["Author 0", "- swift 10", "- swift 20", "Author 1", "- swift 11", "- swift 21"])

    screen.pulls.onNext(())
    scheduler.run()
    #expect(table.lines.count == 4)
    // The next page came as one batch, and so did the refresh.
    #expect(table.batches == 3)
  }
}

@MainActor
final class LineTable: ListView {
  weak var list: ListDataSource<String, Book>?
  private(set) var lines: [String] = []
  private(set) var batches = 0

  var canAnimate: Bool { true }

  func reloadData() {
    lines = list?.sections.flatMap { section in [section.model] + section.items.map { "- \($0.title)" } } ?? []
  }

  func performBatchUpdates(_ changes: ListChanges, setData: () -> Void) {
    setData()
    batches += 1
    reloadData()
  }

  func reconfigure(items: [ItemPath], sections: [Int]) { reloadData() }
}

// MARK: As a function

func booksScreen(
  edits: Observable<String>, pulls: Observable<Void>, scrollsToEnd: Observable<Void>, retries: Observable<Void>,
  service: any BookService, scheduler: any Scheduler
) -> (sections: Observable<[SectionModel<String, Book>]>, isLoading: Observable<Bool>, footer: Observable<String?>) {
  let queries = Observable.merge(edits.debounce(.milliseconds(300), scheduler: scheduler), edits.takeWhen(pulls))
  let lists = Observable.paginate(
    firstPage: queries.filter { $0.count >= 3 }, nextPage: Observable.merge(scrollsToEnd, retries),
    request: service.books
  ).share(replay: 1)
  let states = lists.map { BooksState(books: $0.pages) }
  return (
    states.map(\.sections).distinctUntilChanged(), lists.map(\.isLoading).distinctUntilChanged(),
    states.map(\.footer).distinctUntilChanged()
  )
}

@Suite struct BooksFunctionTests {
  @Test func theSameScreenAsAFunction() {
    let (scheduler, never) = (TestScheduler(), Observable<Void>.never())
    let (edits, scrolls) = (PublishSubject<String>(), PublishSubject<Void>())
    let screen = booksScreen(
      edits: edits.asObservable(), pulls: never, scrollsToEnd: scrolls.asObservable(), retries: never,
      service: SlowBooks(scheduler: scheduler), scheduler: scheduler)
    let (sections, isLoading) = (screen.sections.test(scheduler), screen.isLoading.test(scheduler))
    for text in ["sw", "swi", "swift"] { edits.onNext(text) }
    scheduler.run()
    #expect(sections.lastValue?.map(\.model) == ["Author 0", "Author 1"])
    #expect(sections.lastValue?.flatMap(\.items).map(\.title) == ["swift 10", "swift 11"])
    #expect(isLoading.events.map(\.time) == [.zero, .milliseconds(300), .milliseconds(350)])
    scrolls.onNext(())
    scheduler.run()
    #expect(sections.lastValue?.flatMap(\.items).count == 4)
  }
}

extension BooksViewModelTests {
  // contract 8.5
  @Test func noSpinnerBlinksForARequestThatIsNotMade() {
    let viewModel = makeViewModel(offlineUntil: .milliseconds(10))
    viewModel.execute(.refresh("swift"))
    scheduler.run()
    let loading = viewModel.isLoadingObservable.test()
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(viewModel.currentState.books.error != nil)
    #expect(loading.values == [false])
    viewModel.execute(.retry)
    scheduler.run()
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(loading.values == [false, true, false, true, false])
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(!viewModel.currentState.books.hasMore)
    #expect(loading.values.count == 5)
  }
}
