import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 2.3, 2.8: nothing of a view model happens inside something else
@Suite struct RunToCompletionTests {
  private let scheduler = TestScheduler()
  private let mappers = PublishSubject<StateMapper<[String]>>()

  private static func add(_ name: String) -> StateMapper<[String]> {
    { $0 + [name] }
  }

  /// A screen with an action that folds the mappers which `mappers` sends.
  private func listeningScreen() -> Screen {
    let screen = Screen(scheduler: scheduler)
    screen.execute(Step("listen") { [mappers] in mappers.asObservable() })
    scheduler.run()
    return screen
  }

  enum Failing: CaseIterable {
    case just, create
  }

  /// An action whose mapper sends a mapper of another action, and throws.
  private func failingAction(_ failing: Failing) -> Step {
    let mapper: StateMapper<[String]> = { [mappers] _ in
      mappers.onNext(Self.add("1"))
      throw TestError()
    }
    return Step("bad") {
      switch failing {
      case .just: .just(mapper)
      case .create:
        .create { observer in
          observer.onNext(mapper)
          return Disposables.create()
        }
      }
    }
  }

  @Test(arguments: Failing.allCases)
  func aMapperSentBeforeTheCompletionOfItsEffectIsFolded(failing: Failing) {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.errorObservable.subscribe(onNext: { [mappers] _ in mappers.onCompleted() }).disposed(by: bag)
    screen.execute(failingAction(failing))
    scheduler.run()
    #expect(screen.currentState == ["1"])
    bag.dispose()
  }

  @Test(arguments: Failing.allCases)
  func aMapperSentByAMapperPrecedesOneSentByTheErrorObserver(failing: Failing) {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.errorObservable.subscribe(onNext: { [mappers] _ in mappers.onNext(Self.add("2")) }).disposed(by: bag)
    screen.execute(failingAction(failing))
    scheduler.run()
    #expect(screen.currentState == ["1", "2"])
    bag.dispose()
  }

  @Test func aMapperSentAtTheStateOfAnEmptyActionPrecedesOneSentAtItsCompletion() {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.actionAndStateObservable.subscribe(onNext: { [mappers] in
      if $0.action.name == "empty" { mappers.onNext(Self.add("1")) }
    }).disposed(by: bag)
    screen.executionObservable.subscribe(onNext: { [mappers] execution in
      if case .completed = execution.phase, execution.action.name == "empty" { mappers.onNext(Self.add("2")) }
    }).disposed(by: bag)
    screen.execute(Step("empty") { .empty() })
    scheduler.run()
    #expect(screen.currentState == ["1", "2"])
    bag.dispose()
  }

