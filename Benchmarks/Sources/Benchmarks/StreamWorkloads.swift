import OpenCombine
import RxViewModel

/// The sum to which subscribers add.
// Sendable: the workloads that use it run on one thread. A lock would cost more than what they measure.
final class Sum: @unchecked Sendable {
  @exclusivity(unchecked) var value = 0
}

let peer = "OpenCombine"

func subjects() -> [Workload] {
  [1, 100].map { subscribers in
    Workload(
      name: "subject, \(subscribers) subscriber\(subscribers == 1 ? "" : "s")", count: 2_000_000 / subscribers,
      expected: { $0 * subscribers }, goal: subscribers == 1 ? 2 : 1.3, allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (HandSubject(), Sum())
          for _ in 0..<subscribers { _ = subject.subscribe { sum.value += $0 } }
          for _ in 0..<count { subject.send(1) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (PublishSubject<Int>(), Sum())
          for _ in 0..<subscribers { _ = subject.subscribe(onNext: { sum.value += $0 }) }
          for _ in 0..<count { subject.onNext(1) }
          return sum.value
        },
        Contender(name: peer) { count in
          let (subject, sum) = (PassthroughSubject<Int, Never>(), Sum())
          let cancellables = (0..<subscribers).map { _ in subject.sink { sum.value += $0 } }
          for _ in 0..<count { subject.send(1) }
          withExtendedLifetime(cancellables) {}
          return sum.value
        },
      ])
  } + [
    Workload(
      name: "behavior subject, 1 subscriber", count: 2_000_000, expected: { $0 }, goal: 2.5, allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (HandSubject(value: 0), Sum())
          _ = subject.subscribe { sum.value += $0 }
          for _ in 0..<count { subject.send(1) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (BehaviorSubject(value: 0), Sum())
          _ = subject.subscribe(onNext: { sum.value += $0 })
          for _ in 0..<count { subject.onNext(1) }
          return sum.value
        },
        Contender(name: peer) { count in
          let (subject, sum) = (CurrentValueSubject<Int, Never>(0), Sum())
          let cancellable = subject.sink { sum.value += $0 }
          for _ in 0..<count { subject.send(1) }
          withExtendedLifetime(cancellable) {}
          return sum.value
        },
      ]),
    Workload(
      name: "property against behavior subject, 1 subscriber", count: 2_000_000, expected: { ($0 + 1) / 2 }, goal: 1.5,
      allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (BehaviorSubject(value: 0), Sum())
          _ = subject.subscribe(onNext: { sum.value += $0 })
          for number in 1...count { subject.onNext(number % 2) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (property, sum) = (MutableProperty(0), Sum())
          _ = property.subscribe(onNext: { sum.value += $0 })
          for number in 1...count { property.value = number % 2 }
          return sum.value
        },
      ]),
  ]
}

func operators() -> [Workload] {
  [
    Workload(
      name: "map, filter, map, scan, distinctUntilChanged", count: 1_000_000,
      expected: { count in (1...count).reduce(0) { $0 &+ $1 &* 4 } }, goal: 1.6, allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (HandSubject(), Sum())
          _ = subject.subscribe(handChain { sum.value &+= $0 })
          for _ in 0..<count { subject.send(1) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (PublishSubject<Int>(), Sum())
          _ = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 || $0 > 0 }.map { $0 &* 2 }.scan(0) { $0 &+ $1 }
            .distinctUntilChanged().subscribe(onNext: { sum.value &+= $0 })
          for _ in 0..<count { subject.onNext(1) }
          return sum.value
        },
        Contender(name: peer) { count in
          let (subject, sum) = (PassthroughSubject<Int, Never>(), Sum())
          let cancellable = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 || $0 > 0 }.map { $0 &* 2 }
            .scan(0) { $0 &+ $1 }.removeDuplicates().sink { sum.value &+= $0 }
          for _ in 0..<count { subject.send(1) }
          withExtendedLifetime(cancellable) {}
          return sum.value
        },
      ]),
    Workload(
      name: "combineLatest of two", count: 1_000_000, expected: { count in 2 * (count - 1) + 2 * count + 1 - count },
      goal: 4,
      allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (a, b, sum) = (HandSubject(), HandSubject(), Sum())
          let latest = HandLatest { _ in sum.value += 1 }
          _ = a.subscribe { latest.sendA($0) }
          _ = b.subscribe { latest.sendB($0) }
          for _ in 0..<count {
            a.send(1)
            b.send(1)
          }
          return sum.value + count
        },
        Contender(name: Workload.ours) { count in
          let (a, b, sum) = (PublishSubject<Int>(), PublishSubject<Int>(), Sum())
          _ = Observable.combineLatest(a, b) { $0 &+ $1 }.subscribe(onNext: { _ in sum.value += 1 })
          for _ in 0..<count {
            a.onNext(1)
            b.onNext(1)
          }
          return sum.value + count
        },
      ]),
  ]
    + serial("merge with a silent one") {
      $0.merge(with: Observable.never())
    }
    + serial("share") {
      $0.share()
    } _: {
      $0.share().eraseToAnyPublisher()
    }
    + inner("flatMap") {
      $0.flatMap { Observable.just($0) }
    } _: {
      $0.flatMap { Just($0) }.eraseToAnyPublisher()
    }
    + inner("flatMapLatest") {
      $0.flatMapLatest { Observable.just($0) }
    } _: {
      $0.map { Just($0) }.switchToLatest().eraseToAnyPublisher()
    }
    + inner("concatMap") {
      $0.concatMap { Observable.just($0) }
    } _: {
      $0.flatMap(maxPublishers: .max(1)) { Just($0) }.eraseToAnyPublisher()
    }
}

