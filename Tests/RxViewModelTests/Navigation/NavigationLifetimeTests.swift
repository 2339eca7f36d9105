import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 6.4, 6.6
@MainActor
struct NavigationLifetimeTests {
  @Test func theWaitingRouteOfACancelledActionIsNotDeliveredAndOthersAre() {
    let (window, scheduler) = (PaintWindow(), TestScheduler())
    let viewModel = PaintViewModel(navigator: window.navigation.navigator, scheduler: scheduler)
    window.open("about")
    viewModel.execute(.chooseInk)
    scheduler.run()
    window.open("settings")
    viewModel.cancelActions { $0 == .chooseInk }
    scheduler.run()
    window.appear()
    #expect(window.shown == [.about, .settings(.about)])
  }

  @Test func aRequestDisposedWhileItWaitsReleasesItsRouteAtOnceAndEmitsNothing() {
    struct Route: Sendable {
      let object: Lifetimes.Object
      let reply: Reply<Int>
    }
    let (navigation, lifetimes) = (Navigation<Route>(), Lifetimes())
    let requests = (0..<3).map { _ in
      navigation.navigator.request { Route(object: lifetimes.make(), reply: $0) }.test()
    }
    #expect(lifetimes.alive == 3)
    requests[1].dispose()
    #expect(lifetimes.alive == 2 && requests[1].events.isEmpty)
    let owner = Lifecycle()
    owner.resume()
    let subscription = navigation.observe(owner) { $0.reply.send(1) }
    #expect(requests.map(\.values) == [[1], [], [1]] && lifetimes.alive == 0)
    subscription.dispose()
  }

  #if os(Linux)
    // The test measures in a process of its own, where no other test allocates.
    @Test(.stress, .ownThread) func disposedRequestsDoNotAccumulate() async {
      await #expect(processExitsWith: .success) {
        let navigation = Navigation<Reply<Int>>()
        let work = { for _ in 0..<10_000 { navigation.navigator.request { $0 }.test().dispose() } }
        work()
        // A leak grows each time. The allocator's own reserve comes once.
        let growth = (0..<3).map { _ in allocation(of: work) }.min()!
        precondition(growth < 65_536, "\(growth) bytes more after 10,000 requests")
      }
    }
  #endif

  @Test func aReleasedNavigationCompletesTheWaitingRequests() {
    var navigation: Navigation<Reply<Int>>? = Navigation()
    let navigator = navigation!.navigator
    let waiting = (0..<3).map { _ in navigator.request { $0 }.test() }
    #expect(waiting.allSatisfy { $0.events.isEmpty })
    navigation = nil
    #expect(waiting.allSatisfy { $0.values.isEmpty && $0.isCompleted })
    let late = navigator.request { $0 }.test()
    #expect(late.values.isEmpty && late.isCompleted)
  }

  @Test func aRequestIsAnsweredByTheScreenThatGotItsRoute() {
    let (navigation, owner, held) = (Navigation<Reply<Int>>(), Lifecycle(), Locked<[Reply<Int>]>([]))
    let request = navigation.navigator.request { $0 }.test()
    owner.resume()
    let subscription = navigation.observe(owner) { reply in held.mutate { $0.append(reply) } }
    #expect(request.events.isEmpty)
    // The screen that has received the reply is independent of the host and of the navigation.
    subscription.dispose()
    held.value.first?.send(3)
    #expect(request.values == [3] && request.isCompleted)
  }

  @Test func anEndedHostIsReleasedWithTheObjectsThatItRetains() {
    let (navigation, lifetimes) = (Navigation<Int>(), Lifetimes())
    func observe(_ owner: Lifecycle) -> any Disposable {
      let object = lifetimes.make()
      return navigation.observe(owner) { _ in object.touch() }
    }
    let (disposed, destroyed) = (Lifecycle(), Lifecycle())
    var released: Lifecycle? = Lifecycle()
    let subscriptions = [observe(disposed), observe(destroyed), observe(released!)]
    #expect(lifetimes.alive == 3)
    subscriptions[0].dispose()
    #expect(lifetimes.alive == 2)
    destroyed.destroy()
    #expect(lifetimes.alive == 1)
    released = nil
    #expect(lifetimes.alive == 0)
    // The owner has ended before.
    let late = observe(destroyed)
    #expect(lifetimes.alive == 0)
    withExtendedLifetime((subscriptions, late, navigation)) {}
  }

  @Test func ownersKeepItAliveAndNavigatorsDoNot() {
    weak var weakNavigation: Navigation<Int>?
    let host = NumberHost()
    let navigator: Navigator<Int>
    do {
      let navigation = Navigation<Int>()
      weakNavigation = navigation
      navigator = navigation.navigator
      host.observe(navigation)
    }
    navigator.navigate(1)
    #expect(host.seen == [1])
    host.lifecycle.destroy()
    #expect(weakNavigation == nil)
    navigator.navigate(2)
    #expect(host.seen == [1])
  }

  @Test(arguments: ["the end of the owner", "a dispose"])
  func theEndOfARequestMayUseTheOwnerIfTheNavigationIsReleased(by end: String) {
    let (owner, subject, isOver) = (Lifecycle(), PublishSubject<Int>(), Locked(false))
    let other = subject.asLiveEvents().observe(owner) { _ in }
    var navigation: Navigation<Reply<Int>>? = Navigation()
    let subscription = navigation!.observe(owner) { _ in }
    // The request waits, because the owner is paused. Its end disposes another observer of the same owner.
    _ = navigation!.navigator.request { $0 }.subscribe(onCompleted: {
      other.dispose()
      isOver.mutate { $0 = true }
    })
    navigation = nil
    #expect(!isOver.value)
    if end == "a dispose" { subscription.dispose() } else { owner.destroy() }
    #expect(isOver.value)
  }

  /// A `deinit` of user code may use the navigation that releases the object.
  @Test func aReleasedObjectOfTheUserMayNavigateAndObserve() {
    final class Greedy: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
      deinit { run() }
    }
    let (navigation, owner, host) = (Navigation<Int>(), Lifecycle(), NumberHost())
    host.observe(navigation)
    owner.resume()
    let navigator = navigation.navigator
    func observe() -> any Disposable {
      let greedy = Greedy {
        MainActor.assumeIsolated { _ = host.observe(navigation) }
        navigator.navigate(5)
      }
      return navigation.observe(owner) { _ in withExtendedLifetime(greedy) {} }
    }
    observe().dispose()
    #expect(host.seen == [5])
    _ = observe()
    owner.destroy()
    #expect(host.seen == [5, 5])
  }
}
