import RxViewModel
import RxViewModelTesting
import Testing

@Suite struct MapTests {
  @Test func mapFilterCompactMapScan() {
    let source = Observable.from(1...4)
    #expect(source.map { $0 * 10 }.test().values == [10, 20, 30, 40])
    #expect(source.filter { $0 % 2 == 0 }.test().values == [2, 4])
    #expect(source.compactMap { $0 > 2 ? "\($0)" : nil }.test().values == ["3", "4"])
    // contract 1: scan does not emit its seed
    #expect(source.scan(100, +).test().values == [101, 103, 106, 110])
    #expect(Observable.of(1, 1, 2, 2, 1).distinctUntilChanged().test().values == [1, 2, 1])
    #expect(Observable.of(1, 3, 2).distinctUntilChanged { $0 % 2 == $1 % 2 }.test().values == [1, 2])
    #expect(source.startWith(8, 9).test().values == [8, 9, 1, 2, 3, 4])
  }

  // contract 1.8
  @Test func stateIsPerSubscription() {
    let sums = Observable.from(1...3).scan(0, +).distinctUntilChanged()
    #expect(sums.test().values == [1, 3, 6])
    #expect(sums.test().values == [1, 3, 6])
  }
}
