import Testing

@testable import RxViewModel
@testable import TestSupport

@Suite struct DisposableTests {
  // contract 2.13
  @Test func aBagReleasesTheMemberOfAnOwnerThatItReplaces() {
    let (bag, owner, lifetimes) = (DisposeBag(), DisposeBag(), Lifetimes())
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

  // contract 1.4
  @Test func actionsRunOnceAndAreReleased() {
    let (count, lifetimes) = (Locked(0), Lifetimes())
    let disposable: any Disposable
    do {
      let object = lifetimes.make()
      disposable = Disposables.create {
        object.touch()
        count.mutate { $0 += 1 }
      }
    }
    disposable.dispose()
    disposable.dispose()
    #expect(count.value == 1)
    #expect(lifetimes.alive == 0)
    Disposables.create().dispose()
  }

  @Test func severalAreDisposedInOrder() {
    let order = Locked<[Int]>([])
    func make(_ number: Int) -> any Disposable { Disposables.create { order.mutate { $0.append(number) } } }
    Disposables.create(make(1), make(2), make(3)).dispose()
    #expect(order.value == [1, 2, 3])
  }

  // contract 1.4
  @Test func releasingDoesNotDispose() {
    let count = Locked(0)
    do { _ = Disposables.create { count.mutate { $0 += 1 } } }
    #expect(count.value == 0)
  }

  @Test func serialDisposesTheReplacedDisposable() {
    let order = Locked<[Int]>([])
    func make(_ number: Int) -> any Disposable { Disposables.create { order.mutate { $0.append(number) } } }
    let serial = SerialDisposable()
    serial.replace(with: make(1))
    serial.replace(with: make(2))
    #expect(order.value == [1])
    serial.dispose()
    serial.replace(with: make(3))
    #expect(order.value == [1, 2, 3])
  }

  // contract 1.4
  @Test func bagDisposesAndCanBeUsedAgain() {
    let order = Locked<[Int]>([])
    func make(_ number: Int) -> any Disposable { Disposables.create { order.mutate { $0.append(number) } } }
    var bag: DisposeBag? = DisposeBag()
    make(1).disposed(by: bag!)
    make(2).disposed(by: bag!)
    bag!.dispose()
    #expect(order.value == [1, 2])
    make(3).disposed(by: bag!)
    bag!.dispose()
    #expect(order.value == [1, 2, 3])
    make(4).disposed(by: bag!)
    bag = nil
    #expect(order.value == [1, 2, 3, 4])
  }

  // contract 1.3: the bag holds no lock while a dispose action disposes the bag and inserts into it
  @Test func bagMayBeUsedFromInsideItsDisposals() {
    let (bag, count) = (DisposeBag(), Locked(0))
    Disposables.create {
      bag.dispose()
      Disposables.create { count.mutate { $0 += 1 } }.disposed(by: bag)
    }.disposed(by: bag)
    bag.dispose()
    #expect(count.value == 0)
    bag.dispose()
    #expect(count.value == 1)
  }
}
