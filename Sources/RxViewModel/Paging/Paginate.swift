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
  /// **Cost.** O(page) for each page, and one copy of the items while a subscriber keeps an earlier list.
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
    // Neither template: requests begin and end.
    return Observable { sink, scope in
      guard sink(.next(Pagination(pages: Pages(), isLoading: false))) == .more else { return }
      let state = PaginationState(clearing: clearing, append: append, request: request, in: scope, sink)
      let serial = Serial<PaginationInput<Parameters, Item, Cursor>>(in: scope) { state.handle($0) }
      state.serial = serial
      scope.connect(firstPage, to: serial) { .firstPage($0) }
      scope.connect(nextPage, to: serial) { .nextPage($0) }
    }
  }
}
