import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2: the emissions of a view model, in virtual time
@Suite struct StreamTests {
  private let scheduler = TestScheduler()

  // contract 2.4, 2.5
  @Test func theStateStreamStartsWithTheInitialState() {
    let screen = Screen(scheduler: scheduler)
    #expect(screen.initialStates.value == 1)
    #expect(screen.currentState == [])
    #expect(screen.stateObservable.test().values == [[]])
    #expect(screen.isLoadingObservable.test().values == [false])
    #expect(screen.actionAndStateObservable.test().events.isEmpty)
    #expect(screen.errorObservable.test().events.isEmpty)
    #expect(screen.executionObservable.test().events.isEmpty)
    scheduler.run()
    #expect(screen.initialStates.value == 1)
  }

  // contract 2.7
  @Test func anActionEmitsInOrder() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.execute(Step("a", spins: true))
    #expect(journal.lines == ["loading false", "state "])
    scheduler.run()
    #expect(
      journal.news == [
        "loading true", "a started", "state a", "a made a", "a emitted a", "a completed a", "loading false",
      ])
  }

  // contract 2.3: each of several mappers is folded once, and then the action ends
  @Test func eachMapperIsFoldedOnce() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    let calls = Locked(0)
    screen.execute(
      Step("a") {
        Observable.from(1...3).mutate { state, number in
          calls.mutate { $0 += 1 }
          state.append("\(number)")
        }
      })
    scheduler.run()
    #expect(calls.value == 3)
    #expect(
      journal.news == [
        "a started", "state 1", "a made 1", "a emitted 1", "state 12", "a made 12", "a emitted 12", "state 123",
        "a made 123", "a emitted 123", "a completed 123",
      ])
  }

  // contract 2.3: an observable that completes without a mapper
  @Test(arguments: [true, false])
  func anEmptyEffectEmitsTheStateOnce(isUnchanged: Bool) {
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("a"))
    scheduler.run()
    let journal = Journal(screen)
    screen.execute(Step("b") { isUnchanged ? .unchanged() : .empty() })
    scheduler.run()
    #expect(
      journal.news == ["b started", "state a", "b made a", "b emitted a", "b completed a"])
  }

  // contract 2.6
  @Test(arguments: ["event", "effect", "mapper", "just"])
  func anErrorEndsItsActionOnly(place: String) {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    let fail: StateMapper<[String]> = { _ in throw TestError("oops") }
    let add: StateMapper<[String]> = { $0 + ["x"] }
    let never = Locked(0)
    screen.execute(
      Step("a", spins: true) {
        switch place {
        case "event": .error(TestError("oops"))
        case "effect": throw TestError("oops")
        case "just": .just(fail)
        default:
          Observable.of(add, fail, add).do(onNext: { _ in never.mutate { $0 += 1 } })
        }
      })
    screen.execute(Step("b"))
    scheduler.run()
    let first = place == "mapper" ? ["state x", "a made x", "a emitted x"] : []
    let state = place == "mapper" ? "x" : ""
    #expect(
      journal.news == ["loading true", "a started"] + first + [
        "error oops", "a failed with oops", "a failed", "loading false",
        "b started", "state \(state)b", "b made \(state)b", "b emitted \(state)b", "b completed \(state)b",
      ])
    if place == "mapper" { #expect(never.value == 2) }
  }

  // contract 2.6: equal errors are separate items. A handled error is none, but its action has failed.
  @Test func handledErrorsAreNotSent() {
    let screen = Screen(scheduler: scheduler, handlesErrors: true)
    let journal = Journal(screen)
    screen.execute(Step("a") { throw TestError("oops") })
    scheduler.run()
    #expect(screen.handled.value == ["oops of a"])
    #expect(journal.news == ["a started", "a failed"])
    let other = Screen(scheduler: scheduler)
    let errors = other.errorObservable.test()
    for _ in 0..<3 { other.execute(Step("a") { throw TestError("oops") }) }
    scheduler.run()
    #expect(errors.values.count == 3)
    #expect(!errors.isCompleted)
  }

  // contract 2.6
  @Test func cancellationIsNotAnError() {
    let screen = Screen(scheduler: scheduler)
    let journal = Journal(screen)
    screen.execute(Step("a") { throw CancellationError() })
    scheduler.run()
    #expect(journal.news == ["a started", "a cancelled"])
    #expect(screen.handled.value == [])
  }

  // contract 2.8
  @Test func anActionFromInsideACallbackComesAfterIt() {
    let screen = Screen(scheduler: scheduler)
    let bag = DisposeBag()
    screen.stateObservable.subscribe(onNext: { if $0 == ["a"] { screen.execute(Step("b")) } }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a"))
    scheduler.run()
    #expect(
      journal.news == [
        "a started", "state a", "a made a", "a emitted a", "a completed a",
        "b started", "state ab", "b made ab", "b emitted ab", "b completed ab",
      ])
    bag.dispose()
  }

  // contract 2.3: a mapper from inside the view model's own work follows right after that work, and one from elsewhere gets a turn
  @Test func mappersFromInsideAndFromElsewhere() {
    let screen = Screen(scheduler: scheduler)
    let (source, bag) = (PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("m", on: source))
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { state in
      guard state == ["a"] else { return }
      source.onNext(1)
      #expect(screen.currentState == ["a"])
    }).disposed(by: bag)
    let seen = Locked<[String]>([])
    screen.execute(Step("a"))
    screen.execute(
      Step("b") {
        source.onNext(2)
        seen.mutate { $0 = screen.currentState }
        return .unchanged()
      })
    scheduler.run()
    #expect(seen.value == ["a", "m"])
    source.onNext(3)
    #expect(screen.currentState == ["a", "m", "m"])
    scheduler.run()
    #expect(screen.currentState == ["a", "m", "m", "m"])
    bag.dispose()
  }

  // contract 2.7: loading becomes true once, and false once, for actions that overlap
  @Test func loadingSpansOverlappingActions() {
    let screen = Screen(scheduler: scheduler)
    let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
    let loading = screen.isLoadingObservable.test()
    let ofB = screen.isLoadingObservable(where: { $0.name == "b" }).test()
    screen.execute(Step("a", spins: true, on: a))
    screen.execute(Step("b", spins: true, on: b))
    screen.execute(Step("c"))
    scheduler.run()
    #expect(screen.isLoadingObservable.test().values == [true])
    #expect(screen.isLoadingObservable(where: { $0.name == "b" }).test().values == [true])
    #expect(screen.isLoadingObservable(where: { $0.name == "c" }).test().values == [false])
    a.onCompleted()
    scheduler.run()
    #expect(loading.values == [false, true])
    b.onCompleted()
    scheduler.run()
    #expect(loading.values == [false, true, false])
    #expect(ofB.values == [false, true, false])
  }

  // contract 2.5: in a callback the current state is never older than the one delivered
  @Test func currentStateInACallbackIsTheOneDelivered() {
    let screen = Screen(scheduler: scheduler)
    let (mismatches, bag) = (Locked(0), DisposeBag())
    screen.stateObservable.subscribe(onNext: { state in
      if screen.currentState != state { mismatches.mutate { $0 += 1 } }
    }).disposed(by: bag)
    for name in ["a", "b", "c"] { screen.execute(Step(name)) }
    scheduler.run()
    #expect(mismatches.value == 0)
    bag.dispose()
  }

  // contract 2: ids ascend in the order of acceptance
  @Test func idsAscend() {
    let screen = Screen(scheduler: scheduler)
    let ids = screen.executionObservable.map(\.id).test()
    for name in ["a", "b"] { screen.execute(Step(name)) }
    scheduler.run()
    #expect(ids.values == [1, 1, 1, 2, 2, 2])
  }

  // contract 2, misuse: the trap names the class and the override that it lacks
  @Test(.ownThread) func aMissingOverrideIsNamed() async throws {
    // Sendable: it stores nothing.
    final class Incomplete: RxViewModel<Int, Int>, @unchecked Sendable {}
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Incomplete() })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Incomplete must override createInitialState()"))
  }
}
