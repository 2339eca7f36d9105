import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

// contract 1.10: between two pieces of other work of the main queue, the turns of a view model on a `MainScheduler` handle at most 1,024
// pieces of work
@MainActor
@Suite struct MainSchedulerTurnTests {
  private let looks = Locked<[Int]>([])
  private let count = WaitingWork.count

  /// Reads the state until all actions have been folded. Each read enqueues the next one on the main queue, as a view does.
  private func look(at adder: Adder) {
    let (looks, count) = (looks, count)
    @Sendable func look() {
      looks.mutate { $0.append(adder.currentState) }
      if adder.currentState < count { DispatchQueue.main.async { look() } }
    }
    DispatchQueue.main.async { look() }
  }

  // All of the actions wait when the first turn begins.
  @Test func theFirstTurnIsBounded() async {
    let adder = Adder(scheduler: MainScheduler())
    onOtherThread { for _ in 0..<WaitingWork.count { adder.execute(.add) } }
    look(at: adder)
    await settle { looks.value.last == count }
    #expect(adder.currentState == count)
    #expect(WaitingWork.mostBetween(looks.value) <= WaitingWork.bound)
  }

  // The main actor ends the action for which the others wait, so the first of them run inside this call.
  @Test(arguments: WaitingWork.allCases)
  func workThatWaitedInALaneYields(waiting: WaitingWork) async {
    let adder = Adder(scheduler: MainScheduler())
    adder.execute(waiting)
    #expect(adder.currentState == 0)
    look(at: adder)
    adder.gate.onCompleted()
    #expect(adder.currentState <= WaitingWork.bound)
    await settle { looks.value.last == count }
    #expect(adder.currentState == count)
    #expect(WaitingWork.mostBetween(looks.value) <= WaitingWork.bound)
  }
}
