import Testing

@testable import RxViewModel
@testable import TestSupport

// contract 1.4: bags nest
@Suite struct NestedBagTests {
  @Test func theOuterBagDisposesTheContentsOfTheInnerOneOnce() {
    let (outer, inner, count) = (DisposeBag(), DisposeBag(), Locked(0))
    inner.disposed(by: outer)
    for round in 1...2 {
      Disposables.create { count.mutate { $0 += 1 } }.disposed(by: inner)
      if round == 2 { inner.disposed(by: outer) }
      outer.dispose()
      outer.dispose()
      #expect(count.value == round)
    }
  }

  @Test func aBagInItselfNeitherLoopsNorTraps() {
    let (bag, count) = (DisposeBag(), Locked(0))
    bag.disposed(by: bag)
    Disposables.create { count.mutate { $0 += 1 } }.disposed(by: bag)
    bag.dispose()
    #expect(count.value == 1)
  }

  @Test func aDisposedBagCanBeUsedAgain() {
    let (bag, count) = (DisposeBag(), Locked(0))
    bag.dispose()
    Disposables.create { count.mutate { $0 += 1 } }.disposed(by: bag)
    #expect(count.value == 0)
    bag.dispose()
    #expect(count.value == 1)
  }
}

private final class ClearedScreen: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { .empty() }
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) {}
}

// contract 2.13
@Suite struct BagMemberTests {
  private let bag = DisposeBag()
  private let log = Locked<[String]>([])

  private func entry(_ name: String) -> any Disposable {
    Disposables.create { [log] in log.mutate { $0.append(name) } }
  }

  // contract 2.9
  @Test func anActionAfterClearLeavesNoMember() {
    let screen = ClearedScreen()
    screen.clear()
    screen.execute(1, in: bag)
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
}
