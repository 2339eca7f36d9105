import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.3
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

  @Test func loadsPageAfterPageUntilOneIsEmpty() {
    let service = PagingService()
    #expect(
      history(service, firstPage: [0: 1], nextPage: [20, 40, 60]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "30: [1, 2]", "40: [1, 2] loading", "50: [1, 2] end",
      ])
    #expect(service.log == ["0: first page of 1", "20: cursor 2 of 1", "40: cursor 3 of 1"])
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

  @Test func aNextPageIsIgnoredWhileOneIsLoading() {
    let service = PagingService()
    #expect(
      history(service, firstPage: [0: 1], nextPage: [20, 25]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "30: [1, 2]",
      ])
    #expect(service.log == ["0: first page of 1", "20: cursor 2 of 1"])
  }

  @Test func aNextPageBeforeAnyListIsIgnored() {
    let service = PagingService()
    #expect(history(service, firstPage: [:], nextPage: [5]) == ["0: []"])
    #expect(service.log == [])
  }

  @Test func aFirstPageDisposesTheRunningRequestForANextPage() {
    let service = PagingService()
    #expect(
      history(service, firstPage: [0: 1, 25: 0], nextPage: [20]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "25: [1] loading", "35: [0]",
      ])
    #expect(service.log == ["0: first page of 1", "20: cursor 2 of 1", "25: disposed", "25: first page of 0"])
  }

  @Test func aNextPageOfTheOldListIsNotAppendedToTheNewOne() {
    let service = PagingService()
    #expect(
      history(service, firstPage: [0: 1, 20: 5], nextPage: [22]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "30: [5]",
      ])
    #expect(service.log == ["0: first page of 1", "20: first page of 5"])
  }

  // contract 8.2
  @Test func aFailedPageIsRequestedAgain() {
    let service = PagingService(failing: [20])
    #expect(
      history(service, firstPage: [0: 1], nextPage: [20, 40]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "30: [1] failed", "40: [1] loading failed",
        "50: [1, 2]",
      ])
    #expect(service.log.suffix(2) == ["20: cursor 2 of 1", "40: cursor 2 of 1"])
  }

  // contract 8.2
  @Test func aFailedFirstPageIsRequestedAgain() {
    let service = PagingService(failing: [0])
    #expect(
      history(service, firstPage: [0: 2], nextPage: [20]) == [
        "0: []", "0: [] loading", "10: [] failed", "20: [] loading failed", "30: [2]",
      ])
    #expect(service.log == ["0: first page of 2", "20: first page of 2"])
  }

  // contract 8.2
  @Test func aNewListThatFailsKeepsTheOldItems() {
    let service = PagingService(failing: [20])
    #expect(
      history(service, firstPage: [0: 1, 20: 5]) == [
        "0: []", "0: [] loading", "10: [1]", "20: [1] loading", "30: [1] failed",
      ])
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

  @Test func aRequestWithoutAPageIsAnEmptyLastPage() {
    let observer = Observable.paginate(firstPage: Observable.just(1), nextPage: Observable.never()) {
      (_: PageRequest<Int, Int>) in Observable<Page<Int, Int>>.empty()
    }.test()
    #expect(observer.lastValue?.pages.pageCount == 1)
    #expect(observer.lastValue?.pages.hasMore == false)
    #expect(observer.lastValue?.isLoading == false)
  }

  @Test func ofTwoPagesTheFirstCounts() {
    let (answers, isDisposed) = (PublishSubject<Page<Int, Int>>(), Locked(false))
    let observer = Observable.paginate(firstPage: Observable.just(1), nextPage: Observable.never()) {
      (_: PageRequest<Int, Int>) in answers.do(onDispose: { isDisposed.mutate { $0 = true } })
    }.test()
    answers.onNext(Page([1], next: 2))
    #expect(isDisposed.value)
    #expect(!answers.hasObservers)
    answers.onNext(Page([9], next: 3))
    #expect(observer.lastValue?.pages.items == [1])
  }

  // contract 2.6, 8.2: cancellation is not an error
  @Test func aCancelledRequestLeavesTheListAsItWas() {
    let observer = Observable.paginate(firstPage: Observable.just(1), nextPage: Observable.never()) {
      (_: PageRequest<Int, Int>) in Observable<Page<Int, Int>>.error(CancellationError())
    }.test()
    #expect(observer.values.map(\.isLoading) == [false, true, false])
    #expect(observer.lastValue?.pages.error == nil)
    #expect(observer.lastValue?.pages.hasMore == true)
  }

  @Test func paginationsAreEqualIfTheirListsAndLoadingAre() {
    let list = {
      Observable.paginate(
        firstPage: Observable.just(1), nextPage: Observable<Void>.never(), request: PagingService().page)
    }
    #expect(list().test().values == list().test().values)
    let values = list().test().values
    #expect(values[0] == Pagination(pages: Pages(), isLoading: false))
    #expect(values[0] != values[1])
  }
}
