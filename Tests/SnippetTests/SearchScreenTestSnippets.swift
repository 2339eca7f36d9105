// The tests of *A list that loads page by page*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated struct SlowBooks: BookService {
  struct Offline: Error {}

  let scheduler: TestScheduler
  /// Requests fail until this time.
  var offlineUntil = Duration.zero

  func books(_ request: PageRequest<String, Int>) -> Observable<Page<Book, Int>> {
    let (query, page) = (request.parameters, request.cursor ?? 1)
    let books = [page * 10, page * 10 + 1].map { Book(id: $0, title: "\(query) \($0)", author: "Author \($0 % 2)") }
    let answer = Page(books, next: page < 2 ? page + 1 : nil)
    return scheduler.coldObservable([
      Recorded(.milliseconds(50), scheduler.now < offlineUntil ? .error(Offline()) : .next(answer))
    ]).asObservable()
  }
}

struct BooksViewModelTests {
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

  @Test func scrollingLoadsOnePageAtATimeUntilTheLastAndAShortTextClearsTheList() {
    let viewModel = makeViewModel()
    viewModel.execute(.refresh("swift"))
    scheduler.run()
    for _ in 0..<2 {
      viewModel.execute(.scrolledToEnd)
      viewModel.execute(.scrolledToEnd)
      scheduler.run()
      #expect(titles(viewModel) == ["swift 10", "swift 11", "swift 20", "swift 21"])
    }
    viewModel.execute(.search("sw"))
    scheduler.advance()
    #expect(titles(viewModel) == [] && viewModel.currentState.footer == nil)
  }

  @Test func aSearchCancelsThePageOnItsWay() {
    let viewModel = makeViewModel()
    viewModel.execute(.search("swift"))
    scheduler.run()
    viewModel.execute(.scrolledToEnd)
    scheduler.advance(by: .milliseconds(20))
    viewModel.execute(.search("kotlin"))
    // The search counts as unfinished while the view model waits for the user to pause, so no page is requested.
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

// contract 7.6
@MainActor
struct BooksTableTests {
  @Test func aTableHasASectionForEachAuthorAndAnimatesPages() {
    let (scheduler, table, bag) = (TestScheduler(), LineTable(), DisposeBag())
    let viewModel = BooksViewModel(
      service: SlowBooks(scheduler: scheduler), navigator: Navigator { _ in }, scheduler: scheduler)
    let list = ListDataSource<String, Book>(table, sectionID: { $0 }, itemID: \.id)
    table.list = list
    viewModel.stateObservable.map(\.sections).distinctUntilChanged().bind(to: list).disposed(by: bag)

    viewModel.execute(.refresh("swift"))
    scheduler.run()
    #expect(table.lines == ["Author 0", "- swift 10", "Author 1", "- swift 11"])
    viewModel.execute(.scrolledToEnd)
    scheduler.run()
    #expect(table.lines == ["Author 0", "- swift 10", "- swift 20", "Author 1", "- swift 11", "- swift 21"])
    #expect(table.batches == 2)
  }
}

@MainActor
private final class LineTable: BatchUpdatingList {
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

  func reconfigure(items: [ListChanges.ItemPath], sections: [Int]) { reloadData() }
}

extension BooksViewModelTests {
  // contract 8.1
  @Test func aPageThatRepeatsTheEndOfTheOneBeforeAddsOnlyTheRest() {
    var books = [1, 2].map { Book(id: $0, title: "", author: "") }
    appendNew(&books, [2, 3].map { Book(id: $0, title: "", author: "") })
    #expect(books.map(\.id) == [1, 2, 3])
  }

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
