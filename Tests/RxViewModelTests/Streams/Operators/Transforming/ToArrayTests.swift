import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

@Suite struct ToArrayTests {
  private func collected(_ source: [Recorded<Int>]) -> [Recorded<[Int]>] {
    outcome(of: source) { source, _ in source.toArray() }
  }

  @Test func theElementsComeWithTheCompletion() {
    #expect(
      collected(events([10: 1, 20: 2, 30: 3], completed: 40)) == events([40: [1, 2, 3]], completed: 40))
    #expect(collected(events([:], completed: 5)) == events([5: []], completed: 5))
  }

  @Test func anErrorDropsTheCollectedElements() {
    #expect(collected(events([10: 1], error: 20)) == events([:], error: 20))
  }

  // contract 1.8
  @Test func eachSubscriptionStartsAfresh() {
    let stream = Observable.of(1, 2).toArray()
    #expect(stream.test().values == [[1, 2]])
    #expect(stream.test().values == [[1, 2]])
  }
}
