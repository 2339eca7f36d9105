import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model that counts. After the state, the same action sends the count as a route and as a message.
private func routing(_ navigator: Navigator<Int>) -> (ClosureViewModel<Int, Int>, messages: RxLiveEvents<Int>) {
  let sent = PublishSubject<Int>()
  let viewModel = ClosureViewModel<Int, Int>(0) { viewModel, _ in
    .create { observer in
      observer.onNext { $0 + 1 }
      navigator.navigate(viewModel.currentState)
      sent.onNext(viewModel.currentState)
      observer.onCompleted()
      return Disposables.create()
    }
  }
  return (viewModel, sent.asLiveEvents())
}

/// A view that records everything it receives in one list.
@MainActor
private final class SeenInOrder {
  let navigation = Navigation<Int>()
  let lifecycle = Lifecycle()
  var log: [String] = []
  private let bag = DisposeBag()

  init() {
    lifecycle.resume()
    navigation.observe(lifecycle) { [weak self] in self?.log.append("route \($0)") }.disposed(by: bag)
  }

  func show(_ stream: some ObservableType<Int>, as name: String) {
    stream.bind { [weak self] in self?.log.append("\(name) \($0)") }.disposed(by: bag)
  }

  func show(_ events: RxLiveEvents<Int>, as name: String) {
    events.observe(lifecycle) { [weak self] in self?.log.append("\(name) \($0)") }.disposed(by: bag)
  }

  func show(_ data: RxLiveData<Int>, as name: String) {
    data.observe(lifecycle) { [weak self] in self?.log.append("\(name) \($0)") }.disposed(by: bag)
  }
}

// contract 3.4, 6.2: other threads send while the main actor is busy; the tests themselves block it
@MainActor
struct MainOrderTests {
  private let seen = SeenInOrder()
  private let states = PublishSubject<Int>()
  private let messages = PublishSubject<Int>()
  private var navigator: Navigator<Int> { seen.navigation.navigator }

  @Test func bindAndLiveDataAndLiveEventsAndRoutesAreInOneOrder() async {
    seen.show(states, as: "state")
    seen.show(states.asLiveData(), as: "data")
    seen.show(messages.asLiveEvents(), as: "message")
    onOtherThread { [states, messages, navigator] in
      navigator.navigate(1, 2)
      messages.onNext(1)
      states.onNext(1)
    }
    // A third thread, after the second.
    onOtherThread { [states, messages, navigator] in
      messages.onNext(2)
      navigator.navigate(3)
      states.onNext(2)
      navigator.navigate(4)
    }
    #expect(seen.log == [])
    await settle { seen.log.count == 10 }
    #expect(
      seen.log == [
        "route 1", "route 2", "message 1", "state 1", "data 1", "message 2", "route 3", "state 2", "data 2", "route 4",
      ])
  }

  @Test func aResumeDoesNotBringARouteForwardThatIsOnItsWay() async {
    seen.lifecycle.pause()
    seen.show(states, as: "state")
    onOtherThread { [states, navigator] in
      navigator.navigate(1)
      states.onNext(1)
    }
    await settle { seen.log.count == 1 }
    // The first route now waits for the owner's resume. The second one is sent here, and is still on its way at the resume.
    onOtherThread { [states, navigator] in
      states.onNext(2)
      navigator.navigate(2)
    }
    seen.lifecycle.resume()
    #expect(seen.log == ["state 1", "route 1"])
    await settle { seen.log.count == 4 }
    #expect(seen.log == ["state 1", "route 1", "state 2", "route 2"])
  }

  @Test func aRouteOfTheMainActorComesAfterThoseOnTheirWayAndOtherwiseImmediately() async {
    seen.show(states, as: "state")
    onOtherThread { [states, navigator] in
      states.onNext(1)
      navigator.navigate(1)
    }
    navigator.navigate(2)
    #expect(seen.log == [])
    await settle { seen.log.count == 3 }
    navigator.navigate(3)
    #expect(seen.log == ["state 1", "route 1", "route 2", "route 3"])
  }

  @Test func routesSentDuringADeliveryKeepTheirOrder() async {
    let (navigation, owner) = (Navigation<Int>(), Lifecycle())
    owner.resume()
    seen.show(states, as: "state")
    let subscription = navigation.observe(owner) { [seen, states, navigator = navigation.navigator] route in
      seen.log.append("route \(route)")
      guard route == 1 else { return }
      onOtherThread {
        states.onNext(3)
        navigator.navigate(3)
      }
    }
    navigation.navigator.navigate(1, 2)
    #expect(seen.log == ["route 1", "route 2"])
    await settle { seen.log.count == 4 }
    #expect(seen.log == ["route 1", "route 2", "state 3", "route 3"])
    subscription.dispose()
  }

  // contract 6.4, 6.6
  @Test func routesOnTheirWayAreReleasedWithTheirRequestOrTheirNavigation() async {
    struct Route: Sendable {
      let object: Lifetimes.Object
      let reply: Reply<Int>
    }
    var navigation: Navigation<Route>? = Navigation()
    let (lifetimes, requests) = (Lifetimes(), Locked<[TestObserver<Int>]>([]))
    onOtherThread { [navigator = navigation!.navigator] in
      for _ in 0..<3 {
        requests.append(navigator.request { Route(object: lifetimes.make(), reply: $0) }.test())
      }
    }
    #expect(lifetimes.alive == 3)
    requests.value[1].dispose()
    #expect(lifetimes.alive == 2)
    navigation = nil
    #expect(lifetimes.alive == 0)
    #expect(requests.value.map(\.isCompleted) == [true, false, true])
  }

  // contract 3.4: two actions in a row
  @Test func anActionsRouteAndItsMessageComeAfterItsState() async {
    let ((viewModel, messages), isDone) = (routing(navigator), Signal())
    seen.show(viewModel.stateObservable, as: "state")
    seen.show(messages, as: "message")
    let ends = viewModel.executionObservable.subscribe(onNext: { execution in
      if case .completed(2) = execution.phase { isDone.fire() }
    })
    viewModel.execute(1)
    viewModel.execute(2)
    #expect(isDone.wait())
    await settle { seen.log.count == 7 }
    #expect(
      seen.log == ["state 0", "state 1", "route 1", "message 1", "state 2", "route 2", "message 2"])
    ends.dispose()
  }
}

