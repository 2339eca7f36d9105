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
    let lifetimes = Lifetimes()
    let hasReturned = await whileFlooded { numbers in
      for _ in 0..<300 {
        let follower = Follower(numbers, lifetimes.make())
        if follower.currentState < 0 { Issue.record("the initial state lacks what the subject replays") }
      }
      #expect(lifetimes.waitForNone())
    }
    #expect(hasReturned)
  }

  // contract 1.5: each of them gets every number from its first one on
  @Test func eachSubscribeReturns() async {
    let (gaps, bag) = (Locked(0), DisposeBag())
    let hasReturned = await whileFlooded { numbers in
      for _ in 0..<100 {
        let last = Locked<Int?>(nil)
        numbers.subscribe(onNext: { number in
          if let last = last.mutate({ last in
            defer { last = number }
            return last
          }), number != last + 1 {
            gaps.increment()
          }
        }).disposed(by: bag)
      }
      bag.dispose()
    }
    #expect(hasReturned && gaps.value == 0)
  }

  /// Runs `body` while a thread sends to a subject without a pause, beside two busy threads. False if one does not end within the bound.
  private func whileFlooded(_ body: @escaping @Sendable (BehaviorSubject<Int>) -> Void) async -> Bool {
    let (numbers, isOver) = (BehaviorSubject(value: 0), Locked(false))
    async let haveEnded = finish(
      {
        var number = 0
        while !isOver.value {
          number += 1
          numbers.onNext(number)
        }
      }, { while !isOver.value {} }, { while !isOver.value {} })
    let hasReturned = await finish { body(numbers) }
    isOver.mutate { $0 = true }
    let haveAllEnded = await haveEnded
    #expect(!numbers.hasObservers)
    return hasReturned && haveAllEnded
  }
}
