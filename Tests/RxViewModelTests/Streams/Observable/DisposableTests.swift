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
    let member = entry("member")
    #expect(bag.member(of: ObjectIdentifier(screen.engine), insteadOf: nil) { member } === member)
  }

  @Test func aMemberThatHasEndedLeavesAndTheOthersKeepTheirOrder() {
    let owners = (0..<5).map { _ in PublishSubject<Int>() }
    let members = owners.indices.map { entry("member \($0)") }
    for (owner, member) in zip(owners, members) {
      #expect(bag.member(of: ObjectIdentifier(owner), insteadOf: nil) { member } === member)
      bag.insert(entry("after it"))
    }
    for index in [3, 0, 2, 3] { bag.removeMember(members[index], of: ObjectIdentifier(owners[index])) }
    for index in [1, 4] {
      #expect(bag.member(of: ObjectIdentifier(owners[index]), insteadOf: nil) { entry("new") } === members[index])
    }
    bag.dispose()
    #expect(log.value == ["after it", "member 1", "after it", "after it", "after it", "member 4", "after it"])
  }

  @Test func onlyTheMemberItselfIsRemoved() {
    let (owner, first, second) = (PublishSubject<Int>(), entry("first"), entry("second"))
    let id = ObjectIdentifier(owner)
    _ = bag.member(of: id, insteadOf: nil) { first }
    _ = bag.member(of: id, insteadOf: first) { second }
    bag.removeMember(first, of: id)
    #expect(bag.member(of: id, insteadOf: nil) { entry("third") } === second)
    bag.dispose()
    #expect(log.value == ["second"])
  }

  @Test func theGapsOfManyMembersAreClosed() {
    let owners = (0..<1_000).map { _ in PublishSubject<Int>() }
    let members = owners.map { _ in entry("gone") }
    bag.insert(entry("stays"))
    for (owner, member) in zip(owners, members) {
      _ = bag.member(of: ObjectIdentifier(owner), insteadOf: nil) { member }
    }
    for (owner, member) in zip(owners, members).reversed() { bag.removeMember(member, of: ObjectIdentifier(owner)) }
    bag.insert(entry("comes"))
    bag.dispose()
    #expect(log.value == ["stays", "comes"])
  }

  @Test func aReplacedMemberIsReleased() {
    let (owner, lifetimes) = (DisposeBag(), Lifetimes())
    func member() -> any Disposable {
      let object = lifetimes.make()
      return Disposables.create { object.touch() }
    }
    var last: (any Disposable)?
    for _ in 0..<100 { last = bag.member(of: ObjectIdentifier(owner), insteadOf: last, member) }
    #expect(lifetimes.alive == 1)
    bag.removeMember(last!, of: ObjectIdentifier(owner))
    last = nil
    #expect(lifetimes.alive == 0)
  }
}
