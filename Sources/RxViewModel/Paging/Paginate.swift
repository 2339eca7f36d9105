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
  /// last page. A request that ends with a `CancellationError` doesn't change the list.
  ///
  /// **Thread.** Sends the first list, then subscribes to `firstPage`, then to `nextPage`. Calls `request`, subscribes to its stream and
  /// sends the list on the thread on which the trigger or the answer arrives, one at a time.
  ///
  /// **Errors and end.** If a request fails, its error becomes ``Pages/error``, and the stream continues. If a trigger fails, the stream
  /// fails too, and disposes the request. The stream completes when both triggers have completed and no request is running.
  ///
  /// **Cost.** O(items) for each page: the items are copied, because the subscribers have the earlier list.
  ///
  /// - Parameters:
  ///   - firstPage: Begins a list for each of its elements, for example a search text.
  ///   - nextPage: Requests the next page, for example when the user scrolls to the end.
  ///   - clearing: Whether a new list begins without items. Otherwise the old items stay until the first page arrives.
  ///   - append: Adds the items of a page to those of the list. It can leave out items that the list contains already.
  ///   - request: Makes the stream that fetches a page.
  public static func paginate<Parameters, Item, Cursor>(
    firstPage: some ObservableType<Parameters>, nextPage: some ObservableType<Void>, clearing: Bool = false,
    append: @escaping @Sendable (inout [Item], [Item]) -> Void = { $0 += $1 },
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  ) -> Observable where Element == Pagination<Parameters, Item, Cursor> {
    // No template: requests begin and end.
    Observable { sink, scope in
      let serial = Serial<Paginator<Parameters, Item, Cursor>.Input>(in: scope)
      let paginator = Paginator(clearing, append, request, serial, sink)
      if !paginator.send(isLoading: false) { return }
      serial.start { paginator.receive($0) }
      scope.connect(firstPage.asObservable(), to: serial) { .firstPage($0) }
      scope.connect(nextPage.asObservable(), to: serial) { .nextPage($0) }
    }
  }
}

/// The list and the running request of one subscription to `paginate`.
///
/// The handler of the queue retains it, so the end of the scope releases it. The triggers and the running request retain the queue.
// Sendable: only the handler uses the variables, once the first list has been sent.
private final class Paginator<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: @unchecked Sendable {
  typealias Request = PageRequest<Parameters, Cursor>

  enum Input: Sendable {
    case firstPage(Event<Parameters>)
    case nextPage(Event<Void>)
    case answer(Result<Page<Item, Cursor>, any Error>, Request)
  }

  private let clearing: Bool
  private let append: @Sendable (inout [Item], [Item]) -> Void
  private let request: @Sendable (Request) -> Observable<Page<Item, Cursor>>
  private unowned let serial: Serial<Input>
  private let sink: Sink<Pagination<Parameters, Item, Cursor>>
  private var list = Pagination<Parameters, Item, Cursor>(pages: Pages(), isLoading: false)
  private var running: Scope?
  private var openTriggers = 2

  init(
    _ clearing: Bool, _ append: @escaping @Sendable (inout [Item], [Item]) -> Void,
    _ request: @escaping @Sendable (Request) -> Observable<Page<Item, Cursor>>, _ serial: Serial<Input>,
    _ sink: Sink<Pagination<Parameters, Item, Cursor>>
  ) {
    (self.clearing, self.append, self.request, self.serial, self.sink) = (clearing, append, request, serial, sink)
  }

  func receive(_ input: Input) -> Demand {
    switch input {
    case .firstPage(.next(let parameters)): start(list.pages.begin(parameters, clearing: clearing))
    case .nextPage(.next): if !list.isLoading, let due = list.pages.nextRequest { start(due) }
    case .answer(let answer, let due):
      // A first page may have superseded the request.
      if !list.pages.awaits(due) { return .more }
      switch answer {
      case .failure(is CancellationError): break
      default: list.pages.receive(answer, for: due, append: append)
      }
      if !send(isLoading: false) { return .noMore }
    case .firstPage(.error(let error)), .nextPage(.error(let error)): return sink.fail(error)
    case .firstPage(.completed), .nextPage(.completed): openTriggers -= 1
    }
    return openTriggers > 0 || list.isLoading ? .more : sink.on(.completed)
  }

  /// Ends the running request before the subscriber sees the list, and can ask for the next page. Returns false if the subscription is over.
  func send(isLoading: Bool) -> Bool {
    running.take()?.dispose()
    list.isLoading = isLoading
    return serial.scope.isOpen && sink.next(list) == .more && serial.scope.isOpen
  }

  /// Sends the list as loading, then subscribes to the request. An answer that comes before the subscription has returned waits in the
  /// queue, so the stack does not grow with the number of pages.
  private func start(_ due: Request) {
    guard send(isLoading: true) else { return }
    let answers = request(due)
    if case .just(let page) = answers.representation {
      _ = serial.send(.answer(.success(page), due))
    } else if let child = serial.scope.child() {
      running = child
      let answered = Sink<Page<Item, Cursor>> { [serial] page in
        _ = serial.send(.answer(.success(page), due))
        return .noMore
      } end: { [serial] in
        _ = serial.send(.answer($0.map { .failure($0) } ?? .success(Page([], next: nil)), due))
      }
      answers.connect(answered, in: child)
    }
  }
}
