extension Observable {
  /// Loads a page into a list of the state: one mapper begins the request, and another one puts the answer into the list.
  ///
  /// ```swift
  /// case .search(let text): .page(\.results, { $0.begin(text) }, request: service.page)
  /// case .scrolledToEnd: .page(\.results, { $0.nextRequest }, request: service.page)
  /// ```
  ///
  /// This diagram shows the list after each mapper; `1+` is a page with a cursor:
  ///
  ///     request a                        ------1+|
  ///     page(\.list, first(a), request)  []----([1]|)
  ///
  /// The first mapper calls `begin`. Once the view model has folded it, this subscribes to the request. The first element of the request
  /// becomes the second mapper, and the rest of the request's stream is disposed. If `begin` returns nil, the state doesn't change,
  /// `request` isn't called, and the stream completes. So it does if `begin` returns a request whose answer the list would ignore, because
  /// it isn't the list's ``Pages/nextRequest``; in debug builds this writes a line to standard error.
  ///
  /// If the first mapper has to wait for its turn, this subscribes to the request while the view model runs that mapper, so the request
  /// sees the state before it. The mapper has to wait in the mode `parallelOrdered` behind an earlier action, and if something subscribes
  /// to this stream outside the view model's own work, for example a `flatMap` after a task.
  ///
  /// Choose the execution modes so that no page is fetched twice: `.switchLatest("results")` for a first page and
  /// `.dropWhileBusy("results")` for a next one. ``Pages`` ignores a late answer, in any mode.
  ///
  /// **Thread.** Calls `begin` on the view model's scheduler, and `request` too if the view model itself subscribes to this stream. If an
  /// operator subscribes to it on another thread, `request` may run on that thread.
  ///
  /// **Errors and end.** An error of the request becomes ``Pages/error``, and fails the action too. A `CancellationError` does not change
  /// the list. A request that completes without an element is an empty last page. The stream completes after the answer.
  ///
  /// **Cost.** O(page), and one copy of the items, because an earlier state holds them too.
  ///
  /// - Parameters:
  ///   - pages: The property of the state that holds the list.
  ///   - begin: Returns a request of the list, with `first` or `next`.
  ///   - append: Adds the items of a page to those of the list. It can leave out items that the list contains already.
  ///   - request: Makes the stream that fetches a page.
  public static func page<State: Sendable, Parameters, Item, Cursor>(
    _ pages: WritableKeyPath<State, Pages<Parameters, Item, Cursor>> & Sendable,
    _ begin: @escaping @Sendable (inout Pages<Parameters, Item, Cursor>) -> PageRequest<Parameters, Cursor>?,
    append: @escaping @Sendable (inout [Item], [Item]) -> Void = { $0 += $1 },
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  ) -> Observable where Element == StateMapper<State> {
    page(pages, begin, append: append, request: request, page: { $0 }, updating: { _, _ in })
  }

  /// Loads a page into a list of the state, and folds the rest of the answer too.
  ///
  /// For a service whose answer contains more than the page, such as the number of all results:
  ///
  /// ```swift
  /// case .search(let text):
  ///   .page(
  ///     \.results, { $0.begin(text) }, request: service.search,
  ///     page: { Page($0.books, next: $0.nextPage) }, updating: { $0.total = $1.total })
  /// ```
  ///
  /// This diagram shows the list after each mapper; `1+` is an answer with a cursor:
  ///
  ///     request a                                          ------1+|
  ///     page(\.list, first(a), request, page:, updating:)  []----([1]|)
  ///
  /// The second mapper calls `page`, and then `updating`, unless the list ignores the answer because it is for an older list. If the
  /// request completes without an element, neither is called. Otherwise this behaves like the form whose request emits a ``Page``.
  ///
  /// - Parameters:
  ///   - pages: The property of the state that holds the list.
  ///   - begin: Returns a request of the list, with `first` or `next`.
  ///   - append: Adds the items of a page to those of the list. It can leave out items that the list contains already.
  ///   - request: Makes the stream that fetches an answer.
  ///   - page: Makes the page of an answer.
  ///   - updating: Folds the rest of the answer into the state, which contains the page already.
  public static func page<State: Sendable, Parameters, Item, Cursor, Answer: Sendable>(
    _ pages: WritableKeyPath<State, Pages<Parameters, Item, Cursor>> & Sendable,
    _ begin: @escaping @Sendable (inout Pages<Parameters, Item, Cursor>) -> PageRequest<Parameters, Cursor>?,
    append: @escaping @Sendable (inout [Item], [Item]) -> Void = { $0 += $1 },
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Answer>,
    page: @escaping @Sendable (Answer) -> Page<Item, Cursor>,
    updating: @escaping @Sendable (inout State, Answer) -> Void
  ) -> Observable where Element == StateMapper<State> {
    .deferred {
      // The first mapper may run immediately or, in the ordered lane, long after it has been sent.
      let begun = ReplaySubject<PageRequest<Parameters, Cursor>?>(bufferSize: 1)
      let made = Lock<[PageRequest<Parameters, Cursor>?]>([])
      let beginning: StateMapper<State> = { state in
        var next = state
        var request = begin(&next[keyPath: pages])
        if let other = request, !next[keyPath: pages].awaits(other) {
          reportInDebug("page requests nothing for \(other.parameters): begin has to return the list's request")
          request = nil
        }
        let known = made.withLock { made in
          if made.isEmpty { made.append(request) } else { return made.first }
          return nil
        }
        guard let known else {
          begun.onNext(request)
          return request == nil ? state : next
        }
        // The mapper runs again (contract 2.20), and the request has been sent.
        guard let known, request != nil else { return state }
        next[keyPath: pages].expect(known)
        return next
      }
      let answer = begun.take(1).flatMap { due -> Observable<StateMapper<State>> in
        guard let due else { return .empty() }
        return request(due).materialize().take(1).flatMap { event -> Observable<StateMapper<State>> in
          switch event {
          case .next(let answer):
            return .mutate { state in
              let isDue = state[keyPath: pages].receive(.success(page(answer)), for: due, append: append)
              if isDue { updating(&state, answer) }
            }
          case .completed: return .mutate { $0[keyPath: pages].receive(.success(Page([], next: nil)), for: due) }
          case .error(is CancellationError): return .error(CancellationError())
          case .error(let error):
            return .mutate { $0[keyPath: pages].receive(.failure(error), for: due) }.concat(.error(error))
          }
        }
      }
      return Observable.just(beginning).concat(answer)
    }
  }
}
