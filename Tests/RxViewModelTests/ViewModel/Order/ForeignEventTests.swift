import RxViewModel
import Testing

@testable import TestSupport

/// The numbers from 1 to `limit`. Calls `reached` with each number before it returns that number.
private struct Numbers: Sequence, IteratorProtocol, Sendable {
  private var number = 0
  let limit: Int
  let reached: @Sendable (Int) -> Void

  init(upTo limit: Int, _ reached: @escaping @Sendable (Int) -> Void) {
    self.limit = limit
    self.reached = reached
  }

  mutating func next() -> Int? {
    if number == limit { return nil }
    number += 1
    reached(number)
    return number
  }
}

/// The test passes the effect of action 0, whose mappers add one each.
private final class Counter: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let effect: @Sendable (Counter) -> Effect

  init(_ scheduler: any Scheduler, _ effect: @escaping @Sendable (Counter) -> Effect) {
    self.effect = effect
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    action == 0 ? effect(self) : .never()
  }
}

// contract 2.3: another thread has sent the first mapper of an effect. The view model still folds at once the mappers that are sent while
// it subscribes to the effect, and it folds the mappers of its own work before the next action.
@Suite(.ownThread) struct ForeignEventTests {
  /// The number of elements after which an effect ends by itself, so that a failing test ends.
  private static let brake = 5_000

  /// Sends 0 from another thread, and then the numbers up to `limit` from the subscribing thread, all before `subscribe` returns.
  ///
  /// - Parameter reached: Called with each number, after the numbers before it have been sent.
  private static func numbers(
    upTo limit: Int = brake, _ reached: @escaping @Sendable (Int) -> Void
  ) -> Observable<Int> {
    let foreign = PublishSubject<Int>()
    let own = Observable.from(
      Numbers(upTo: limit) { number in
        if number == 1 { onOtherThread { foreign.onNext(0) } }
        reached(number)
      })
    return Observable.merge([foreign.asObservable(), own])
  }

  @Test func readersSeeTheStateOfEachMapperBeforeTheNextIsSent() {
    let (scheduler, seen, folded) = (HandScheduler(), Locked<[Int]>([]), Locked<[Int]>([]))
    let counter = Counter(scheduler) { counter in
      Self.numbers(upTo: 100) { _ in
        onOtherThread { seen.mutate { $0.append(counter.currentState) } }
      }.mutate { state, number in
        folded.mutate { $0.append(number) }
        state += 1
      }
    }
    counter.execute(0)
    scheduler.run()
    // The foreign mapper may wait for the next one of the subscribing thread.
    #expect(seen.value.dropFirst() == Array(2...100)[...])
    #expect(folded.value == Array(0...100))
    #expect(counter.currentState == 101)
  }

  @Test func theMappersThatHaveBeenFoldedAreReleased() {
    let (scheduler, lifetimes, most) = (HandScheduler(), Lifetimes(), Locked(0))
    let counter = Counter(scheduler) { _ in
      Self.numbers(upTo: 5_000) { _ in most.mutate { $0 = max($0, lifetimes.alive) } }.map { _ in
        let object = lifetimes.make()
        return { state in
          object.touch()
          return state + 1
        }
      }
    }
    counter.execute(0)
    scheduler.run()
    #expect(counter.currentState == 5_001)
    // The foreign mapper, the one sent last, and one that is being replaced.
    #expect(most.value <= 3)
    #expect(lifetimes.alive == 0)
  }

  // contract 2.11
  @Test func cancelActionsOnAnotherThreadEndsTheEffect() {
    let (scheduler, last, late, isCancelled) = (HandScheduler(), Locked(0), Locked(0), Locked(false))
    let (phases, bag) = (Locked<[String]>([]), DisposeBag())
    let counter = Counter(scheduler) { counter in
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
    counter.executionObservable.subscribe(onNext: { execution in
      if case .emitted = execution.phase { return }
      phases.mutate { $0.append("\(execution.phase)") }
    }).disposed(by: bag)
    counter.execute(0)
    scheduler.run()
    #expect(last.value <= 1_000 + 256)
    #expect(late.value == 0)
    // The mappers that were sent before: 999 numbers and the foreign one.
    #expect(counter.currentState == 1_000)
    #expect(phases.value == ["started", "cancelled"])
    bag.dispose()
  }

  // contract 2.11: the actions end before the view model folds any mapper
  @Test func anotherActionThatIsCancelledMeanwhileEnds() {
    let (scheduler, endedAt, reached, bag) = (HandScheduler(), Locked<Int?>(nil), Locked(0), DisposeBag())
    let counter = Counter(scheduler) { counter in
      Self.numbers { number in
        reached.mutate { $0 = number }
        if number == 1_000 { onOtherThread { counter.cancelActions { $0 == 1 } } }
      }.mutate { state, _ in state += 1 }
    }
    counter.executionObservable.subscribe(onNext: { execution in
      if case .cancelled = execution.phase { endedAt.mutate { $0 = reached.value } }
    }).disposed(by: bag)
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
    let (scheduler, source) = (HandScheduler(), PublishSubject<String>())
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
