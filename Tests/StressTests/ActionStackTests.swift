import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1.6, 2.8: actions that follow from one another need no stack, however many they are
@Suite(.stress) struct ActionStackTests {
  private typealias Numbers = ClosureViewModel<Int, Int>

  private static let many = 20_000

  private func onSmallStack(_ body: @escaping @Sendable () -> Int) async -> Int {
    await onThread(stackSize: smallStack, body)
  }

  @Test func aHundredThousandActionsThatAreExecutedInCallbacks() async {
    let end = await onSmallStack {
      let counter = Numbers(0, scheduler: ImmediateScheduler()) { _, _ in .mutate { $0 += 1 } }
      let subscription = counter.stateObservable.subscribe(onNext: { if $0 < 100_000 { counter.execute(0) } })
      subscription.dispose()
      return counter.currentState
    }
    #expect(end == 100_000)
  }

  @Test(arguments: [ExecutionMode.sequence, .parallelOrdered, .parallelDeferred])
  func aLongLane(mode: ExecutionMode) async {
    let length = await onSmallStack {
      let (scheduler, gate) = (TestScheduler(), PublishSubject<Int>())
      let numbers = Numbers(0, scheduler: scheduler) { _, action in
        action == 0 ? gate.mutate { $0 += $1 } : .mutate { $0 += 1 }
      }
      for number in 0..<Self.many { numbers.execute(number, mode: mode) }
      scheduler.run()
      gate.onCompleted()
      scheduler.run()
      return numbers.currentState
    }
    #expect(length == Self.many - 1)
  }

  // Each action ends the next one: in `handleError`, or when its effect is disposed.
  @Test(arguments: [true, false]) func actionsThatEndEachOther(isInHandleError: Bool) async {
    let ended = await onSmallStack {
      let subjects = (0...Self.many).map { _ in PublishSubject<StateMapper<Int>>() }
      @Sendable func end(_ number: Int) {
        if isInHandleError {
          subjects[number].onError(TestError())
        } else {
          subjects[number].onNext { _ in throw TestError() }
        }
      }
      let scheduler = TestScheduler()
      let numbers = Numbers(0, scheduler: scheduler) { _, action in
        isInHandleError ? subjects[action].asObservable() : subjects[action].do(onDispose: { end(action + 1) })
      } overrides: {
        $0.handles = { _, _, action in
          if isInHandleError, let action { end(action + 1) }
          return true
        }
      }
      let ends = numbers.executionObservable.filter { if case .started = $0.phase { false } else { true } }.test()
      for number in 0..<Self.many { numbers.execute(number) }
      scheduler.run()
      end(0)
      scheduler.run()
      return ends.values.count
    }
    #expect(ended == Self.many)
  }

  // contract 2.11: an observer of `cancelled` sends mappers, and cancels the next action, which waits in the queue or which it executes.
  @Test(arguments: [2_500, 1]) func actionsThatAreCancelledInCallbacks(queued: Int) async {
    let count = queued == 1 ? Self.many : queued
    let ended = await onSmallStack {
      let (scheduler, source, bag) = (TestScheduler(), PublishSubject<Int>(), DisposeBag())
      let numbers = Numbers(0, scheduler: scheduler) { _, action in action == 0 ? source.mutate { $0 += $1 } : .never()
      }
      numbers.execute(0)
      scheduler.run()
      let ends = Locked(0)
      numbers.executionObservable.subscribe(onNext: { [weak numbers] execution in
        guard case .cancelled = execution.phase, let numbers else { return }
        let next = execution.action + 1
        ends.mutate { $0 += 1 }
        for _ in 0..<2 { source.onNext(1) }
        if next > count { return }
        if next > queued { numbers.execute(next) }
        numbers.cancelActions { $0 == next }
      }).disposed(by: bag)
      for number in 1...queued { numbers.execute(number) }
      numbers.cancelActions { $0 == 1 }
      scheduler.run()
      bag.dispose()
      #expect(numbers.currentState == 2 * count)
      return ends.value
    }
    #expect(ended == count)
  }
}
