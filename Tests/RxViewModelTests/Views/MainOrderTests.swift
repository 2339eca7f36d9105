import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A view model that counts. After the state, the same action sends the count as a route and as a message.
final class RoutingViewModel: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: its properties are `let`s.
  private let navigator: Navigator<Int>
  private let sentMessages = PublishSubject<Int>()
  let messages: RxLiveEvents<Int>

  init(navigator: Navigator<Int>, scheduler: (any Scheduler)? = nil) {
    self.navigator = navigator
    messages = sentMessages.asLiveEvents()
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    .create { [self] observer in
      observer.onNext { $0 + 1 }
      navigator.navigate(currentState)
      sentMessages.onNext(currentState)
      observer.onCompleted()
      return Disposables.create()
    }
  }
}

/// A view model that loads a number and shows it with a second action, as *Navigation and one-off events* recommends.
private final class ConfirmingViewModel: RxViewModel<String, Int>, @unchecked Sendable {  // Sendable: it is let.
  private let navigator: Navigator<Int>

  init(navigator: Navigator<Int>, scheduler: any Scheduler) {
    self.navigator = navigator
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: String) -> Effect {
    if action == "show" {
      navigator.navigate(currentState)
      return .unchanged()
    }
    return Observable.timer(.seconds(1), scheduler: scheduler).mutate { state, _ in state = 7 }
      .do(onCompleted: { [weak self] in self?.execute("show") })
  }
}

// contract 3.4
@Suite struct ConfirmationTests {
  @Test func theRouteOfASecondActionComesAfterTheState() {
    let (scheduler, routes) = (TestScheduler(), Locked<[Int]>([]))
    let navigator = Navigator<Int> { sent in routes.mutate { $0 += sent } }
    let viewModel = ConfirmingViewModel(navigator: navigator, scheduler: scheduler)
    viewModel.execute("load")
    scheduler.run()
    #expect(routes.value == [7])
    withExtendedLifetime(viewModel) {}
  }
}

/// A view that records everything it receives in one list.
@MainActor
final class SeenInOrder {
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
@Suite struct MainOrderTests {
  private let seen = SeenInOrder()
  private let states = PublishSubject<Int>()
  private let messages = PublishSubject<Int>()
  private var navigator: Navigator<Int> { seen.navigation.navigator }

  @Test func aRouteComesAfterTheStateThatWasSentBeforeIt() async {
    seen.show(states, as: "state")
    onOtherThread { [states, navigator] in
      for number in 1...3 {
        states.onNext(number)
        navigator.navigate(number)
      }
    }
    #expect(seen.log == [])
    await settle { seen.log.count == 6 }
    #expect(seen.log == ["state 1", "route 1", "state 2", "route 2", "state 3", "route 3"])
  }

  @Test func bindAndLiveDataAndLiveEventsAndRoutesAreInOneOrder() async {
    let viewModel = Screen(scheduler: ImmediateScheduler())
    seen.show(states, as: "state")
    seen.show(states.asLiveData(viewModel), as: "data")
    seen.show(messages.asLiveEvents(), as: "message")
    onOtherThread { [states, messages, navigator] in
      navigator.navigate(1, 2)
      messages.onNext(1)
      states.onNext(1)
      messages.onNext(2)
      navigator.navigate(3)
      states.onNext(2)
    }
    await settle { seen.log.count == 9 }
    #expect(
      seen.log == [
        "route 1", "route 2", "message 1", "state 1", "data 1", "message 2", "route 3", "state 2", "data 2",
      ])
  }

  @Test func severalThreadsOneAfterTheOther() async {
    seen.show(states, as: "state")
    for number in 1...4 {
      onOtherThread { [states, navigator] in number % 2 == 0 ? states.onNext(number) : navigator.navigate(number) }
    }
    await settle { seen.log.count == 4 }
    #expect(seen.log == ["route 1", "state 2", "route 3", "state 4"])
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

  @Test func aRouteOfTheMainActorComesAfterThoseOnTheirWayAndOtherwiseAtOnce() async {
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
        requests.mutate { $0.append(navigator.request { Route(object: lifetimes.make(), reply: $0) }.test()) }
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
    let (viewModel, isDone) = (RoutingViewModel(navigator: navigator), Signal())
    seen.show(viewModel.stateObservable, as: "state")
    seen.show(viewModel.messages, as: "message")
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
