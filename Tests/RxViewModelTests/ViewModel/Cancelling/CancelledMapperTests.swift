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
    let (isCancelled, late, ends) = (Locked(false), Locked(0), screen.ends())
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
    #expect(ends.values.filter { $0.hasPrefix("a ") } == ["a cancelled"])
    #expect(!screen.currentState.contains("a"))
    bag.dispose()
  }
}
