/// An event of a trigger of `paginate`, or of the request with the given token.
enum PaginationInput<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  case firstPage(Event<Parameters>)
  case nextPage(Event<Void>)
  case answer(Event<Page<Item, Cursor>>, RequestToken)
}

/// The list of one subscription to `paginate`, and its running request.
///
/// The serial handler retains it. If a request answers before `connect` has returned, the thread handles the answer afterwards, in its
/// loop. So the stack does not grow with the number of pages.
///
/// Sendable: the references are set before the first input, and the handler alone touches the rest.
final class PaginationState<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: @unchecked Sendable {
  typealias Input = PaginationInput<Parameters, Item, Cursor>
  typealias Output = Pagination<Parameters, Item, Cursor>

  private let clearing: Bool
  private let append: @Sendable (inout [Item], [Item]) -> Void
  private let request: @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  private let sink: Observable<Output>.Sink
  /// Weak: it retains the handler.
  weak var serial: Serial<Input>?
  private let scope: Scope

  private var pages = Pages<Parameters, Item, Cursor>()
  /// The request whose answer is awaited.
  private var loading: RequestToken?
  /// The scope of its subscription.
  private var requestScope: Scope?
  private var openTriggers = 2

  init(
    clearing: Bool, append: @escaping @Sendable (inout [Item], [Item]) -> Void,
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>,
    in scope: Scope, _ sink: @escaping Observable<Output>.Sink
  ) {
    self.clearing = clearing
    self.append = append
    self.request = request
    self.scope = scope
    self.sink = sink
  }

  /// Handles one input.
  func handle(_ input: Input) -> Demand {
    switch input {
    case .firstPage(.next(let parameters)):
      requestScope?.dispose()
      return start(pages.first(parameters, clearing: clearing))
    case .nextPage(.next):
      guard loading == nil, let request = pages.next() else { return .more }
      return start(request)
    case .answer(let answer, let token):
      // Ignores the answer of a request that a first page has superseded.
      guard token === loading else { return .more }
      return receive(answer)
    case .firstPage(.error(let error)), .nextPage(.error(let error)):
      return forward(.error(error), to: sink)
    case .firstPage(.completed), .nextPage(.completed):
      openTriggers -= 1
      return completeIfOver()
    }
  }

  /// Sends the list as loading, then subscribes to the request.
  private func start(_ request: PageRequest<Parameters, Cursor>) -> Demand {
    loading = request.token
    requestScope = nil
    guard send() == .more, let serial else { return .noMore }
    let (answers, token) = (self.request(request), request.token)
    if case .just(let page) = answers.representation { return serial.send(.answer(.next(page), token)) }
    requestScope = scope.child()
    guard let requestScope else { return .noMore }
    answers.connect(
      { event in
        _ = serial.send(.answer(event, token))
        // The first event is the answer.
        return .noMore
      }, in: requestScope)
    return .more
  }

  private func receive(_ answer: Event<Page<Item, Cursor>>) -> Demand {
    // Never nil: `next` returns the same request until its answer has been received.
    guard let request = pages.next() else { return .more }
    loading = nil
    // The request ends before the subscriber sees the list, and can ask for the next page.
    requestScope?.dispose()
    requestScope = nil
    switch answer {
    case .next(let page): pages.receive(.success(page), for: request, append: append)
    case .completed: pages.receive(.success(Page([], next: nil)), for: request, append: append)
    case .error(is CancellationError): break
    case .error(let error): pages.receive(.failure(error), for: request)
    }
    return send() == .noMore ? .noMore : completeIfOver()
  }

  /// Sends the list, unless a closure of the user's has disposed the subscription. Also returns `.noMore` if the subscriber disposes it.
  private func send() -> Demand {
    guard scope.isOpen else { return .noMore }
    let demand = sink(.next(Pagination(pages: pages, isLoading: loading != nil)))
    return scope.isOpen ? demand : .noMore
  }

  /// Completes the stream if no further request is possible.
  private func completeIfOver() -> Demand {
    if openTriggers > 0 || loading != nil { return .more }
    return forward(.completed, to: sink)
  }
}
