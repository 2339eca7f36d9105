// The code of the page *Troubleshooting and questions*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

enum StopwatchAction: Sendable, Equatable {
  case start
}

struct StopwatchState: Sendable, Equatable {
  var seconds = 0
}

final class StopwatchViewModel: RxViewModel<StopwatchAction, StopwatchState>, @unchecked Sendable {
  private let ticks: Observable<Int>

  init(ticks: Observable<Int>, scheduler: (any Scheduler)? = nil) {
    self.ticks = ticks
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> StopwatchState { StopwatchState() }

  override func createObservable(_ action: StopwatchAction) -> Effect {
    ticks.mutate { state, tick in state.seconds = tick }
  }
}

struct Ticker: Feature {
  typealias State = Int

  enum Action: Sendable { case start, stop }

  func createObservable(_ action: Action, context: FeatureContext<Self>) -> Effect {
    switch action {
    case .start:
      Observable.interval(.seconds(1), scheduler: context.scheduler).mutate { seconds, _ in seconds += 1 }
    case .stop: context.cancel { $0 == .start }
    }
  }

  func executionMode(for action: Action) -> ExecutionMode { action == .start ? .dropWhileBusy : .parallel }
}

/// Makes the mistake that the page warns of: its endless effect captures the view model.
private final class SelfishViewModel: RxViewModel<StopwatchAction, StopwatchState>, @unchecked Sendable {
  private let ticks = PublishSubject<Int>()

  override func createInitialState() -> StopwatchState { StopwatchState() }

  override func createObservable(_ action: StopwatchAction) -> Effect {
    ticks.map { [self] tick in tick + currentState.seconds }.mutate { $0.seconds = $1 }
  }
}

struct ShopState: Sendable, Equatable {
  var cart: [String] = []
}

enum ShopAction: Sendable, Equatable {
  case add(String)
}

final class ShopViewModel: RxViewModel<ShopAction, ShopState>, @unchecked Sendable {
  private let cart: MutableProperty<[String]>

  init(cart: MutableProperty<[String]>, scheduler: (any Scheduler)? = nil) {
    self.cart = cart
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ShopState { ShopState() }

  override func createSources() -> [Effect] {
    [cart.asObservable().mutate { $0.cart = $1 }]
  }

  override func createObservable(_ action: ShopAction) -> Effect {
    switch action {
    case .add(let item):
      cart.update { $0.append(item) }
      return .unchanged()
    }
  }
}

@Suite struct TroubleshootingSnippetTests {
  // contract 2.17
  @Test func twoScreensShowOneCart() {
    let (scheduler, cart) = (TestScheduler(), MutableProperty(["tea"]))
    let one = ShopViewModel(cart: cart, scheduler: scheduler)
    let other = ShopViewModel(cart: cart, scheduler: scheduler)
    #expect(other.currentState.cart == ["tea"])
    one.execute(.add("milk"))
    scheduler.run()
    #expect(one.currentState.cart == ["tea", "milk"])
    #expect(other.currentState.cart == ["tea", "milk"])
  }

  // contract 2.19
  @Test func aClockCanBeStopped() {
    let scheduler = TestScheduler()
    let ticker = FeatureViewModel(Ticker(), initialState: 0, scheduler: scheduler)
    for _ in 1...2 { ticker.execute(.start) }
    scheduler.advance(by: .seconds(3))
    #expect(ticker.currentState == 3)
    ticker.execute(.stop)
    scheduler.advance(by: .seconds(3))
    #expect(ticker.currentState == 3)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func theNamesThatDoNotClash() {
    let stream: RxObservable<Int> = Observable.just(1)
    let scheduler: any RxScheduler = TestScheduler()
    #if compiler(>=6.3)
      let same: RxViewModel::Observable<Int> = stream
      #expect(same.test().values == [1])
    #endif
    withExtendedLifetime(scheduler) {}
    #expect(stream.test().values == [1])
  }

  // contract 2.9
  @Test func anEndlessEffectKeepsTheViewModelAliveOnlyIfItCapturesIt() {
    let scheduler = TestScheduler()
    let ticks = PublishSubject<Int>()
    weak var modest: StopwatchViewModel?
    weak var selfish: SelfishViewModel?
    do {
      let viewModel = StopwatchViewModel(ticks: ticks.asObservable(), scheduler: scheduler)
      viewModel.execute(.start)
      scheduler.run()
      ticks.onNext(7)
      scheduler.run()
      #expect(viewModel.currentState.seconds == 7)
      modest = viewModel
      let other = SelfishViewModel(scheduler: scheduler)
      other.execute(.start)
      scheduler.run()
      selfish = other
    }
    scheduler.run()
    #expect(modest == nil)
    #expect(selfish != nil)
    selfish?.clear()
    scheduler.run()
    #expect(selfish == nil)
  }
}
