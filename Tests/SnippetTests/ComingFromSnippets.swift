// The code of the articles on migrating from other libraries, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

// MARK: From RxSwift and ReactorKit

nonisolated struct Profile: Sendable, Equatable {
  var name = ""
  var isFollowed = false
}

nonisolated enum FollowAction: Sendable, Equatable {
  case load
  case toggle
}

final class FollowViewModel: RxViewModel<FollowAction, Profile>, @unchecked Sendable {
  private let load: @Sendable () async throws -> Profile
  private let follow: @Sendable (Bool) async throws -> Void

  init(
    load: @escaping @Sendable () async throws -> Profile, follow: @escaping @Sendable (Bool) async throws -> Void,
    scheduler: (any Scheduler)? = nil
  ) {
    (self.load, self.follow) = (load, follow)
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> Profile { Profile() }

  override func createObservable(_ action: FollowAction) -> Effect {
    switch action {
    case .load:
      return Observable.task(load).mutate { profile, loaded in profile = loaded }
    case .toggle:
      let (follow, wanted) = (follow, !currentState.isFollowed)
      return Observable.task { try await follow(wanted) }.mutate { profile, _ in profile.isFollowed = wanted }
    }
  }

  override func showSpinner(_ action: FollowAction) -> Bool { action == .load }

  // A second tap is dropped while the first one is at work.
  override func executionMode(for action: FollowAction) -> ExecutionMode {
    action == .toggle ? .dropWhileBusy : .switchLatest
  }
}

@MainActor
final class ProfileScreen {
  private(set) var title = ""
  private(set) var button = ""
  private(set) var isSpinning = false
  private(set) var alerts: [String] = []
  private let viewModel: FollowViewModel
  private let bag = DisposeBag()

  init(_ viewModel: FollowViewModel) {
    self.viewModel = viewModel
    viewModel.stateObservable.map(\.name).distinctUntilChanged()
      .bind(to: self, \.title).disposed(by: bag)
    viewModel.stateObservable.map { $0.isFollowed ? "Unfollow" : "Follow" }.distinctUntilChanged()
      .bind(to: self, \.button).disposed(by: bag)
    viewModel.isLoadingObservable.bind(to: self, \.isSpinning).disposed(by: bag)
    viewModel.errorObservable.bind { [weak self] in self?.alerts.append("\($0)") }.disposed(by: bag)
    viewModel.execute(.load)
  }

  func buttonTapped() { viewModel.execute(.toggle) }
}

// MARK: From the Composable Architecture

nonisolated enum ForecastAction: Sendable, Equatable {
  case refresh
}

nonisolated struct ForecastState: Sendable, Equatable {
  var forecast: String?
  var hasFailed = false
}

final class ForecastViewModel: RxViewModel<ForecastAction, ForecastState>, @unchecked Sendable {
  private let forecast: @Sendable () async throws -> String

  init(scheduler: (any Scheduler)? = nil, forecast: @escaping @Sendable () async throws -> String) {
    self.forecast = forecast
    super.init(scheduler: scheduler)
  }

  override func createInitialState() -> ForecastState { ForecastState() }

  override func createObservable(_ action: ForecastAction) -> Effect {
    switch action {
    case .refresh:
      Observable.task(forecast).mutate { $0 = ForecastState(forecast: $1) }
        .catch { _ in .mutate { $0.hasFailed = true } }
    }
  }

  // A refresh cancels the one before it.
  override func executionMode(for action: ForecastAction) -> ExecutionMode { .switchLatest }

  override func showSpinner(_ action: ForecastAction) -> Bool { true }
}

// MARK: From Kotlin

nonisolated enum CartAction: Sendable, Equatable {
  case load
  case add(String)
}

nonisolated struct CartState: Sendable, Equatable {
  var items: [String] = []
}

final class CartViewModel: RxViewModel<CartAction, CartState>, @unchecked Sendable {
  private let cart: Observable<[String]>
  private let add: @Sendable (String) -> Observable<String>

  init(
    cart: Observable<[String]>, add: @escaping @Sendable (String) -> Observable<String>,
    scheduler: (any Scheduler)? = nil
  ) {
    (self.cart, self.add) = (cart, add)
    super.init(initialState: CartState(), scheduler: scheduler)
  }

  override func createObservable(_ action: CartAction) -> Effect {
    switch action {
    case .load: cart.mutate { $0.items = $1 }
    case .add(let item): add(item).mutate { $0.items.append($1) }
    }
  }

  override func showSpinner(_ action: CartAction) -> Bool { true }
}

@MainActor
final class CartScreen {
  private(set) var rows: [String] = []
  private(set) var isSpinning = false
  private let viewModel: CartViewModel
  private let lifecycle = Lifecycle()
  private let state: RxLiveData<CartState>
  private let bag = DisposeBag()

  init(_ viewModel: CartViewModel) {
    self.viewModel = viewModel
    state = viewModel.stateObservable.asLiveData(viewModel)
    state.observe(lifecycle) { [weak self] state in self?.rows = state.items }.disposed(by: bag)
    viewModel.isLoadingObservable.bind(to: self, \.isSpinning).disposed(by: bag)
    viewModel.execute(.load, mode: .parallelOrdered)
  }

  func appear() { lifecycle.resume() }
  func disappear() { lifecycle.pause() }
  func addTapped(_ item: String) { viewModel.execute(.add(item), mode: .parallelOrdered) }
}

// MARK: - Tests

nonisolated private struct NoNetwork: Error {}

@MainActor
struct MigrationSnippetTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aProfileIsFollowedOnceByADoubleTap() {
    let (scheduler, calls) = (TestScheduler(), BehaviorSubject(value: 0))
    let clock = scheduler.clock
    let viewModel = FollowViewModel(
      load: { Profile(name: "Ada", isFollowed: false) },
      follow: { _ in
        calls.onNext(calls.value + 1)
        try await clock.sleep(for: .milliseconds(10))
      }, scheduler: scheduler)
    let screen = ProfileScreen(viewModel)
    scheduler.run()
    screen.buttonTapped()
    screen.buttonTapped()
    scheduler.run()
    #expect(calls.value == 1)
    #expect(viewModel.currentState == Profile(name: "Ada", isFollowed: true))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aForecastThatFailsIsAStateAndACancelledOneIsNot() throws {
    let scheduler = TestScheduler()
    let clock = scheduler.clock
    let isOnline = BehaviorSubject(value: true)
    let viewModel = ForecastViewModel(scheduler: scheduler) {
      try await clock.sleep(for: .seconds(1))
      if !isOnline.value { throw NoNetwork() }
      return "Rain"
    }
    try withTestStore(viewModel) { store in
      try store.send(.refresh)
      try store.advance(by: .seconds(1)) { $0.forecast = "Rain" }
      isOnline.onNext(false)
      try store.send(.refresh)
      try store.advance(by: .seconds(1)) { $0.hasFailed = true }
      try store.send(.refresh)
      viewModel.cancelActions { $0 == .refresh }
      try store.advance()
      try store.expect(.cancelled, of: .refresh)
    }
  }

  @Test func aSlowCartStaysInOrderAndTheScreenSeesTheLatest() {
    let scheduler = TestScheduler()
    let viewModel = CartViewModel(
      cart: Observable.just(["tea"]).delay(.seconds(2), scheduler: scheduler), add: { .just($0) },
      scheduler: scheduler)
    let states = viewModel.stateObservable.map(\.items).test(scheduler)
    let screen = CartScreen(viewModel)
    screen.appear()
    screen.addTapped("milk")
    scheduler.run()
    #expect(states.values == [[], ["tea"], ["tea", "milk"]])
  }
}
