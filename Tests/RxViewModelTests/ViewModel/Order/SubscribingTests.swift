import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// An endless sequence of numbers.
private struct Endless: Sequence, IteratorProtocol, Sendable {
  private var number = 0
  let reached: @Sendable (Int) -> Void

  init(_ reached: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.reached = reached
  }

  mutating func next() -> Int? {
    number += 1
    reached(number)
    return number
  }
}

/// The test passes the effect of its action 0.
private final class Numbers: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let effect: @Sendable () -> Effect

  init(scheduler: any Scheduler, _ effect: @escaping @Sendable () -> Effect) {
    self.effect = effect
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    action == 0 ? effect() : action < 0 ? .never() : .mutate { $0 += action }
  }

  /// The tests provoke errors that no subscriber receives, and the default would write a line for each.
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) {}
}

// contract 2.3: the view model folds at once the mappers that an effect sends while it is being subscribed
@Suite struct SubscribingTests {
  @Test func eachMapperIsFoldedBeforeTheNextIsSent() {
    let (scheduler, states) = (TestScheduler(), Locked<[Int]>([]))
    let numbers = Locked<Weak<Numbers>?>(nil)
    let made = Numbers(scheduler: scheduler) {
      .create { observer in
        for _ in 0..<3 {
          observer.onNext { $0 + 1 }
          states.mutate { $0.append(numbers.value!.object!.currentState) }
        }
        return Disposables.create()
      }
    }
    numbers.mutate { $0 = Weak(object: made) }
    made.execute(0)
    scheduler.run()
    #expect(states.value == [1, 2, 3])
  }

  enum Canceller: CaseIterable {
    case mapper, state, otherThread, clear, clearFromOtherThread
  }

  @Test(arguments: Canceller.allCases, [ExecutionMode.parallel, .parallelOrdered, .sequence])
  func anEndlessEffectStopsWhenItsActionIsCancelled(canceller: Canceller, mode: ExecutionMode) async {
    let hasReturned = await finish {
      let (scheduler, bag, box) = (TestScheduler(), DisposeBag(), Locked<Weak<Numbers>?>(nil))
      @Sendable func end(_ place: Canceller) {
        if place != canceller { return }
        box.value?.object?.cancelActions { $0 == 0 }
      }
      let numbers = Numbers(scheduler: scheduler) {
        Observable.from(
          Endless { number in
            guard number == 100 else { return }
            switch canceller {
            case .otherThread: onOtherThread { end(.otherThread) }
            case .clear: box.value?.object?.clear()
            case .clearFromOtherThread: onOtherThread { box.value?.object?.clear() }
            case .mapper, .state: break
            }
          }
        ).mutate { state, number in
          state = number
          if number == 100 { end(.mapper) }
        }
      }
      box.mutate { $0 = Weak(object: numbers) }
      numbers.stateObservable.subscribe(onNext: { if $0 == 100 { end(.state) } }).disposed(by: bag)
      numbers.execute(0, mode: mode)
      numbers.execute(1)
      scheduler.run()
      bag.dispose()
      switch canceller {
      case .clear, .clearFromOtherThread: #expect(numbers.currentState == 99)
      case .mapper: #expect(numbers.currentState == 100)
      case .state: #expect(numbers.currentState == 101)
      case .otherThread: #expect(numbers.currentState == 100)
      }
    }
    #expect(hasReturned)
  }

  // The mappers wait for an earlier ordered action, so the view model makes no fold at which it would see the cancellation.
  @Test(arguments: ["cancelled", "cleared"])
  func anEndlessEffectWhoseMappersWaitStopsWhenItsActionIsCancelled(how: String) async {
    let hasReturned = await finish {
      let (scheduler, box) = (TestScheduler(), Locked<Weak<Numbers>?>(nil))
      let numbers = Numbers(scheduler: scheduler) {
        Observable.from(
          Endless { number in
            guard number == 100 else { return }
            onOtherThread {
              if how == "cleared" { box.value?.object?.clear() } else { box.value?.object?.cancelActions { $0 == 0 } }
            }
          }
        ).mutate { $0 += $1 }
      }
      box.mutate { $0 = Weak(object: numbers) }
      numbers.execute(-1, mode: .parallelOrdered)
      numbers.execute(0, mode: .parallelOrdered)
      scheduler.run()
      #expect(numbers.currentState == 0)
    }
    #expect(hasReturned)
  }

  @Test func anEndlessEffectWhoseMapperThrowsStops() async {
    let hasReturned = await finish {
      let scheduler = TestScheduler()
      let numbers = Numbers(scheduler: scheduler) {
        Observable.from(Endless()).mutate { state, number in
          if number == 100 { throw TestError() }
          state = number
        }
      }
      numbers.execute(0)
      scheduler.run()
      #expect(numbers.currentState == 99)
    }
    #expect(hasReturned)
  }

  // `createObservable` sends a mapper of another action before the view model subscribes.
  @Test func aMapperSentBeforeTheSubscriptionIsFoldedFirst() {
    let (scheduler, other) = (TestScheduler(), PublishSubject<Int>())
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("other", on: other))
    scheduler.run()
    screen.execute(
      Step("a") {
        other.onNext(1)
        return Observable.of(1, 2).mutate { state, _ in state.append("a") }
      })
    scheduler.run()
    #expect(screen.currentState == ["other", "a", "a"])
  }

  // A mapper that a callback sends waits for the end of the current fold, and not for the end of the subscription.
  @Test func aMapperSentInACallbackDuringASubscriptionPrecedesTheNextOfTheEffect() {
    let (scheduler, other, bag) = (TestScheduler(), PublishSubject<Int>(), DisposeBag())
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("other", on: other))
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { if $0 == ["1"] { other.onNext(1) } }).disposed(by: bag)
    screen.execute(Step("a") { Observable.of("1", "2").mutate { $0.append($1) } })
    scheduler.run()
    #expect(screen.currentState == ["1", "other", "2"])
    bag.dispose()
  }

  // The effect is disposed, although its action ended before `create` had returned the disposable.
  @Test func anEffectCancelledDuringItsSubscriptionIsDisposed() {
    let (scheduler, disposed, box) = (TestScheduler(), Locked(0), Locked<Weak<Numbers>?>(nil))
    let numbers = Numbers(scheduler: scheduler) {
      .create { observer in
        box.value?.object?.cancelActions { _ in true }
        observer.onNext { $0 + 1 }
        return Disposables.create { disposed.mutate { $0 += 1 } }
      }
    }
    box.mutate { $0 = Weak(object: numbers) }
    numbers.execute(0)
    scheduler.run()
    #expect(disposed.value == 1)
    #expect(numbers.currentState == 0)
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
        let growth = Locked(0)
        let numbers = Numbers(scheduler: ImmediateScheduler()) {
          .create { observer in
            let mapper: StateMapper<Int> = { $0 + 1 }
            for _ in 0..<1_000 { observer.onNext(mapper) }
            let bytes = allocation { for _ in 0..<million { observer.onNext(mapper) } }
            growth.mutate { $0 = bytes }
            return Disposables.create()
          }
        }
        numbers.execute(0)
        precondition(numbers.currentState == million + 1_000)
        precondition(growth.value < 4_096, "\(growth.value) bytes more for \(million) mappers")
      }
    }
  #endif
}
