import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.3. `DifferentialTests` tests the elements of `paginate`.
@Suite struct PaginateTests {
  /// The events that a subscriber to `paginate` sees, as text: `20: [1] loading`.
  private func history(
    _ service: PagingService, firstPage: KeyValuePairs<Int, Int>, nextPage: [Int] = [], clearing: Bool = false
  ) -> [String] {
    let scheduler = service.scheduler
    let observer = Observable.paginate(
      firstPage: scheduler.hotObservable(events(firstPage)),
      nextPage: scheduler.hotObservable(nextPage.map { Recorded(.milliseconds($0), .next(())) }),
      clearing: clearing, request: service.page
    ).test(scheduler)
    scheduler.run()
    return observer.events.map { recorded in
      guard case .next(let list) = recorded.event else { return "\(recorded)" }
      return "\(milliseconds(recorded.time)): \(text(list.pages, isLoading: list.isLoading))"
    }
  }

  @Test(arguments: [true, false])
  func aNewListClearsTheItemsAtOnceOrWhenItsFirstPageComes(clearing: Bool) {
    let service = PagingService()
    let history = history(service, firstPage: [0: 1, 70: 0], nextPage: [20, 40, 60, 90], clearing: clearing)
    #expect(
      history.suffix(4) == [
        clearing ? "70: [] loading" : "70: [1, 2] loading", "80: [0]", "90: [0] loading", "100: [0, 1]",
      ])
    #expect(history.count == 11)
  }

  @Test func aFirstPageDisposesTheRunningRequestForANextPage() {
    let service = PagingService()
    #expect(
      history(service, firstPage: [0: 1, 25: 0], nextPage: [20]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "25: [1] loading", "35: [0]",
      ])
    #expect(service.log == ["0: first page of 1", "20: cursor 2 of 1", "25: disposed", "25: first page of 0"])
  }

  @Test func appendMayLeaveOutKnownItems() {
    let more = PublishSubject<Void>()
    let observer = Observable.paginate(
      firstPage: Observable.just("a"), nextPage: more,
      append: { items, page in for item in page where !items.contains(item) { items.append(item) } },
      request: { Observable.just($0.cursor == nil ? Page([1, 2], next: 2) : Page([2, 3], next: nil)) }
    ).test()
    more.onNext(())
    #expect(observer.lastValue?.pages.items == [1, 2, 3])
    #expect(observer.values.map(\.isLoading) == [false, true, false, true, false])
  }

  /// A list whose first page is requested from this stream.
  private func list(
    from answers: Observable<Page<Int, Int>>
  ) -> TestObserver<Pagination<Int, Int, Int>> {
    Observable.paginate(firstPage: Observable.just(1), nextPage: Observable.never()) { _ in answers }.test()
  }

  @Test func aRequestWithoutAPageIsAnEmptyLastPage() {
    let observer = list(from: .empty())
    #expect(observer.lastValue.map { text($0.pages, isLoading: $0.isLoading) } == "[] end")
  }

  @Test func ofTwoPagesTheFirstCounts() {
    let answers = PublishSubject<Page<Int, Int>>()
    let observer = list(from: answers.asObservable())
    answers.onNext(Page([1], next: 2))
    #expect(!answers.hasObservers)
    #expect(observer.lastValue?.pages.items == [1])
  }

  // contract 2.6, 8.2: cancellation is not an error
  @Test func aCancelledRequestLeavesTheListAsItWas() {
    let observer = list(from: .error(CancellationError()))
    #expect(observer.values.map(\.isLoading) == [false, true, false])
    #expect(observer.lastValue?.pages.error == nil)
    #expect(observer.lastValue?.pages.hasMore == true)
  }

  @Test func paginationsAreEqualIfTheirListsAndLoadingAre() {
    let values = list(from: .never()).values
    #expect(values == list(from: .never()).values)
    #expect(values[0] == Pagination(pages: Pages(), isLoading: false))
    #expect(values[0] != values[1])
  }
}
