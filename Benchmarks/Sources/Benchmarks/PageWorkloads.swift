import RxViewModel

/// Requests one page after another. Each request answers at once with a page of one item, which replaces the items before it.
func pages() -> [Workload] {
  [
    Workload(
      name: "paginate: one page", count: 200_000, expected: { $0 + 1 }, goal: nil, allocations: 1,
      contenders: [
        Contender(name: Workload.ours) { count in
          let (next, sum, items) = (PublishSubject<Void>(), Sum(), [1])
          let subscription = Observable.paginate(
            firstPage: Observable.just(0), nextPage: next, append: { items, page in items = page },
            request: { (request: PageRequest<Int, Int>) in .just(Page(items, next: (request.cursor ?? 0) + 1)) }
          ).subscribe(onNext: { sum.value = $0.pages.pageCount })
          for _ in 0..<count { next.onNext(()) }
          subscription.dispose()
          return sum.value
        }
      ])
  ]
}