// contract 3.4, 6.2
@MainActor
@Suite(.serialized, .stress) struct MainOrderStressTests {
  private let navigation = Navigation<Int>()
  private let owner = Lifecycle()
  private let bag = DisposeBag()

  @Test(arguments: [1, 2, 8]) func noRouteOrMessageComesBeforeItsState(actionsInARow: Int) async {
    let (bound, live) = (Locked(0), Locked(0))
    let (routes, shown, early) = (Locked<[Int]>([]), Locked<[Int]>([]), Locked<[Int]>([]))
    let (viewModel, messages) = routing(navigation.navigator)
    owner.resume()
    navigation.observe(owner) { number in
      if min(bound.value, live.value) < number { early.append(number) }
      routes.append(number)
    }
    viewModel.stateObservable.bind { state in bound.mutate { $0 = state } }.disposed(by: bag)
    viewModel.stateObservable.asLiveData(viewModel).observe(owner) { state in live.mutate { $0 = state } }
    messages.observe(owner) { number in
      // A message comes after the route of its action.
      if min(bound.value, live.value, routes.value.count) < number { early.append(number) }
      shown.append(number)
    }
    for round in 1...1_000 {
      for action in 0..<actionsInARow { viewModel.execute(action) }
      await settle { shown.value.count == round * actionsInARow }
    }
    #expect(early.value == [])
    #expect(routes.value == Array(1...1_000 * actionsInARow))
    #expect(shown.value == routes.value)
    bag.dispose()
  }

  /// Each thread has streams of its own. All threads share one navigation and the main actor.
  @Test func theEventsOfEachThreadKeepTheirOrder() async {
    let seen = Locked<[[Int]]>(Array(repeating: [], count: 8))
    @MainActor func see(_ number: Int) { seen.mutate { $0[number / 10_000].append(number % 10_000) } }
    owner.resume()
    navigation.observe(owner) { see($0) }
    let streams = (0..<8).map { _ in (states: PublishSubject<Int>(), messages: PublishSubject<Int>()) }
    for stream in streams {
      stream.states.bind { see($0) }.disposed(by: bag)
      stream.messages.asLiveEvents().observe(owner) { see($0) }
    }
    let navigator = navigation.navigator
    await race(threads: 8) { thread in
      for number in 0..<3_000 {
        let value = thread * 10_000 + number
        switch number % 3 {
        case 0: streams[thread].states.onNext(value)
        case 1: navigator.navigate(value)
        default: streams[thread].messages.onNext(value)
        }
      }
    }
    await settle { seen.value.allSatisfy { $0.count == 3_000 } }
    for values in seen.value { #expect(values == Array(0..<3_000)) }
    bag.dispose()
  }
}
