import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.3: another thread has sent the first mapper of an effect. The view model still folds at once the mappers that are sent while
// it subscribes to the effect, and it folds the mappers of its own work before the next action.
@Suite(.ownThread) struct ForeignEventTests {
  /// The number of elements after which an effect ends by itself, so that a failing test ends.
  private static let brake = 5_000
  private let scheduler = HandScheduler()

  /// Its action 0 has this effect, and the others have none that ends.
  private func counter(
    _ effect: @escaping @Sendable (ClosureViewModel<Int, Int>) -> Observable<StateMapper<Int>>
  ) -> ClosureViewModel<Int, Int> {
    ClosureViewModel(0, scheduler: scheduler) { counter, action in action == 0 ? effect(counter) : .never() }
  }

  /// Sends 0 from another thread, and then the numbers from the subscribing thread, all before `subscribe` returns.
  ///
  /// - Parameter reached: Called with each number, after the numbers before it have been sent.
  private static func numbers(_ reached: @escaping @Sendable (Int) -> Void) -> Observable<Int> {
    let foreign = PublishSubject<Int>()
    let own = Observable.from(1...brake).do(onNext: { number in
      if number == 1 { onOtherThread { foreign.onNext(0) } }
      reached(number)
    })
    return .merge([foreign.asObservable(), own])
  }

  @Test func theMappersThatHaveBeenFoldedAreReleased() {
    let (lifetimes, most) = (Lifetimes(), Locked(0))
    let counter = counter { _ in
      Self.numbers { _ in most.mutate { $0 = max($0, lifetimes.alive) } }.map { _ in
        let object = lifetimes.make()
        return { state in
          object.touch()
          return state + 1
        }
      }
    }
    counter.execute(0)
    scheduler.run()
    #expect(counter.currentState == Self.brake + 1)
    // The foreign mapper, the one sent last, and one that is being replaced.
    #expect(most.value <= 3)
    #expect(lifetimes.alive == 0)
  }

  // contract 2.11
  @Test func cancelActionsOnAnotherThreadEndsTheEffect() {
    let (last, late, isCancelled) = (Locked(0), Locked(0), Locked(false))
    let counter = counter { counter in
      Self.numbers { number in
        last.mutate { $0 = number }
        if number != 1_000 { return }
        onOtherThread { counter.cancelActions { $0 == 0 } }
        isCancelled.mutate { $0 = true }
      }.mutate { state, _ in
        if isCancelled.value { late.mutate { $0 += 1 } }
        state += 1
      }
    }
    let fates = counter.fates()
    counter.execute(0)
    scheduler.run()
    #expect(last.value <= 1_000 + 256)
    #expect(late.value == 0)
    // The mappers that were sent before: 999 numbers and the foreign one.
    #expect(counter.currentState == 1_000)
    #expect(fates.values == ["0 started", "0 cancelled"])
  }

  // contract 2.11: the actions end before the view model folds any mapper
  @Test func anotherActionThatIsCancelledMeanwhileEnds() {
    let (endedAt, reached, bag) = (Locked<Int?>(nil), Locked(0), DisposeBag())
    let counter = counter { counter in
      Self.numbers { number in
        reached.mutate { $0 = number }
        if number == 1_000 { onOtherThread { counter.cancelActions { $0 == 1 } } }
      }.mutate { state, _ in state += 1 }
    }
    counter.at("1 cancelled", in: bag) { endedAt.mutate { $0 = reached.value } }
    counter.execute(1)
    counter.execute(0)
    scheduler.run()
    #expect(endedAt.value == 1_000)
    #expect(counter.currentState == Self.brake + 1)
    bag.dispose()
  }

  // The turn of the foreign mapper would come after the action "b". The next mapper of its effect comes from inside `createObservable`, so
  // it does not wait for "b", and neither does the foreign mapper before it.
  @Test func aMapperFromWithinTakesTheForeignMapperBeforeItAlong() {
    let source = PublishSubject<String>()
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("source") { source.mutate { $0.append($1) } })
    scheduler.run()
    screen.execute(
      Step("a") { [weak screen] in
        screen!.execute(Step("b"))
        onOtherThread { source.onNext("foreign") }
        source.onNext("within")
        return .mutate { $0.append("a") }
      })
    scheduler.run()
    #expect(screen.currentState == ["foreign", "within", "a", "b"])
  }
}
