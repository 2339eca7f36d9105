extension Observable {
  /// Loads a list page by page: the first page for each element of one stream, the next page for each element of another.
  ///
  /// ```swift
  /// let books = Observable.paginate(firstPage: queries, nextPage: scrolledToEnd, request: service.page)
  /// ```
  ///
  /// Each subscription has a list of its own. It sends the empty list first, and then each change: when a request begins, and when its
  /// answer arrives. In this diagram `[1]…` is a list that is loading, `1+` a page with a cursor, and the second `n` comes too early:
  ///
  ///     firstPage                               ---a---------------------|
  ///     nextPage                                -------------n--n-----------|
  ///     request a                                  -----1+|
  ///     request a1                                           ------2|
  ///     paginate(firstPage, nextPage, request)  []-[]…--[1]--[1]…--[1,2]----|
  ///
  /// **Requests.** An element of `firstPage` disposes the running request and begins a new list. An element of `nextPage` is ignored while
  /// a request is running, before any list and at the end of the list; after an error it requests the same page again. The first element of
  /// a request's stream is the answer, and the rest of that stream is disposed. A request that completes without an element is an empty
  /// last page. A request that ends with a `CancellationError` does not change the list.
  ///
  /// **Thread.** Sends the first list, then subscribes to `firstPage`, then to `nextPage`. Calls `request`, subscribes to its stream and
  /// sends the list on the thread on which the trigger or the answer arrives, one at a time.
  ///
  /// **Errors and end.** The error of a request becomes ``Pages/error``, and the stream continues. An error of a trigger ends the stream
  /// and disposes the request. The stream completes when both triggers have completed and no request is running.
  ///
  /// **Cost.** O(items) for each page: the items are copied, because the subscribers have the earlier list.
  ///
  /// - Parameters:
  ///   - firstPage: Begins a list for each of its elements, for example a search text.
  ///   - nextPage: Requests the next page, for example when the user scrolls to the end.
  ///   - clearing: Whether a new list begins without items. Otherwise the old items stay until the first page arrives.
  ///   - append: Adds the items of a page to those of the list. It may omit items that the list contains already.
  ///   - request: Makes the stream that fetches a page.
  public static func paginate<Parameters, Item, Cursor>(
    firstPage: some ObservableType<Parameters>, nextPage: some ObservableType<Void>, clearing: Bool = false,
    append: @escaping @Sendable (inout [Item], [Item]) -> Void = { $0 += $1 },
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  ) -> Observable where Element == Pagination<Parameters, Item, Cursor> {
    let (firstPage, nextPage) = (firstPage.asObservable(), nextPage.asObservable())
    return .deferred {
      let list = PaginatedList<Parameters, Item, Cursor>()
      let first = firstPage.compactMap { parameters in list.begin { $0.pages.first(parameters, clearing: clearing) } }
      let next = nextPage.compactMap { list.begin { $0.isLoading ? nil : $0.pages.next() } }
      let requests = Observable<PageRequest<Parameters, Cursor>>.merge(first, next).flatMapLatest { due in
        // In a scope of its own: the request is over before the subscriber sees the list, and can ask for the next page.
        Observable { sink, scope in
          let answer = SubscriptionState<Event<Page<Item, Cursor>>>(.completed)
          let answered = Sink<Page<Item, Cursor>>(
            each: { answer.value = .next($0) },
            end: { error in
              list.end(due, with: error.map { .error($0) } ?? answer.value, append)
              sink.end(nil)
            })
          scope.connect(request(due).take(1), answered)
        }
      }
      return .merge(list.values.asObservable(), requests.do(onCompleted: { list.values.onCompleted() }))
    }
  }
}

/// The list of one subscription to `paginate`. The triggers and the running request retain it.
private struct PaginatedList<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  typealias Output = Pagination<Parameters, Item, Cursor>

  let values = BehaviorSubject(value: Output(pages: Pages(), isLoading: false))

  /// Sends the list as loading, and returns the request, if `makeRequest` returns one.
  func begin(_ makeRequest: (inout Output) -> PageRequest<Parameters, Cursor>?) -> PageRequest<Parameters, Cursor>? {
    var request: PageRequest<Parameters, Cursor>?
    values.core.update { list in
      request = makeRequest(&list)
      list.isLoading = true
      return request != nil
    }
    return request
  }

  /// Sends the list with an answer, unless a first page has superseded the request.
  func end(
    _ request: PageRequest<Parameters, Cursor>, with answer: Event<Page<Item, Cursor>>,
    _ append: (inout [Item], [Item]) -> Void
  ) {
    values.core.update { list in
      list.isLoading = false
      switch answer {
      case .next(let page): return list.pages.receive(.success(page), for: request, append: append)
      case .completed: return list.pages.receive(.success(Page([], next: nil)), for: request, append: append)
      case .error(is CancellationError): return list.pages.next()?.token === request.token
      case .error(let error): return list.pages.receive(.failure(error), for: request)
      }
    }
  }
}
