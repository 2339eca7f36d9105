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
      let list = PaginatedList(clearing: clearing, append: append, request: request, in: scope, sink)
      let serial = Serial<PaginatedList.Input>(in: scope) { list.handle($0) }
      list.serial = serial
      if list.send() == .noMore { return }
      scope.connect(firstPage.asObservable(), to: serial) { .firstPage($0) }
      scope.connect(nextPage.asObservable(), to: serial) { .nextPage($0) }
    }
  }
}

/// The list of one subscription to `paginate`, and its running request.
///
/// The handler of the queue retains it. An answer that comes before the subscription to its request has returned waits in the queue, so the
/// stack does not grow with the number of pages.
// Sendable: `serial` is set before the first input. The handler alone uses the other variables.
private final class PaginatedList<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: @unchecked Sendable {
  typealias Output = Pagination<Parameters, Item, Cursor>
  typealias Request = PageRequest<Parameters, Cursor>

  enum Input: Sendable {
    case firstPage(Event<Parameters>)
    case nextPage(Event<Void>)
    case answer(Event<Page<Item, Cursor>>, RequestToken)
  }

  private let clearing: Bool
  private let append: @Sendable (inout [Item], [Item]) -> Void
  private let request: @Sendable (Request) -> Observable<Page<Item, Cursor>>
  private let scope: Scope
  private let sink: Sink<Output>
  /// Weak: it retains the handler.
  weak var serial: Serial<Input>?
  private var list = Output(pages: Pages(), isLoading: false)
  /// The scope of the running request.
  private var running: Scope?
  private var openTriggers = 2

  init(
    clearing: Bool, append: @escaping @Sendable (inout [Item], [Item]) -> Void,
    request: @escaping @Sendable (Request) -> Observable<Page<Item, Cursor>>, in scope: Scope, _ sink: Sink<Output>
  ) {
    (self.clearing, self.append, self.request, self.scope, self.sink) = (clearing, append, request, scope, sink)
  }

  func handle(_ input: Input) -> Demand {
    switch input {
    case .firstPage(.next(let parameters)): return start(list.pages.first(parameters, clearing: clearing))
    case .nextPage(.next):
      guard !list.isLoading, let due = list.pages.next() else { return .more }
      return start(due)
    case .answer(let answer, let token):
      // A first page may have superseded the request.
      guard list.isLoading, let due = list.pages.next(), due.token === token else { return .more }
      receive(answer, for: due)
      if send() == .noMore { return .noMore }
    case .firstPage(.error(let error)), .nextPage(.error(let error)): return sink.fail(error)
    case .firstPage(.completed), .nextPage(.completed): openTriggers -= 1
    }
    return openTriggers > 0 || list.isLoading ? .more : sink.on(.completed)
  }

  /// Sends the list as loading, then subscribes to the request.
  private func start(_ due: Request) -> Demand {
    running.take()?.dispose()
    list.isLoading = true
    guard send() == .more, let serial else { return .noMore }
    let (answers, token) = (request(due), due.token)
    if case .just(let page) = answers.representation { return serial.send(.answer(.next(page), token)) }
    guard let child = scope.child() else { return .noMore }
    running = child
    // The first event is the answer.
    let answered = Sink<Page<Item, Cursor>> { event in
      _ = serial.send(.answer(event, token))
      return .noMore
    }
    answers.connect(answered, in: child)
    return .more
  }

  private func receive(_ answer: Event<Page<Item, Cursor>>, for due: Request) {
    // The request is over before the subscriber sees the list, and can ask for the next page.
    running.take()?.dispose()
    list.isLoading = false
    switch answer {
    case .next(let page): list.pages.receive(.success(page), for: due, append: append)
    case .completed: list.pages.receive(.success(Page([], next: nil)), for: due, append: append)
    case .error(is CancellationError): break
    case .error(let error): list.pages.receive(.failure(error), for: due)
    }
  }

  /// Sends the list. Returns `.noMore` if the subscription is over.
  func send() -> Demand { scope.isOpen && sink.next(list) == .more && scope.isOpen ? .more : .noMore }
}
