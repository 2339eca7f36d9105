import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The test passes the effects and the mode of its actions.
private final class BoundaryScreen: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let effects: @Sendable (Int) -> Effect
  let mode: ExecutionMode

  init(
    _ scheduler: any Scheduler, _ mode: ExecutionMode = .parallel,
    effects: @escaping @Sendable (Int) -> Effect
  ) {
    self.effects = effects
    self.mode = mode
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: Int) -> Effect { effects(action) }
  override func executionMode(for action: Int) -> ExecutionMode { mode }
}

// contract 1.10, 2.11: the work that a turn leaves to the next one
@Suite struct TurnBoundaryTests {
  private static let bound = 1_024
  private let add: StateMapper<Int> = { $0 + 1 }

  // contract 2.11: the turn that subscribes to the effect never ends, so no next turn could handle the last request
  @Test(arguments: [10, 1_023, 1_024, 2_000])
  func anEffectThatSendsWithoutEndIsCancelledByItsOwnFold(requests: Int) {
    let (scheduler, ends) = (HandScheduler(), Locked<[Int]>([]))
    let brake = 10_000
    let adder = BoundaryScreen(scheduler) { _ in
      Observable.from(Array(repeating: 1, count: brake)).mutate { $0 += $1 }
    }
    let bag = DisposeBag()
    adder.stateObservable.subscribe(onNext: { [weak adder] state in
      if (1...requests).contains(state) { adder?.cancelActions { _ in false } }
      if state == requests + 1 { adder?.cancelActions { _ in true } }
    }).disposed(by: bag)
    adder.executionObservable.subscribe(onNext: { [weak adder] execution in
      if case .cancelled = execution.phase { ends.mutate { $0.append(adder!.currentState) } }
    }).disposed(by: bag)
    adder.execute(1)
    scheduler.run()
    #expect(ends.value.count == 1)
    #expect(ends.value.first.map { $0 < brake } == true)
    bag.dispose()
  }

  // Before a mapper from its own work the view model folds the mappers that the same effect has sent from elsewhere.
  @Test func theMappersThatAnotherOneTakesAlongCountToo() {
    let (scheduler, source, bag) = (StepScheduler(), PublishSubject<Int>(), DisposeBag())
    let adder = BoundaryScreen(scheduler) { _ in source.mutate { $0 += $1 } }
    adder.execute(1)
    while !scheduler.isEmpty { scheduler.runNext() }
    adder.stateObservable.subscribe(onNext: { if $0 == 1 { source.onNext(1) } }).disposed(by: bag)
    for _ in 0..<2_500 { source.onNext(1) }
    var last = 0
    while !scheduler.isEmpty {
      scheduler.runNext()
      #expect(adder.currentState - last <= Self.bound + 1)
      last = adder.currentState
    }
    #expect(adder.currentState == 2_501)
    bag.dispose()
  }

  // contract 2.11: requests that were made before the turn come before the actions and mappers that wait in a lane
  @Test(arguments: [10, 1_022, 1_023, 1_024, 2_500])
  func noLaneGoesOnBeforeTheRequestsThatCameBeforeTheTurn(requests: Int) {
    let (scheduler, bag, phases) = (HandScheduler(), DisposeBag(), Locked<[String]>([]))
    let adder = BoundaryScreen(scheduler, .sequence) { $0 == 1 ? .never() : .just { $0 + 1 } }
    adder.execute(1)
    adder.execute(2)
    scheduler.run()
    adder.executionObservable.subscribe(onNext: { execution in
      phases.mutate { $0.append("\(execution.action) \(execution.phase)") }
    }).disposed(by: bag)
    adder.cancelActions { $0 == 1 }
    for _ in 0..<requests { adder.cancelActions { _ in false } }
    adder.cancelActions { $0 == 2 }
    scheduler.run()
    #expect(phases.value == ["1 cancelled", "2 cancelled"])
    #expect(adder.currentState == 0)
    bag.dispose()
  }

  @Test(arguments: [10, 1_023, 2_500])
  func noHeldMapperIsFoldedBeforeTheRequestsThatCameBeforeTheTurn(requests: Int) {
    let (scheduler, source) = (HandScheduler(), PublishSubject<Int>())
    let adder = BoundaryScreen(scheduler, .parallelOrdered) { $0 == 1 ? .never() : source.mutate { $0 += $1 } }
    adder.execute(1)
    adder.execute(2)
    scheduler.run()
    for _ in 0..<10 { source.onNext(1) }
    scheduler.run()
    adder.cancelActions { $0 == 1 }
    for _ in 0..<requests { adder.cancelActions { _ in false } }
    adder.cancelActions { $0 == 2 }
    scheduler.run()
    #expect(adder.currentState == 0)
  }

  // contract 2.5, 2.7: both subscriptions exist before the next emission is due
  @Test func aSubscriberFromAnotherThreadDuringAStateSeesTheRest() {
    let (scheduler, bag, seen) = (HandScheduler(), DisposeBag(), Locked<[String]>([]))
    let adder = BoundaryScreen(scheduler) { _ in .just { $0 + 1 } }
    adder.stateObservable.subscribe(onNext: { state in
      if state != 1 { return }
      #expect(
        onOtherThread {
          adder.actionAndStateObservable.subscribe(onNext: { pair in seen.mutate { $0.append("\(pair.state)") } })
            .disposed(by: bag)
          adder.executionObservable.subscribe(onNext: { execution in seen.mutate { $0.append("\(execution.phase)") } })
            .disposed(by: bag)
        })
    }).disposed(by: bag)
    adder.execute(1)
    scheduler.run()
    #expect(seen.value.count == 3)
    #expect(seen.value.first == "1")
    bag.dispose()
  }

  // A mapper ends its own action. The state that it returns does not become the current one, and is released with the action.
  @Test(arguments: [true, false])
  func aStateThatNeverBecomesCurrentIsReleased(isCleared: Bool) {
    final class Holder: RxViewModel<Int, Lifetimes.Object?>, @unchecked Sendable {  // Sendable: it stores one `let`.
      let effect: @Sendable (Holder) -> Effect

      init(
        _ scheduler: any Scheduler, _ effect: @escaping @Sendable (Holder) -> Effect
      ) {
        self.effect = effect
        super.init(scheduler: scheduler)
      }

      override func createInitialState() -> Lifetimes.Object? { nil }
      override func createObservable(_ action: Int) -> Effect { effect(self) }
    }
    let (scheduler, lifetimes) = (HandScheduler(), Lifetimes())
    let holder = Holder(scheduler) { holder in
      .just { [weak holder] _ in
        if isCleared { holder?.clear() } else { holder?.cancelActions { _ in true } }
        return lifetimes.make()
      }
    }
    holder.execute(1)
    scheduler.run()
    #expect(lifetimes.alive == 0)
    withExtendedLifetime(holder) {}
  }
}
