extension Observable {
  /// Mappers that begin the request for a page, and put its answer into the list that the state holds.
  ///
  ///     case .search(let text): .page(\.results, { $0.first(text) }, request: service.page)
  ///     case .scrolledToEnd: .page(\.results, { $0.next() }, request: service.page)
  ///
  /// The first mapper calls `begin`. When the state that it makes has been folded, the request is subscribed, and its first
  /// element becomes the second mapper; the rest of its stream is disposed. If `begin` returns nil, the state stays as it
  /// is, `request` is not called, and the stream completes.
  ///
  /// An action in the mode `parallelOrdered` whose mappers wait for an earlier action subscribes to the request inside the
  /// first mapper instead, so that the request sees the state before that mapper.
  ///
  /// The execution modes see to it that no page is fetched twice: `.switchLatest("results")` for a first page and
  /// `.dropWhileBusy("results")` for a next one. ``Pages`` ignores an answer that comes late, in any mode.
  ///
  /// **Thread.** Calls `request` where the first mapper is folded, on the view model's scheduler.
  ///
  /// **Errors and end.** An error of the request becomes ``Pages/error``, and fails the action too. A `CancellationError`
  /// leaves the list as it was. A request that completes without an element is an empty last page. The stream completes
  /// after the answer.
  ///
  /// **Cost.** O(page), and one copy of the items, because an earlier state holds them too.
  ///
  /// - Parameters:
  ///   - pages: Where the state holds the list.
  ///   - begin: Asks the list for a request: `first` or `next`.
  ///   - request: Makes the stream that fetches a page.
  public static func page<State: Sendable, Parameters, Item, Cursor>(
    _ pages: WritableKeyPath<State, Pages<Parameters, Item, Cursor>> & Sendable,
    _ begin: @escaping @Sendable (inout Pages<Parameters, Item, Cursor>) -> PageRequest<Parameters, Cursor>?,
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  ) -> Observable where Element == StateMapper<State> {
    .deferred {
      // The first mapper may run at once or, in a lane that is held, long after it has been sent.
      let begun = ReplaySubject<PageRequest<Parameters, Cursor>?>(bufferSize: 1)
      let beginning: StateMapper<State> = { state in
        var next = state
        let request = begin(&next[keyPath: pages])
        begun.onNext(request)
        return request == nil ? state : next
      }
      let answer = begun.take(1).flatMap { due -> Observable<StateMapper<State>> in
        guard let due else { return .empty() }
        return request(due).materialize().take(1).flatMap { event -> Observable<StateMapper<State>> in
          @Sendable func receiving(_ result: Result<Page<Item, Cursor>, any Error>) -> Observable<StateMapper<State>> {
            .mutate { $0[keyPath: pages].receive(result, for: due) }
          }
          switch event {
          case .next(let page): return receiving(.success(page))
          case .completed: return receiving(.success(Page([], next: nil)))
          case .error(let error):
            return error is CancellationError ? .error(error) : receiving(.failure(error)).concat(.error(error))
          }
        }
      }
      return Observable.just(beginning).concat(answer)
    }
  }
}
