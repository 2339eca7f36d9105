import RxViewModel

extension OperatorCase {
  /// `paginate`, and the operators that turn elements into state mappers.
  static let mappers = [
    OperatorCase("paginate, first pages", supersedes: true) { source, object in
      Observable.paginate(firstPage: source, nextPage: Observable<Void>.empty()) { request in
        .just(Page([object.passing(request.parameters)], next: nil as Int?))
      }.compactMap(\.answer)
    },
    OperatorCase("paginate, next pages") { source, object in
      .deferred {
        let latest = Locked(0)
        let scrolled = source.map { element in latest.mutate { $0 = element } }
        return Observable.paginate(
          firstPage: Observable.just(0), nextPage: scrolled,
          append: { items, page in
            object.touch()
            items = page
          },
          request: { request in
            Observable.just(Page([request.cursor == nil ? -1 : latest.value], next: 0)).do(onDispose: { object.touch() }
            )
          }
        ).compactMap(\.answer)
      }
    },
    OperatorCase("paginate of inner streams") { source, object in
      source.flatMap { element in
        Observable.paginate(firstPage: Observable.just(element), nextPage: Observable<Void>.empty()) { request in
          Observable.from([Page([object.passing(request.parameters)], next: nil as Int?)])
        }.compactMap(\.answer)
      }
    },
    OperatorCase("page of inner streams") { source, object in
      source.flatMap { element in
        Observable.page(\ListState.list, { $0.begin(element) }) { request in
          .just(Page([object.passing(request.parameters)], next: nil))
        }.scan(ListState()) { try $1($0) }.compactMap { $0.list.items.last }
      }
    },
    OperatorCase("mutate") { source, object in
      source.mutate { (state: inout Int, element) in state = object.passing(element) }.scan(0) { try $1($0) }
    },
    OperatorCase("then on a view model") { source, object in
      let counter = Counter(scheduler: ImmediateScheduler())
      return source.mutate { (state: inout Int, element) in state = object.passing(element) }
        .then(0, on: counter).scan(0) { try $1($0) }
    },
  ]
}

private final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .unchanged() }
}

private struct ListState: Sendable {
  var list = Pages<Int, Int, Int>()
}

extension Pagination<Int, Int, Int> {
  /// The last item, or nil while a request is running.
  fileprivate var answer: Int? { isLoading ? nil : pages.items.last }
}
