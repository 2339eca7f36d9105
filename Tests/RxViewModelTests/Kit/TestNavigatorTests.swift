import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.1
struct TestNavigatorTests {
  private let scheduler = TestScheduler()

  @Test func recordsTheRoutesWithTheirTimes() {
    let screens = TestNavigator<String>(scheduler: scheduler)
    let navigator = screens.navigator
    _ = scheduler.schedule(after: .milliseconds(10)) { navigator.navigate("a") }
    _ = scheduler.schedule(after: .milliseconds(30)) { navigator.navigate("b", "c") }
    scheduler.run()
    #expect(screens.routes == ["a", "b", "c"])
    #expect(screens.events == events([10: "a", 30: "b", 30: "c"]))
    let timeless = TestNavigator<String>()
    timeless.navigator.navigate("d")
    #expect(timeless.events == events([0: "d"]))
  }

  // contract 6.2: a `TestNavigator` keeps the order of the `Navigation` for which it stands
  @Test func aRouteFromInsideTheClosureFollowsTheEarlierOnes() {
    let (navigator, handled) = (Locked<Navigator<String>?>(nil), Locked<[String]>([]))
    let screens = TestNavigator<String> { route in
      handled.append("begin \(route)")
      if route == "a" { navigator.value?.navigate("c", "d") }
      handled.append("end \(route)")
    }
    navigator.mutate { $0 = screens.navigator }
    navigator.value?.navigate("a", "b")
    #expect(screens.routes == ["a", "b", "c", "d"])
    #expect(handled.value == ["a", "b", "c", "d"].flatMap { ["begin \($0)", "end \($0)"] })
    navigator.mutate { $0 = nil }
  }

  // contract 1.6
  @Test func routesThatEachNavigateDoNotDeepenTheStack() {
    let (navigator, last) = (Locked<Navigator<Int>?>(nil), Locked(0))
    let screens = TestNavigator<Int> { route in
      last.mutate { $0 = route }
      if route < 20_000 { navigator.value?.navigate(route + 1) }
    }
    navigator.mutate { $0 = screens.navigator }
    #expect(onOtherThread { navigator.value?.navigate(1) })
    #expect(last.value == 20_000)
    navigator.mutate { $0 = nil }
  }

  @Test func recordsTheRoutesOfFourThreadsInTheirGroups() async {
    let screens = TestNavigator<Int>()
    await race(threads: 4) { thread in
      for number in 0..<500 { screens.navigator.navigate(thread * 1_000 + 2 * number, thread * 1_000 + 2 * number + 1) }
    }
    let routes = screens.routes
    #expect(routes.sorted() == Array(0..<4_000))
    #expect(stride(from: 0, to: 4_000, by: 2).allSatisfy { routes[$0 + 1] == routes[$0] + 1 })
  }

  @Test func theViewModelsNavigatorKeepsItAliveAndItsReleaseEndsTheRequest() {
    weak var weakScreens: TestNavigator<PaintRoute>?
    var viewModel: PaintViewModel?
    do {
      let screens = TestNavigator<PaintRoute>()
      weakScreens = screens
      viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
    }
    viewModel?.execute(.chooseInk)
    scheduler.run()
    #expect(weakScreens?.routes.count == 1)
    viewModel = nil
    scheduler.run()
    #expect(weakScreens == nil)
  }
}
