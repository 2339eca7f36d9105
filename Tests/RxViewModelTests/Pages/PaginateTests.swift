import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 8.3. `DifferentialTests` tests the elements of `paginate`.
struct PaginateTests {
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
    #expect(!answers.hasObservers && observer.lastValue?.pages.items == [1])
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

// contract 8.4
struct PaginateEndTests {
  private let first = PublishSubject<Int>()
  private let next = PublishSubject<Void>()
  private let answers = PublishSubject<Page<Int, Int>>()
  private let lifetimes = Lifetimes()

  /// A stream of whose closures each retains an object of `lifetimes`.
  private func paginate() -> Observable<Pagination<Int, Int, Int>> {
    let (object, answers) = (lifetimes.make(), answers)
    return .paginate(
      firstPage: first, nextPage: next,
      append: { items, page in
        object.touch()
        items += page
      },
      request: { _ in
        object.touch()
        return answers.do(onNext: { _ in object.touch() })
      })
  }

  // contract 1.4: disposed from inside the callback, before the request is made
  @Test func disposingFromInsideTheCallbackMakesNoRequest() {
    let held = SerialDisposable()
    held.replace(with: paginate().subscribe(onNext: { if $0.isLoading { held.dispose() } }))
    first.onNext(1)
    #expect(!answers.hasObservers && !first.hasObservers && lifetimes.alive == 0)
  }

  // contract 8.3: the first element is the answer. The request ends before the subscriber sees the list and requests the next page.
  @Test func anAnsweredRequestEndsBeforeTheNextOneBegins() {
    let log = Locked<[String]>([])
    let next = next
    let observer = Observable<Pagination<Int, Int, Int>>.paginate(
      firstPage: first, nextPage: next,
      request: { [answers] request in
        let page = request.cursor ?? 0
        return answers.do(
          onSubscribe: { log.append("subscribe \(page)") },
          onDispose: { log.append("dispose \(page)") })
      }
    ).do(onNext: { if $0.pages.pageCount == 1, !$0.isLoading { next.onNext(()) } }).test()
    first.onNext(7)
    answers.onNext(Page([1], next: 1))
    #expect(log.value == ["subscribe 0", "dispose 0", "subscribe 1"])
    observer.dispose()
    #expect(log.value.last == "dispose 1")
  }

  @Test(arguments: ["dispose", "error of the first", "error of the next"])
  func anEndDisposesTheRequestAndReleasesEverything(end: String) {
    let observer = paginate().test()
    first.onNext(1)
    #expect(answers.hasObservers)
    switch end {
    case "dispose": observer.dispose()
    case "error of the first": first.onError(TestError())
    default: next.onError(TestError())
    }
    #expect((observer.error is TestError) == (end != "dispose"))
    #expect(!answers.hasObservers && !first.hasObservers && !next.hasObservers)
    #expect(lifetimes.alive == 0)
  }

  // contract 1.8
  @Test func eachSubscriptionHasAListOfItsOwn() {
    let stream = paginate()
    let one = stream.test()
    first.onNext(1)
    let other = stream.test()
    answers.onNext(Page([1], next: nil))
    #expect(one.lastValue?.pages.items == [1] && other.values.count == 1)
    #expect(other.lastValue?.pages.items == [])
  }

  // contract 1.2, 8.3: the trigger of the new list comes before the current request is made, and so before its answer
  @Test(arguments: [true, false])
  func anAnswerAfterANewListIsIgnored(isJust: Bool) {
    let (first, next, seen) = (PublishSubject<Int>(), PublishSubject<Void>(), Locked<[String]>([]))
    let subscription = Observable.paginate(firstPage: first, nextPage: next) {
      (request: PageRequest<Int, Int>) in
      let page = Page<Int, Int>([request.cursor ?? request.parameters], next: 9)
      return isJust ? Observable.just(page) : Observable.from([page])
    }.subscribe(onNext: { list in
      seen.append(text(list.pages, isLoading: list.isLoading))
      if seen.value.count == 4 { first.onNext(2) }
    })
    first.onNext(1)
    next.onNext(())
    #expect(seen.value == ["[]", "[] loading", "[1]", "[1] loading", "[1] loading", "[2]"])
    subscription.dispose()
  }

  // contract 8.3: the request of the new list comes first, and the one of the next page is not made any more
  @Test func aNewListFromInsideTheCallbackOfANextPageGetsItsPage() {
    let (first, next, seen) = (PublishSubject<Int>(), PublishSubject<Void>(), Locked<[String]>([]))
    let pages = (1...2).map { _ in PublishSubject<Page<Int, Int>>() }
    let subscription = Observable.paginate(firstPage: first, nextPage: next) { (request: PageRequest<Int, Int>) in
      pages[request.parameters - 1].asObservable()
    }.subscribe(onNext: { list in
      seen.append(text(list.pages, isLoading: list.isLoading))
      if seen.value.count == 4 { first.onNext(2) }
    })
    first.onNext(1)
    pages[0].onNext(Page([1], next: 9))
    next.onNext(())
    #expect(!pages[0].hasObservers)
    pages[1].onNext(Page([2], next: 9))
    #expect(seen.value == ["[]", "[] loading", "[1]", "[1] loading", "[1] loading", "[2]"])
    subscription.dispose()
  }

  // contract 1.2, 1.6
  @Test func aNextPageRequestedFromInsideTheCallbackFollows() async {
    let pageCount = await onThread(stackSize: smallStack) {
      let (next, pageCount) = (PublishSubject<Void>(), Locked(0))
      let subscription = Observable.paginate(firstPage: Observable.just(0), nextPage: next) {
        (request: PageRequest<Int, Int>) in
        Observable.just(Page([1], next: (request.cursor ?? 0) + 1))
      }.subscribe(onNext: { list in
        pageCount.mutate { $0 = list.pages.pageCount }
        if !list.isLoading, list.pages.pageCount < 2_000 { next.onNext(()) }
      })
      next.onNext(())
      subscription.dispose()
      return pageCount.value
    }
    #expect(pageCount == 2_000)
  }

  // contract 1.2
  @Test func triggersFromSeveralThreadsLoadOnePageAtATime() async {
    let (next, atWork, faults) = (PublishSubject<Void>(), Locked(0), Locked(0))
    let stream = Observable.paginate(firstPage: Observable.just(0), nextPage: next) { (_: PageRequest<Int, Int>) in
      .create { observer in
        if atWork.increment() > 1 { faults.increment() }
        observer.onNext(Page([1], next: 1))
        atWork.mutate { $0 -= 1 }
        return Disposables.create()
      }
    }
    let recorder = Recorder<Pagination<Int, Int, Int>>()
    let subscription = stream.subscribe(recorder)
    await race { _ in for _ in 0..<500 { next.onNext(()) } }
    next.onCompleted()
    #expect(await eventually { recorder.end != nil })
    #expect(recorder.faults == [] && faults.value == 0)
    #expect(recorder.elements.last.map { $0.pages.items.count == $0.pages.pageCount } == true)
    subscription.dispose()
  }
}
