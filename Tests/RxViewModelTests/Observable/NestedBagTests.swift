import RxViewModel
import Testing

// contract 1.4: bags nest
@Suite struct NestedBagTests {
  @Test func theOuterBagDisposesWhatTheInnerHoldsOnce() {
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

  @Test func aBagThatHasBeenDisposedHoldsAgain() {
    let (bag, count) = (DisposeBag(), Locked(0))
    bag.dispose()
    Disposables.create { count.mutate { $0 += 1 } }.disposed(by: bag)
    #expect(count.value == 0)
    bag.dispose()
    #expect(count.value == 1)
  }
}
