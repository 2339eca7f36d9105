import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 3.4, 6.2
@MainActor
@Suite(.serialized, .stress) struct MainOrderStressTests {
  /// Counts the routes and messages that arrive before the state that their action has folded before them.
  @MainActor
  private final class Screen {
    let navigation = Navigation<Int>()
    private let lifecycle = Lifecycle()
    private let bag = DisposeBag()
    private(set) var bound = 0
    private(set) var live = 0
    private(set) var routes: [Int] = []
    private(set) var messages: [Int] = []
    private(set) var early = 0

    init() {
      lifecycle.resume()
      navigation.observe(lifecycle) { [weak self] in self?.show(\.routes, $0) }.disposed(by: bag)
    }

    func show(_ viewModel: RoutingViewModel) {
      viewModel.stateObservable.bind { [weak self] in self?.bound = $0 }.disposed(by: bag)
      viewModel.stateObservable.asLiveData(viewModel)
        .observe(lifecycle) { [weak self] in self?.live = $0 }.disposed(by: bag)
      viewModel.messages.observe(lifecycle) { [weak self] in self?.show(\.messages, $0) }.disposed(by: bag)
    }

    private func show(_ list: ReferenceWritableKeyPath<Screen, [Int]>, _ number: Int) {
      if min(bound, live) < number { early += 1 }
      // A message comes after the route of its action.
      if list == \.messages, routes.count < number { early += 1 }
      self[keyPath: list].append(number)
    }
  }

  @Test(arguments: [1, 2, 8])
  func noRouteOrMessageComesBeforeItsState(actionsInARow: Int) async {
    let screen = Screen()
    let viewModel = RoutingViewModel(navigator: screen.navigation.navigator)
    screen.show(viewModel)
    for round in 1...1_000 {
      for action in 0..<actionsInARow { viewModel.execute(action) }
      await settle { screen.messages.count == round * actionsInARow }
    }
    #expect(screen.early == 0)
    #expect(screen.routes == Array(1...1_000 * actionsInARow))
    #expect(screen.messages == screen.routes)
  }

  @Test func actionsOfEightThreads() async {
    let screen = Screen()
    let viewModel = RoutingViewModel(navigator: screen.navigation.navigator)
    screen.show(viewModel)
    await race(threads: 8) { thread in
      for _ in 0..<1_000 { viewModel.execute(thread) }
    }
    await settle { screen.messages.count == 8_000 }
    #expect(screen.early == 0)
    #expect(screen.routes == Array(1...8_000))
    #expect(screen.messages == screen.routes)
  }

  /// Each thread has streams of its own. All threads share one navigation and the main actor.
  @Test func theEventsOfEachThreadKeepTheirOrder() async {
    let (navigation, owner, bag) = (Navigation<Int>(), Lifecycle(), DisposeBag())
    let seen = Locked<[[Int]]>(Array(repeating: [], count: 8))
    @MainActor func see(_ number: Int) { seen.mutate { $0[number / 10_000].append(number % 10_000) } }
    owner.resume()
    navigation.observe(owner) { see($0) }.disposed(by: bag)
    let streams = (0..<8).map { _ in (states: PublishSubject<Int>(), messages: PublishSubject<Int>()) }
    for stream in streams {
      stream.states.bind { see($0) }.disposed(by: bag)
      stream.messages.asLiveEvents().observe(owner) { see($0) }.disposed(by: bag)
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
  }
}