  @Test(arguments: [true, false])
  func aMapperSentInACallbackPrecedesOneSentByTheDisposeActionThatItCauses(sendsFirst: Bool) {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.execute(
      Step("cancelled") { [mappers] in
        Observable<Int>.never().do(onDispose: { mappers.onNext(Self.add("2")) }).mutate { _, _ in }
      })
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { [mappers] state in
      guard state == ["x"] else { return }
      if sendsFirst { mappers.onNext(Self.add("1")) }
      screen.cancelActions { $0.name == "cancelled" }
      if !sendsFirst { mappers.onNext(Self.add("1")) }
    }).disposed(by: bag)
    screen.execute(Step("x"))
    scheduler.run()
    #expect(screen.currentState == ["x", "1", "2"])
    bag.dispose()
  }

  // contract 2.11
  @Test(arguments: ["executionMode", "showSpinner"])
  func anActionThatIsCancelledInItsOverridesEmitsOnlyCancelled(place: String) {
    let asking = AskingScreen(scheduler: scheduler)
    let (source, phases) = (PublishSubject<Int>(), Locked<[String]>([]))
    asking.source = source
    asking.cancelsIn = place
    asking.execute("other")
    scheduler.run()
    let subscription = asking.executionObservable.subscribe(onNext: { execution in
      if execution.action == "a" { phases.mutate { $0.append("\(execution.phase)") } }
    })
    asking.execute("a")
    scheduler.run()
    #expect(phases.value == ["cancelled"])
    #expect(asking.currentState == ["other"])
    subscription.dispose()
  }

  // contract 2, the table: the test reads both streams after the first action has completed and before the second one starts
  @Test func bothLoadingStreamsAgreeBetweenTwoActionsOfALane() {
    let (screen, seen, bag) = (Screen(scheduler: scheduler), Locked<[[Bool]]>([]), DisposeBag())
    screen.executionObservable.subscribe(onNext: { execution in
      guard case .completed = execution.phase, execution.action.name == "a" else { return }
      let all = screen.isLoadingObservable.test()
      let some = screen.isLoadingObservable(where: { _ in true }).test()
      seen.mutate { $0 = [all.values, some.values] }
      all.dispose()
      some.dispose()
    }).disposed(by: bag)
    screen.execute(Step("a", spins: true), mode: .sequence)
    screen.execute(Step("b", spins: true) { .never() }, mode: .sequence)
    scheduler.run()
    #expect(seen.value == [[true], [true]])
    bag.dispose()
  }

  // contract 2, the table: the view model has no other subscriber
  @Test(arguments: [true, false])
  func loadingOfMatchingActionsBecomesFalseWithoutAnotherSubscriber(isJust: Bool) {
    let screen = Screen(scheduler: scheduler)
    let loading = screen.isLoadingObservable(where: { _ in true }).test()
    screen.execute(
      Step("a") { isJust ? .mutate { $0.append("a") } : Observable.of(1).mutate { state, _ in state += ["a"] } })
    scheduler.run()
    #expect(loading.values == [false, true, false])
    #expect(screen.isLoadingObservable(where: { _ in true }).test().values == [false])
  }

  // contract 2, the table: another thread subscribes during the only fold
  @Test func loadingOfMatchingActionsBecomesFalseForASubscriberDuringTheFold() {
    let (screen, loading, bag) = (Screen(scheduler: scheduler), Locked<[Bool]>([]), DisposeBag())
    screen.stateObservable.subscribe(onNext: { state in
      guard state == ["a"] else { return }
      onOtherThread {
        screen.isLoadingObservable(where: { _ in true }).subscribe(onNext: { isLoading in
          loading.mutate { $0.append(isLoading) }
        }).disposed(by: bag)
      }
    }).disposed(by: bag)
    screen.execute(Step("a"))
    scheduler.run()
    #expect(loading.value == [true, false])
    bag.dispose()
  }

  // contract 2.3: the emissions of one fold count as one event
  @Test func theActionAndItsStateComeBeforeTheRequestsOfTheStateCallback() {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.execute(Step("other") { .never() })
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { [mappers] state in
      guard state == ["a"] else { return }
      mappers.onNext(Self.add("1"))
      screen.execute(Step("b"))
      screen.cancelActions { $0.name == "other" }
    }).disposed(by: bag)
    let journal = Journal(screen)
    screen.execute(Step("a"))
    scheduler.run()
    #expect(
      journal.news.filter { $0 != "a completed a" } == [
        "a started", "state a", "a made a", "a emitted a", "other cancelled",
        "state a1", "listen made a1", "listen emitted a1",
        "b started", "state a1b", "b made a1b", "b emitted a1b", "b completed a1b",
      ])
    bag.dispose()
  }

  // contract 2.3: a `just` sends its mapper and its completion together, also if `createObservable` sends another mapper before
  @Test(arguments: [true, false])
  func anActionWithAJustCompletesBeforeTheMappersOfItsStateCallback(isDisturbed: Bool) {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.stateObservable.subscribe(onNext: { [mappers] in if $0.last == "a" { mappers.onNext(Self.add("1")) } })
      .disposed(by: bag)
    let phases = screen.executionObservable.compactMap { execution -> String? in
      switch execution.phase {
      case .emitted: "\(execution.action) emitted"
      case .completed: "\(execution.action) completed"
      default: nil
      }
    }.test()
    screen.execute(
      Step("a") { [mappers] in
        if isDisturbed { mappers.onNext(Self.add("0")) }
        return .mutate { $0.append("a") }
      })
    scheduler.run()
    #expect(phases.values.suffix(3) == ["a emitted", "a completed", "listen emitted"])
    #expect(screen.currentState == (isDisturbed ? ["0", "a", "1"] : ["a", "1"]))
    bag.dispose()
  }

  // contract 2.3: mappers of the view model's own work come before everything from elsewhere
  @Test func aMapperFromWithinPrecedesAMapperThatAnotherThreadSentEarlier() {
    let (screen, other, bag) = (listeningScreen(), PublishSubject<Int>(), DisposeBag())
    screen.execute(Step("elsewhere", on: other))
    scheduler.run()
    screen.stateObservable.subscribe(onNext: { [mappers] state in
      guard state == ["a"] else { return }
      onOtherThread { other.onNext(1) }
      mappers.onNext(Self.add("within"))
    }).disposed(by: bag)
    screen.execute(Step("a"))
    screen.execute(Step("b"))
    scheduler.run()
    #expect(screen.currentState == ["a", "within", "b", "elsewhere"])
    bag.dispose()
  }

  // contract 2.3: a mapper never overtakes an earlier one of its action, also if that one came from another thread
  @Test func aMapperFromWithinWaitsForAnEarlierOneOfItsActionFromAnotherThread() {
    let (screen, bag) = (listeningScreen(), DisposeBag())
    screen.stateObservable.subscribe(onNext: { [mappers] state in
      guard state == ["a"] else { return }
      onOtherThread { mappers.onNext(Self.add("1")) }
      mappers.onNext(Self.add("2"))
    }).disposed(by: bag)
    screen.execute(Step("a"))
    scheduler.run()
    #expect(screen.currentState == ["a", "1", "2"])
    bag.dispose()
  }
}

/// Cancels the action "a" in one of the overrides that the view model calls for it, and sends a mapper of another action.
// Sendable: the test sets the properties before it uses the view model.
private final class AskingScreen: RxViewModel<String, [String]>, @unchecked Sendable {
  var source = PublishSubject<Int>()
  var cancelsIn = ""

  override func createInitialState() -> [String] { [] }

  override func createObservable(_ action: String) -> Effect {
    action == "a" ? .mutate { $0.append("a") } : source.mutate { state, _ in state.append(action) }
  }

  override func executionMode(for action: String) -> ExecutionMode {
    cancel(action, in: "executionMode")
    return .parallel
  }

  override func showSpinner(_ action: String) -> Bool {
    cancel(action, in: "showSpinner")
    return true
  }

  private func cancel(_ action: String, in place: String) {
    if place != cancelsIn || action != "a" { return }
    cancelActions { $0 == "a" }
    source.onNext(1)
  }
}
