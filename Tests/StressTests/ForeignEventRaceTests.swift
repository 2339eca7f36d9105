import Foundation
import RxViewModel
import Testing

@testable import TestSupport

/// A view model whose actions all have the effect that the test passes to it.
private final class Summing: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let effect: Effect

  init(_ effect: Effect) {
    self.effect = effect
    super.init()
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { effect }
}

// contract 2.3: while the view model subscribes to an effect, another thread sends mappers of the same effect. No mapper overtakes an
// earlier one, and none is lost or folded twice.
@Suite(.stress, .serialized) struct ForeignEventRaceTests {
  private static let (rounds, count) = (300, 300)

  private static func round(cancelsAt cancelled: Int?) async -> (sent: [Int], folded: [Int], ends: [String]) {
    let (foreign, begun, over) = (PublishSubject<Int>(), Signal(), Signal())
    let (sent, folded, ends, bag) = (Locked<[Int]>([]), Locked<[Int]>([]), Locked<[String]>([]), DisposeBag())
    let own = Observable<Int>.deferred {
      begun.fire()
      return .from(1...count)
    }
    let summing = Summing(
      Observable.merge([foreign.asObservable(), own]).map { number in
        sent.mutate { $0.append(number) }
        return { state in
          folded.mutate { $0.append(number) }
          return state + 1
        }
      })
    summing.executionObservable.subscribe(onNext: { execution in
      switch execution.phase {
      case .waiting, .started, .emitted: return
      case .completed: ends.mutate { $0.append("completed") }
      case .cancelled: ends.mutate { $0.append("cancelled") }
      case .failed, .dropped: ends.mutate { $0.append("other") }
      }
      over.fire()
    }).disposed(by: bag)
    await onThread {
      summing.execute(0)
      #expect(begun.wait())
      for number in 1...count {
        foreign.onNext(-number)
        if number == cancelled { summing.cancelActions { _ in true } }
      }
      foreign.onCompleted()
      #expect(over.wait())
    }
    // The cancellation may come between the call of a mapper and the commit of its state.
    let dropped = folded.value.count - summing.currentState
    #expect(dropped == 0 || cancelled != nil && dropped == 1)
    bag.dispose()
    return (sent.value, folded.value, ends.value)
  }

  @Test func theMappersOfTwoThreadsAreFoldedInTheirOrder() async {
    for _ in 0..<Self.rounds {
      let (sent, folded, ends) = await Self.round(cancelsAt: nil)
      #expect(sent.count == 2 * Self.count)
      #expect(folded == sent)
      #expect(ends == ["completed"])
    }
  }

  // contract 2.11: the mappers after the cancellation are not folded.
  @Test func onlyTheMappersBeforeACancellationAreFolded() async {
    for round in 0..<Self.rounds {
      let (sent, folded, ends) = await Self.round(cancelsAt: 1 + round % Self.count)
      #expect(sent.starts(with: folded))
      #expect(ends == ["cancelled"])
    }
  }
}
