import Dispatch
import Row
import RxViewModel

private func send(
  _ name: String, to subscribers: Int = 1, _ build: @escaping @Sendable (Observable<Int>) -> Observable<Int>
) -> Row {
  Row(name: name) { count in
    let (subject, sum, bag) = (PublishSubject<Int>(), Sum(), DisposeBag())
    let stream = build(subject.asObservable())
    for _ in 0..<subscribers { stream.subscribe(onNext: { sum.value &+= $0 }).disposed(by: bag) }
    for number in 1...max(count, 1) { subject.onNext(number) }
    precondition(sum.value != 0)
    bag.dispose()
  }
}

private func wide(_ name: String, to subscribers: Int, keeps: Bool) -> Row {
  Row(name: name) { count in
    let (sum, bag, state) = (Sum(), DisposeBag(), Wide())
    let (publish, behavior) = (PublishSubject<Wide>(), BehaviorSubject(value: Wide()))
    let stream = keeps ? behavior.asObservable() : publish.asObservable()
    for _ in 0..<subscribers { stream.subscribe(onNext: { sum.value &+= $0.number }).disposed(by: bag) }
    if keeps { for _ in 0..<count { behavior.onNext(state) } } else { for _ in 0..<count { publish.onNext(state) } }
    bag.dispose()
  }
}

private func subscribe(_ name: String, _ make: @escaping @Sendable () -> Observable<Int>) -> Row {
  Row(name: "subscribe + dispose, \(name)") { count in
    let (stream, sum) = (make(), Sum())
    for _ in 0..<count { stream.subscribe(onNext: { sum.value &+= $0 }).dispose() }
  }
}

let streamRows: [Row] = [
  send("subject, 1 subscriber") { $0 },
  send("subject, 10 subscribers", to: 10) { $0 },
  Row(name: "behavior subject, 1 subscriber") { count in
    let (subject, sum) = (BehaviorSubject(value: 0), Sum())
    let subscription = subject.subscribe(onNext: { sum.value &+= $0 })
    for number in 0..<count { subject.onNext(number) }
    subscription.dispose()
  },
  wide("subject, wide, 1 subscriber", to: 1, keeps: false),
  wide("subject, wide, 10 subscribers", to: 10, keeps: false),
  wide("behavior subject, wide, 1 subscriber", to: 1, keeps: true),
  wide("behavior subject, wide, 10 subscribers", to: 10, keeps: true),
  send("map, filter, map, scan, distinct") {
    $0.map { $0 + 1 }.filter { $0 != 0 }.map { $0 * 2 }.scan(0) { $0 &+ $1 }.distinctUntilChanged()
  },
  Row(name: "combineLatest of two, an element of each") { count in
    let (a, b, sum) = (PublishSubject<Int>(), PublishSubject<Int>(), Sum())
    let subscription = Observable.combineLatest(a, b).subscribe(onNext: { sum.value &+= $0 + $1 })
    for number in 0..<count {
      a.onNext(number)
      b.onNext(number)
    }
    subscription.dispose()
  },
  send("merge with a silent one") { $0.merge(with: PublishSubject<Int>()) },
  send("share, 2 subscribers", to: 1) { source in
    let shared = source.share()
    return shared.merge(with: shared)
  },
  send("flatMap of just") { $0.flatMap { .just($0) } },
  send("flatMapLatest of just") { $0.flatMapLatest { .just($0) } },
  send("concatMap of just") { $0.concatMap { .just($0) } },
  Row(name: "flatMapLatest of a subject, switched") { count in
    let (outer, inner, sum) = (PublishSubject<Int>(), PublishSubject<Int>(), Sum())
    let stream = inner.asObservable()
    let subscription = outer.flatMapLatest { _ in stream }.subscribe(onNext: { sum.value &+= $0 })
    for number in 0..<count {
      outer.onNext(number)
      inner.onNext(number)
    }
    subscription.dispose()
  },
  send("observe(on:) immediate") { $0.observe(on: ImmediateScheduler()) },
  Row(name: "update of a behavior subject") { count in
    let (subject, sum) = (BehaviorSubject(value: 0), Sum())
    let subscription = subject.subscribe(onNext: { sum.value &+= $0 })
    for _ in 0..<count { subject.update { $0 += 1 } }
    subscription.dispose()
  },
  Row(name: "write of a property") { count in
    let (property, sum) = (MutableProperty(0), Sum())
    let subscription = property.subscribe(onNext: { sum.value &+= $0 })
    for number in 0..<count { property.value = number }
    subscription.dispose()
  },
  Row(name: "subscribe + dispose, subject") { count in
    let (subject, sum) = (PublishSubject<Int>(), Sum())
    for _ in 0..<count { subject.subscribe(onNext: { sum.value &+= $0 }).dispose() }
  },
  Row(name: "subscribe + dispose, subject, among 1,000") { count in
    let (subject, sum, bag) = (PublishSubject<Int>(), Sum(), DisposeBag())
    for _ in 0..<1_000 { subject.subscribe(onNext: { sum.value &+= $0 }).disposed(by: bag) }
    for _ in 0..<count { subject.subscribe(onNext: { sum.value &+= $0 }).dispose() }
  },
  Row(name: "subscribe + dispose, behavior subject") { count in
    let (subject, sum) = (BehaviorSubject(value: 0), Sum())
    for _ in 0..<count { subject.subscribe(onNext: { sum.value &+= $0 }).dispose() }
  },
  subscribe("map") { PublishSubject<Int>().map { $0 + 1 } },
  subscribe("take") { PublishSubject<Int>().take(2) },
  subscribe("flatMap") { PublishSubject<Int>().flatMap { .just($0) } },
  subscribe("merge") { PublishSubject<Int>().merge(with: PublishSubject<Int>()) },
  subscribe("combineLatest") { Observable.combineLatest(PublishSubject<Int>(), PublishSubject<Int>()).map { $0 + $1 } },
  subscribe("just") { .just(1) },
  Row(name: "subscribe + dispose, open share") { count in
    let (shared, sum) = (PublishSubject<Int>().share(), Sum())
    let first = shared.subscribe(onNext: { sum.value &+= $0 })
    for _ in 0..<count { shared.subscribe(onNext: { sum.value &+= $0 }).dispose() }
    first.dispose()
  },
  subscribe("a queue's timer") { .timer(.seconds(3_600), scheduler: DispatchQueue(label: "timers")) },
]
