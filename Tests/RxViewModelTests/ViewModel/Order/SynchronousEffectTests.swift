import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.3: the view model folds the mappers that an effect sends while it is being subscribed before the effect continues
struct SynchronousEffectTests {
  enum End: CaseIterable {
    case mapper, state, otherThread, clear, clearOnOtherThread, error
  }

  /// Ends an action at the hundredth of its numbers. Action 1 follows.
  private func finalState(_ end: End, _ mode: ExecutionMode, isHeld: Bool = false) -> Int {
    let (scheduler, bag) = (TestScheduler(), DisposeBag())
    let numbers = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { numbers, action in
      if action != 0 { return action > 0 ? .mutate { $0 += action } : .never() }
      return Observable.from(1...Int.max).do(onNext: { number in
        guard number == 100 else { return }
        switch end {
        case .otherThread: onOtherThread { numbers.cancelActions { $0 == 0 } }
        case .clear: numbers.clear()
        case .clearOnOtherThread: onOtherThread { numbers.clear() }
        case .mapper, .state, .error: break
        }
      }).mutate { state, number in
        if number == 100, end == .error { throw TestError() }
        if number == 100, end == .mapper { numbers.cancelActions { $0 == 0 } }
        state = number
      }
    }
    numbers.stateObservable.subscribe(onNext: { [weak numbers] state in
      if state == 100, end == .state { numbers?.cancelActions { $0 == 0 } }
    }).disposed(by: bag)
    if isHeld { numbers.execute(-1, mode: mode) }
    numbers.execute(0, mode: mode)
    numbers.execute(1)
    scheduler.run()
    bag.dispose()
    return numbers.currentState
  }

  // contract 2.11
  @Test(arguments: End.allCases, [ExecutionMode.parallel, .parallelOrdered, .sequence])
  func anEndlessEffectStopsWhenItsActionEnds(end: End, mode: ExecutionMode) async {
    let hasReturned = await finish {
      let expected =
        switch end {
        case .clear, .clearOnOtherThread: 99
        case .mapper, .otherThread, .error: 100
        case .state: 101
        }
      #expect(finalState(end, mode) == expected)
    }
    #expect(hasReturned)
  }

  // The mappers wait for an earlier ordered action, so the view model makes no fold at which it would notice the end.
  @Test(arguments: [(End.otherThread, 1), (.clearOnOtherThread, 0)])
  func anEndlessEffectWhoseMappersWaitStops(end: End, expected: Int) async {
    let hasReturned = await finish { #expect(finalState(end, .parallelOrdered, isHeld: true) == expected) }
    #expect(hasReturned)
  }

  #if os(Linux)
    // The test measures in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func aMillionMappersOfOneEffectTakeNoMemory() async {
      await #expect(processExitsWith: .success) {
        #if DEBUG
          let million = 100_000
        #else
          let million = 1_000_000
        #endif
        let numbers = ClosureViewModel<Int, Int>(0, scheduler: ImmediateScheduler()) { _, _ in
          .create { observer in
            let mapper: StateMapper<Int> = { $0 + 1 }
            checkGrowth(below: 4_096, from: 1_000, to: million) { for _ in 0..<$0 { observer.onNext(mapper) } }
            return Disposables.create()
          }
        }
        numbers.execute(0)
        precondition(numbers.currentState == million + 1_000)
      }
    }
  #endif
}
