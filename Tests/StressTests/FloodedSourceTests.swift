import RxViewModel
import Testing

@testable import TestSupport

// contract 1.10, 2.9, 2.17: a source that another thread floods, beside two busy threads
@Suite(.stress, .serialized, .ownThread) struct FloodedSourceTests {
  // Sendable: it stores only `let`s.
  private final class Follower: RxViewModel<Never, Int>, @unchecked Sendable {
    private let numbers: BehaviorSubject<Int>
    private let object: Lifetimes.Object

    init(_ numbers: BehaviorSubject<Int>, _ object: Lifetimes.Object) {
      (self.numbers, self.object) = (numbers, object)
      super.init()
    }

    override func createInitialState() -> Int { -1 }
    override func createSources() -> [Effect] { [numbers.mutate { $0 = $1 }] }
  }

  @Test func eachInitReturnsAndEachViewModelGoes() async {
    let (numbers, isOver, lifetimes) = (BehaviorSubject(value: 0), Locked(false), Lifetimes())
    async let haveEnded = finish(
      {
        var number = 0
        while !isOver.value {
          number += 1
          numbers.onNext(number)
        }
      }, { while !isOver.value {} }, { while !isOver.value {} })
    let haveReturned = await finish {
      for _ in 0..<300 {
        let follower = Follower(numbers, lifetimes.make())
        if follower.currentState < 0 { Issue.record("the initial state lacks what the subject replays") }
      }
    }
    let haveGone = await onThread { lifetimes.waitForNone() }
    isOver.mutate { $0 = true }
    #expect(haveReturned)
    #expect(haveGone)
    #expect(await haveEnded)
    #expect(!numbers.hasObservers)
  }
}
