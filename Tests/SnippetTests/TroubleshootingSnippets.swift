// The code of the page *Troubleshooting and questions*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

import struct RxViewModel.Observable

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

nonisolated struct ShopState: Sendable, Equatable {
  var cart: [String] = []
}

nonisolated enum ShopAction: Sendable, Equatable {
  case add(String)
}

final class ShopViewModel: RxViewModel<ShopAction, ShopState>, @unchecked Sendable {
  private let cart: MutableProperty<[String]>

  init(cart: MutableProperty<[String]>, scheduler: (any Scheduler)? = nil) {
    self.cart = cart
    super.init(initialState: ShopState(), scheduler: scheduler)
  }

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

struct TroubleshootingSnippetTests {
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
}
