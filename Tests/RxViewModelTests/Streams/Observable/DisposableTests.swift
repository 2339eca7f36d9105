import Testing

@testable import RxViewModel
@testable import TestSupport

struct DisposableTests {
  private let log = Locked<[Int]>([])

  private func entry(_ number: Int) -> any Disposable {
    Disposables.create { [log] in log.append(number) }
  }

  // contract 1.4
  @Test func actionsRunOnceAndAreReleased() {
    let lifetimes = Lifetimes()
    let disposable: any Disposable
    do {
      let object = lifetimes.make()
      disposable = Disposables.create { [log] in
        object.touch()
        log.append(1)
      }
    }
    disposable.dispose()
    disposable.dispose()
    #expect(log.value == [1] && lifetimes.alive == 0)
    Disposables.create().dispose()
  }

  @Test func serialDisposesTheReplacedDisposableAndSeveralAreDisposedInOrder() {
    let serial = SerialDisposable()
    serial.replace(with: entry(1))
    serial.replace(with: Disposables.create(entry(2), entry(3), entry(4)))
    #expect(log.value == [1])
    serial.dispose()
    serial.replace(with: entry(5))
    #expect(log.value == [1, 2, 3, 4, 5])
  }

  // contract 1.4
  @Test func aBagDisposesAndCanBeUsedAgain() {
    var bag: DisposeBag? = DisposeBag()
    entry(1).disposed(by: bag!)
    entry(2).disposed(by: bag!)
    bag!.dispose()
    #expect(log.value == [1, 2])
    entry(3).disposed(by: bag!)
    bag!.dispose()
    #expect(log.value == [1, 2, 3])
    entry(4).disposed(by: bag!)
    bag = nil
    #expect(log.value == [1, 2, 3, 4])
  }

  // contract 1.3: the bag holds no lock while a dispose action disposes the bag and inserts into it
  @Test func aBagMayBeUsedFromInsideItsDisposals() {
    let bag = DisposeBag()
    Disposables.create { [log] in
      bag.dispose()
      Disposables.create { log.append(1) }.disposed(by: bag)
    }.disposed(by: bag)
    bag.dispose()
    #expect(log.value == [])
    bag.dispose()
    #expect(log.value == [1])
  }

  // contract 1.4
  @Test func anOuterBagDisposesTheContentsOfTheInnerOneOnce() {
    let (outer, inner) = (DisposeBag(), DisposeBag())
    inner.disposed(by: outer)
    for round in 1...2 {
      entry(round).disposed(by: inner)
      if round == 2 { inner.disposed(by: outer) }
      outer.dispose()
      outer.dispose()
      #expect(log.value == Array(1...round))
    }
  }

  // contract 1.4
  @Test func aBagInItselfNeitherLoopsNorTraps() {
    let bag = DisposeBag()
    bag.disposed(by: bag)
    entry(1).disposed(by: bag)
    bag.dispose()
    #expect(log.value == [1])
  }
}

// contract 2.13
struct BagMemberTests {
  private let bag = DisposeBag()
  private let log = Locked<[String]>([])

  private func entry(_ name: String) -> any Disposable {
    Disposables.create { [log] in log.append(name) }
  }

  // contract 2.9
  @Test func anActionAfterClearLeavesNoMember() {
    let screen = Screen()
    screen.clear()
    screen.execute(Step("late"), in: bag)
    #expect(bag.ifOpen { $0.isEmpty } == true)
  }

  @Test func aMemberThatHasEndedLeavesAndTheOthersKeepTheirOrder() {
    let keys = (0..<5).map { number in
      let key = bag.ifOpen { $0.insert(entry("member \(number)")) }
      bag.insert(entry("after it"))
      return key!
    }
    for index in [3, 0, 2, 3] { _ = bag.ifOpen { $0.remove(keys[index]) } }
    bag.dispose()
    #expect(log.value == ["after it", "member 1", "after it", "after it", "after it", "member 4", "after it"])
  }

  // The entry of a view model that leaves late would remove another one.
  @Test func noKeyIsUsedAgainAfterADispose() {
    let key = bag.ifOpen { $0.insert(entry("first")) }!
    bag.dispose()
    bag.insert(entry("second"))
    _ = bag.ifOpen { $0.remove(key) }
    bag.dispose()
    #expect(log.value == ["first", "second"])
  }

  @Test func theGapsOfManyMembersAreClosed() {
    bag.insert(entry("stays"))
    let keys = (0..<1_000).map { _ in bag.ifOpen { $0.insert(entry("gone")) }! }
    for key in keys.reversed() { _ = bag.ifOpen { $0.remove(key) } }
    bag.insert(entry("comes"))
    bag.dispose()
    #expect(log.value == ["stays", "comes"])
  }

  // The view model would keep an entry for each screen that it has ever had.
  @Test func theEndOfABagLeavesNothingInTheViewModel() {
    let screen = Screen()
    for _ in 0..<100 { screen.execute(Step("ends with its bag"), in: DisposeBag()) }
    #expect(screen.engine.shared.withLock { $0.scopes.isEmpty })
  }
}

// contract 1.4
struct ReleasedSubjectTests {
  // `asObservable` retains the subject, and `core.stream` doesn't.
  @Test func aSubjectThatIsReleasedDuringADeliveryReleasesItsBuffer() {
    let lifetimes = Lifetimes()
    let subject = Locked<BehaviorSubject<Lifetimes.Object>?>(BehaviorSubject(value: lifetimes.make()))
    let core = subject.value!.core
    let subscription = core.stream.skip(1).subscribe(onNext: { _ in subject.mutate { $0 = nil } })
    core.send(lifetimes.make())
    #expect(subject.value == nil)
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  // Nothing disposes these subscriptions.
  @Test(arguments: ["get", "get, set", "initial, then"]) func aPropertyThatIsGoneReleasesItsSubscribers(_ kind: String)
  {
    let (lifetimes, seen) = (Lifetimes(), Locked<[Int]>([]))
    do {
      let source = PublishSubject<Int>()
      do {
        let object = lifetimes.make()
        let property =
          switch kind {
          case "get": Property(get: { 0 })
          case "get, set": MutableProperty(get: { 0 }, set: { _ in }).readOnly
          default: Property(initial: 0, then: source)
          }
        _ = property.asObservable().subscribe(onNext: { number in
          object.touch()
          seen.append(number)
        })
      }
      source.onNext(1)
    }
    #expect(seen.value == (kind == "initial, then" ? [0, 1] : [0]))
    #expect(lifetimes.alive == 0)
  }
}
