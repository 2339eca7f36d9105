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
        return Observable.paginate(firstPage: Observable.just(0), nextPage: scrolled, append: { $0 = $1 }) { request in
          .just(Page([request.cursor == nil ? -1 : object.passing(latest.value)], next: 0))
        }.compactMap(\.answer)
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
        Observable.page(\ListState.list, { $0.first(element) }) { request in
          .just(Page([object.passing(request.parameters)], next: nil))
        }.scan(ListState()) { try $1($0) }.compactMap { $0.list.items.last }
      }
    },
    OperatorCase("mutate") { source, object in
      source.mutate { (state: inout Int, element) in state = object.passing(element) }.scan(0) { try $1($0) }
    },
    OperatorCase("lifted to a part") { source, object in
      children(of: source, object).lifted(to: \Family.child).scan(Family()) { try $1($0) }.map(\.child.number)
    },
    OperatorCase("lifted to an optional part") { source, object in
      children(of: source, object).lifted(to: \Family.optional).scan(Family()) { try $1($0) }
        .compactMap(\.optional?.number)
    },
    OperatorCase("lifted to a row") { source, object in
      children(of: source, object).lifted(to: \Family.rows, id: 2).scan(Family()) { try $1($0) }
        .map(\.rows[1].number)
    },
  ]

  private static func children(
    of source: Observable<Int>, _ object: Lifetimes.Object
  ) -> Observable<StateMapper<Child>> {
    source.mutate { (child: inout Child, element) in child.number = object.passing(element) }
  }
}

private struct ListState: Sendable {
  var list = Pages<Int, Int, Int>()
}

private struct Child: Sendable, Identifiable {
  let id: Int
  var number = 0
}

private struct Family: Sendable {
  var child = Child(id: 0)
  var optional: Child? = Child(id: 0)
  var rows = [Child(id: 1), Child(id: 2)]
}

extension Pagination<Int, Int, Int> {
  /// The last item, or nil while a request is running.
  fileprivate var answer: Int? { isLoading ? nil : pages.items.last }
}
