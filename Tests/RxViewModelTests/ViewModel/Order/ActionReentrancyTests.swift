import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2: requests from inside the view model's own work
@Suite struct ActionReentrancyTests {
  private let scheduler = TestScheduler()

  // contract 2, parallelOrdered: an event never overtakes an earlier one of its action, also if it is sent when the action's turn comes
  @Test(arguments: [true, false])
  func waitingMappersAreFoldedBeforeANewOne(isInsideAFold: Bool) {
    let screen = Screen(scheduler: scheduler)
    let (a, b, bag) = (PublishSubject<Int>(), PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("a", on: a), mode: .parallelOrdered)
    screen.execute(Step("b") { b.mutate { $0.append("\($1)") } }, mode: .parallelOrdered)
    scheduler.run()
    b.onNext(1)
    b.onNext(2)
    scheduler.run()
    let react: @Sendable () -> Void = {
      guard a.hasObservers else { return }
      a.onError(TestError())
      b.onNext(3)
    }
    screen.stateObservable.subscribe(onNext: { if isInsideAFold, $0 == ["x"] { react() } }).disposed(by: bag)
    screen.execute(
      Step("x") {
        if !isInsideAFold { react() }
        return .mutate { $0.append("x") }
      })
    scheduler.run()
    #expect(screen.currentState == ["x", "1", "2", "3"])
    bag.dispose()
  }

  // The same for mappers that are sent while the waiting ones are being folded.
  @Test func waitingMappersAreFoldedBeforeThoseThatAreSentMeanwhile() {
    let screen = Screen(scheduler: scheduler)
    let (a, b, bag) = (PublishSubject<Int>(), PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("a", on: a), mode: .parallelOrdered)
    screen.execute(Step("b") { b.mutate { $0.append("\($1)") } }, mode: .parallelOrdered)
    scheduler.run()
    b.onNext(1)
    b.onNext(2)
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { if $0 == ["1"] { b.onNext(3) } }).disposed(by: bag)
    screen.executionObservable.subscribe(onNext: { execution in
      if case .emitted(["1", "2"]) = execution.phase { b.onNext(4) }
    }).disposed(by: bag)
    a.onCompleted()
    scheduler.run()
    #expect(screen.currentState == ["1", "2", "3", "4"])
    bag.dispose()
  }

  // contract 2.7: the order also holds for mappers and an end that are sent from inside the callback of another action's start or end
  @Test(arguments: ["started", "completed"])
  func theOrderHoldsInsideACallback(place: String) {
    let screen = Screen(scheduler: scheduler)
    let (source, bag) = (PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("x") { source.mutate { $0.append("\($1)") } })
    scheduler.run()
    let inside = Locked<[String]>(["not called"])
    screen.executionObservable.subscribe(onNext: { execution in
      guard execution.action.name == "a", "\(execution.phase)".hasPrefix(place) else { return }
      source.onNext(1)
      inside.mutate { $0 = screen.currentState }
      source.onNext(2)
      source.onError(TestError("oops"))
    }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a") { .never() })
    scheduler.run()
    if place == "completed" {
      screen.cancelActions { $0.name == "a" }
      screen.execute(Step("a") { .empty() })
      scheduler.run()
    }
    #expect(inside.value == [])
    #expect(
      journal.news.filter { !$0.hasPrefix("a ") && $0 != "state " } == [
        "state 1", "x made 1", "x emitted 1", "state 12", "x made 12", "x emitted 12", "error oops",
        "x failed with oops", "x failed",
      ])
    bag.dispose()
  }

  // contract 1.6: however many actions end each other
  @Test(.stress, arguments: ["handleError", "dispose"])
  func actionsThatEndEachOther(place: String) async {
    let ended = await onThread(stackSize: smallStack) {
      let chain = Chain(place)
      let scheduler = TestScheduler()
      let screen = ChainScreen(chain, scheduler: scheduler)
      let ended = Locked(0)
      let subscription = screen.executionObservable.subscribe(onNext: { execution in
        switch execution.phase {
        case .completed, .failed: ended.mutate { $0 += 1 }
        default: break
        }
      })
      for number in 0..<Chain.length { screen.execute(number) }
      scheduler.run()
      chain.end(0)
      scheduler.run()
      subscription.dispose()
      return ended.value
    }
    #expect(ended == Chain.length)
  }
}

/// Effects, each of which ends the next one.
private final class Chain: Sendable {
  static let length = 20_000
  let place: String
  let subjects = (0...length).map { _ in PublishSubject<StateMapper<Int>>() }

  init(_ place: String) {
    self.place = place
  }

  func end(_ number: Int) {
    if place == "handleError" {
      subjects[number].onError(TestError("\(number)"))
    } else {
      subjects[number].onNext { _ in throw TestError("\(number)") }
    }
  }
}

private final class ChainScreen: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores one `let`.
  let chain: Chain

  init(_ chain: Chain, scheduler: any Scheduler) {
    self.chain = chain
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    let source = chain.subjects[action].asObservable()
    return chain.place == "handleError" ? source : source.do(onDispose: { [chain] in chain.end(action + 1) })
  }

  override func handleError(_ error: any Error, action: Int?) -> Bool {
    if chain.place == "handleError", let action { chain.end(action + 1) }
    return true
  }
}
