import RxViewModel

// What the library will have: to be deleted.
extension Observable {
  public static func page<State: Sendable, Parameters, Item, Cursor>(
    _ pages: WritableKeyPath<State, Pages<Parameters, Item, Cursor>> & Sendable,
    _ begin: @escaping @Sendable (inout Pages<Parameters, Item, Cursor>) -> PageRequest<Parameters, Cursor>?,
    request: @escaping @Sendable (PageRequest<Parameters, Cursor>) -> Observable<Page<Item, Cursor>>
  ) -> Observable where Element == StateMapper<State> {
    .create { observer in
      let begun = PublishSubject<PageRequest<Parameters, Cursor>?>()
      let answers = begun.flatMapFirst { due -> Observable<StateMapper<State>> in
        guard let due else { return .empty() }
        return request(due).take(1).map { Result<Page<Item, Cursor>, any Error>.success($0) }
          .catch { .just(.failure($0)) }
          .mutate { $0[keyPath: pages].receive($1, for: due) }
      }.subscribe { observer.on($0) }
      observer.onNext { state in
        var state = state
        begun.onNext(begin(&state[keyPath: pages]))
        begun.onCompleted()
        return state
      }
      return answers
    }
  }
}
extension ObservableType where Element == Bool {
  public func smoothed(
    delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500), scheduler: any Scheduler
  ) -> Observable<Bool> { asObservable() }
}
extension ActionAndError { public func retry() {} }
extension RxViewModel {
  public func log(_ write: @escaping @Sendable (String) -> Void) -> any Disposable {
    executionObservable.subscribe { event in if case .next(let e) = event { write("\(e)") } }
  }
}