/// An operator that serializes its events. The limit is a second subject, to which the first one sends.
private func serial(
  _ name: String, _ ours: @escaping (PublishSubject<Int>) -> Observable<Int>,
  _ theirs: ((PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>)? = nil
) -> [Workload] {
  [
    Workload(
      name: name, count: 1_000_000, expected: { $0 }, goal: nil, allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, second, sum) = (HandSubject(), HandSubject(), Sum())
          _ = subject.subscribe { second.send($0) }
          _ = second.subscribe { sum.value += $0 }
          for _ in 0..<count { subject.send(1) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (PublishSubject<Int>(), Sum())
          _ = ours(subject).subscribe(onNext: { sum.value += $0 })
          for _ in 0..<count { subject.onNext(1) }
          return sum.value
        },
      ]
        + (theirs.map { theirs in
          [
            Contender(name: peer) { count in
              let (subject, sum) = (PassthroughSubject<Int, Never>(), Sum())
              let cancellable = theirs(subject).sink { sum.value += $0 }
              for _ in 0..<count { subject.send(1) }
              withExtendedLifetime(cancellable) {}
              return sum.value
            }
          ]
        } ?? []))
  ]
}

private func inner(
  _ name: String, _ ours: @escaping (PublishSubject<Int>) -> Observable<Int>,
  _ theirs: @escaping (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
) -> [Workload] {
  [
    Workload(
      name: "\(name) of just", count: 1_000_000, expected: { $0 }, goal: 2, allocations: 0,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (HandSubject(), Sum())
          let merge = HandMerge { sum.value += $0 }
          _ = subject.subscribe { merge.send($0) { element in { sink in sink(element) } } }
          for _ in 0..<count { subject.send(1) }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (PublishSubject<Int>(), Sum())
          _ = ours(subject).subscribe(onNext: { sum.value += $0 })
          for _ in 0..<count { subject.onNext(1) }
          return sum.value
        },
        Contender(name: peer) { count in
          let (subject, sum) = (PassthroughSubject<Int, Never>(), Sum())
          let cancellable = theirs(subject).sink { sum.value += $0 }
          for _ in 0..<count { subject.send(1) }
          withExtendedLifetime(cancellable) {}
          return sum.value
        },
      ])
  ]
}

func subscriptions() -> [Workload] {
  [0, 1_000].map { present in
    Workload(
      name: "subscribe + dispose, \(present) present", count: 200_000, expected: { $0 }, goal: 4,
      contenders: [
        Contender(name: Workload.limit) { count in
          let (subject, sum) = (HandSubject(), Sum())
          for _ in 0..<present { _ = subject.subscribe { _ in } }
          for _ in 0..<count {
            subject.remove(subject.subscribe { sum.value += $0 })
            sum.value += 1
          }
          return sum.value
        },
        Contender(name: Workload.ours) { count in
          let (subject, sum) = (PublishSubject<Int>(), Sum())
          for _ in 0..<present { _ = subject.subscribe(onNext: { _ in }) }
          for _ in 0..<count {
            subject.subscribe(onNext: { sum.value += $0 }).dispose()
            sum.value += 1
          }
          return sum.value
        },
        Contender(name: peer) { count in
          let (subject, sum) = (PassthroughSubject<Int, Never>(), Sum())
          let cancellables = (0..<present).map { _ in subject.sink { _ in } }
          for _ in 0..<count {
            subject.sink { sum.value += $0 }.cancel()
            sum.value += 1
          }
          withExtendedLifetime(cancellables) {}
          return sum.value
        },
      ])
  } + [
    Workload(
      name: "20,000 subscribed, disposed first to last", count: 20_000, expected: { $0 }, goal: 3,
      contenders: [
        // A dictionary, as hand-written code for this job would use.
        Contender(name: Workload.limit) { count in
          let subject = HandQueueSubject()
          for id in 0..<count { subject.subscribe(id) { _ in } }
          for id in 0..<count { subject.remove(id) }
          return count - subject.count
        },
        Contender(name: Workload.ours) { count in
          let subject = PublishSubject<Int>()
          let all = (0..<count).map { _ in subject.subscribe(onNext: { _ in }) }
          for subscription in all { subscription.dispose() }
          return subject.hasObservers ? 0 : count
        },
        Contender(name: peer) { count in
          let subject = PassthroughSubject<Int, Never>()
          let all = (0..<count).map { _ in subject.sink { _ in } }
          for cancellable in all { cancellable.cancel() }
          return count
        },
      ])
  ]
}

/// Closures in a dictionary under a lock.
final class HandQueueSubject {
  private let mutex = Mutex()
  private var closures: [Int: (Int) -> Void] = [:]

  var count: Int { closures.count }

  func subscribe(_ id: Int, _ closure: @escaping (Int) -> Void) {
    mutex.withLock { closures[id] = closure }
  }

  func remove(_ id: Int) {
    _ = mutex.withLock { closures.removeValue(forKey: id) }
  }
}
