import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.11: after another thread's call of `cancelActions` has returned, the view model calls no mapper of the matching actions, even
// one sent before the call
@Suite(.ownThread) struct CancelledMapperTests {
  /// The user code that runs when another thread cancels the action "a".
  enum Place: String, CaseIterable {
    case createObservable, started, loading
    /// A mapper of "a" waits.
    case mapper, state, made, emitted
    /// A mapper of "a" waits in the ordered lane, for the end of "gate".
    case gateMade, gateCompleted
  }

  /// The sender of the mapper that waits.
  enum Sender: CaseIterable {
    /// The view model's own work.
    case within
    case elsewhere
  }

  @Test(arguments: Place.allCases, Sender.allCases)
  func aMapperIsNotCalledAfterTheCancellation(place: Place, sender: Sender) {
    let (scheduler, bag) = (HandScheduler(), DisposeBag())
    let screen = Screen(scheduler: scheduler)
    let (gate, other, source) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
    let (isCancelled, late, ends) = (Locked(false), Locked(0), Locked<[String]>([]))
    let mapper: StateMapper<[String]> = { state in
      if isCancelled.value { late.mutate { $0 += 1 } }
      return state + ["a"]
    }
    @Sendable func reach(_ reached: Place) {
      if reached != place || isCancelled.value { return }
      if sender == .within { source.onNext(1) }
      #expect(onOtherThread { screen.cancelActions { $0.name == "a" } })
      isCancelled.mutate { $0 = true }
    }
    screen.isLoadingObservable.subscribe(onNext: { if $0 { reach(.loading) } }).disposed(by: bag)
    screen.stateObservable.subscribe(onNext: { if $0 == ["other"] { reach(.state) } }).disposed(by: bag)
    screen.actionAndStateObservable.subscribe(onNext: { made in
      if made.action.name == "other" { reach(.made) }
      if made.action.name == "gate" { reach(.gateMade) }
    }).disposed(by: bag)
    screen.executionObservable.subscribe(onNext: { execution in
      switch (execution.action.name, execution.phase) {
      case ("a", .started): reach(.started)
      case ("other", .emitted): reach(.emitted)
      case ("gate", .completed): reach(.gateCompleted)
      case ("a", .cancelled): ends.mutate { $0.append("cancelled") }
      case ("a", .completed), ("a", .failed), ("a", .dropped): ends.mutate { $0.append("other") }
      default: break
      }
    }).disposed(by: bag)

    screen.execute(Step("gate", on: gate), mode: .parallelOrdered)
    screen.execute(
      Step("other") {
        other.mutate { state, _ in
          state.append("other")
          reach(.mapper)
        }
      })
    scheduler.run()
    let effect: @Sendable () -> Observable<StateMapper<[String]>> = {
      reach(.createObservable)
      switch place {
      case .createObservable, .started, .loading: return .just(mapper)
      default: return source.map { _ in mapper }
      }
    }
    let isOrdered = place == .gateMade || place == .gateCompleted
    screen.execute(Step("a", spins: true, effect: effect), mode: isOrdered ? .parallelOrdered : .parallel)
    scheduler.run()
    if isOrdered {
      if sender == .elsewhere { source.onNext(1) }
      scheduler.run()
      gate.onNext(1)
      gate.onCompleted()
    } else {
      other.onNext(1)
      if sender == .elsewhere { source.onNext(1) }
    }
    scheduler.run()
    #expect(isCancelled.value)
    #expect(late.value == 0)
    #expect(ends.value == ["cancelled"])
    #expect(!screen.currentState.contains("a"))
    bag.dispose()
  }

  // contract 2.6: the same holds for the mapper of `stateMapper(for:action:)`. Its action ends as cancelled.
  @Test func theMapperOfAFailureIsNotCalledAfterTheCancellation() {
    let (scheduler, source, bag) = (HandScheduler(), PublishSubject<Int>(), DisposeBag())
    let (late, phases) = (Locked(0), Locked<[String]>([]))
    let failing = Failing(scheduler: scheduler, source) { failing in
      #expect(onOtherThread { failing.cancelActions { $0 == "a" } })
      return { state in
        late.mutate { $0 += 1 }
        return state + 1
      }
    }
    failing.executionObservable.subscribe(onNext: { phases.mutate { [step = $0] in $0.append("\(step.phase)") } })
      .disposed(by: bag)
    failing.execute("a")
    scheduler.run()
    source.onError(TestError())
    scheduler.run()
    #expect(late.value == 0)
    #expect(phases.value == ["started", "cancelled"])
    bag.dispose()
  }

  // contract 8.5: `page` makes its request in its first mapper
  @Test func aPageOfACancelledActionIsNotRequested() {
    let (scheduler, gate, bag) = (HandScheduler(), PublishSubject<Int>(), DisposeBag())
    let (requests, begun) = (Locked(0), Locked(0))
    let list = List(
      scheduler: scheduler, gate, begin: { begun.mutate { $0 += 1 } }, request: { requests.mutate { $0 += 1 } })
    list.executionObservable.subscribe(onNext: { execution in
      guard execution.action == "gate", case .completed = execution.phase else { return }
      #expect(onOtherThread { list.cancelActions { $0 == "page" } })
    }).disposed(by: bag)
    list.execute("gate", mode: .parallelOrdered)
    list.execute("page", mode: .parallelOrdered)
    scheduler.run()
    gate.onCompleted()
    scheduler.run()
    #expect(begun.value == 0)
    #expect(requests.value == 0)
    bag.dispose()
  }
}

/// Its actions fail when the source does.
private final class Failing: RxViewModel<String, Int>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  let source: PublishSubject<Int>
  let mapper: @Sendable (Failing) -> StateMapper<Int>

  init(
    scheduler: any Scheduler, _ source: PublishSubject<Int>, _ mapper: @escaping @Sendable (Failing) -> StateMapper<Int>
  ) {
    self.source = source
    self.mapper = mapper
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }
  override func createObservable(_ action: String) -> Effect { source.mutate { $0 += $1 } }
  override func stateMapper(for error: any Error, action: String) -> StateMapper<Int>? { mapper(self) }
}

/// Its state is a list. The action "page" requests a page of it.
private final class List: RxViewModel<String, List.State>, @unchecked Sendable {  // Sendable: it stores only `let`s.
  struct State: Sendable {
    var pages = Pages<String, Int, Int>()
  }

  let gate: PublishSubject<Int>
  let begin: @Sendable () -> Void
  let request: @Sendable () -> Void

  init(
    scheduler: any Scheduler, _ gate: PublishSubject<Int>, begin: @escaping @Sendable () -> Void,
    request: @escaping @Sendable () -> Void
  ) {
    (self.gate, self.begin, self.request) = (gate, begin, request)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: String) -> Effect {
    if action == "gate" { return gate.map { _ in { $0 } } }
    return .page(
      \.pages,
      { [begin] pages in
        begin()
        return pages.first("")
      },
      request: { [request] _ in
        request()
        return .never()
      })
  }
}
