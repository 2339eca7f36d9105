import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private final class Sum: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let source = PublishSubject<Int>()

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    action == 0 ? source.mutate { $0 += $1 } : action < 0 ? .never() : .mutate { $0 += action }
  }
}

// contract 1.10: a turn handles at most 1,024 pieces of the work that waited when it began, and then yields
@Suite struct TurnTests {
  private static let bound = 1_024

  enum Flood: CaseIterable {
    case actions, mappers, both
  }

  private static func flood(_ sum: Sum, _ flood: Flood, _ count: Int) {
    for number in 0..<count {
      if flood == .actions || flood == .both && number % 2 == 0 { sum.execute(1) } else { sum.source.onNext(1) }
    }
  }

  @Test(arguments: Flood.allCases)
  func otherWorkOfTheSchedulerComesBetweenTheTurnsOfAFlood(flood: Flood) {
    let scheduler = StepScheduler()
    let (sum, states, count) = (Sum(scheduler: scheduler), Locked<[Int]>([]), 2_500)
    sum.execute(0)
    scheduler.runNext()
    Self.flood(sum, flood, count)
    // Each piece of other work schedules the next one, as a view does.
    @Sendable func look() {
      states.mutate { $0.append(sum.currentState) }
      if sum.currentState < count { scheduler.schedule { look() } }
    }
    scheduler.schedule { look() }
    while !scheduler.isEmpty { scheduler.runNext() }
    #expect(sum.currentState == count)
    let steps = zip(states.value, states.value.dropFirst()).map { $1 - $0 }
    #expect(states.value.first! > 0)
    #expect(([states.value.first!] + steps).allSatisfy { $0 <= Self.bound })
    #expect(states.value.count <= count / Self.bound + 2)
  }

  @Test func theMainQueueStaysUsableUnderAFlood() async {
    let (seen, done) = (Locked<[Int]>([]), Signal())
    let sum = Sum(scheduler: DispatchQueue.main)
    DispatchQueue.main.async {
      for _ in 0..<2_500 { sum.execute(1) }
      DispatchQueue.main.async {
        seen.mutate { $0.append(sum.currentState) }
        DispatchQueue.main.async {
          seen.mutate { $0.append(sum.currentState) }
        }
      }
    }
    let subscription = sum.stateObservable.subscribe(onNext: { if $0 == 2_500 { done.fire() } })
    #expect(await onThread { done.wait() })
    #expect(seen.value[0] <= Self.bound)
    #expect(seen.value[1] <= 2 * Self.bound)
    subscription.dispose()
  }

  @Test(arguments: ["state", "completed"])
  func aTurnDoesNotHandleInputsThatArriveDuringIt(place: String) {
    let (scheduler, bag) = (StepScheduler(), DisposeBag())
    let sum = Sum(scheduler: scheduler)
    let next: @Sendable () -> Void = { [weak sum] in
      if let sum, sum.currentState < 100 { sum.execute(1) }
    }
    if place == "state" { sum.stateObservable.subscribe(onNext: { if $0 > 0 { next() } }).disposed(by: bag) }
    sum.executionObservable.subscribe(onNext: { execution in
      if place == "completed", case .completed = execution.phase { next() }
    }).disposed(by: bag)
    sum.execute(1)
    scheduler.runNext()
    #expect(sum.currentState == 1)
    scheduler.runNext()
    #expect(sum.currentState == 2)
    while !scheduler.isEmpty { scheduler.runNext() }
    #expect(sum.currentState == 100)
    bag.dispose()
  }

  // However many inputs wait, one turn is scheduled for them.
  @Test func waitingInputsScheduleOneTurn() {
    let scheduler = StepScheduler()
    let sum = Sum(scheduler: scheduler)
    sum.execute(0)
    scheduler.runNext()
    for _ in 0..<10 {
      sum.execute(1)
      sum.source.onNext(1)
      sum.cancelActions { _ in false }
    }
    scheduler.runNext()
    #expect(sum.currentState == 20)
    #expect(scheduler.isEmpty)
  }

  // Cancelled actions count in a turn too.
  @Test func aFloodOfCancelledActionsYields() {
    let (scheduler, bag, ends) = (StepScheduler(), DisposeBag(), Locked(0))
    let sum = Sum(scheduler: scheduler)
    // For each cancellation the observer executes and cancels another action, 1,500 in all.
    sum.executionObservable.subscribe(onNext: { [weak sum] execution in
      guard case .cancelled = execution.phase else { return }
      let count = ends.mutate { ends in
        ends += 1
        return ends
      }
      if count >= 1_500 { return }
      sum?.execute(count + 1)
      sum?.cancelActions { $0 == count + 1 }
    }).disposed(by: bag)
    sum.execute(1)
    sum.cancelActions { $0 == 1 }
    scheduler.runNext()
    #expect(ends.value <= Self.bound)
    while !scheduler.isEmpty { scheduler.runNext() }
    #expect(ends.value == 1_500)
    #expect(sum.currentState == 0)
    bag.dispose()
  }
}
