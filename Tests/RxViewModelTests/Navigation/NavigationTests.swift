import RxViewModel
import Testing

@testable import TestSupport

/// A screen that shows numbers.
@MainActor
final class NumberHost {
  let lifecycle = Lifecycle()
  var seen: [Int] = []

  init(isResumed: Bool = true) {
    if isResumed { lifecycle.resume() }
  }

  @discardableResult
  func observe(_ navigation: Navigation<Int>) -> any Disposable {
    navigation.observe(lifecycle) { [weak self] route in
      MainActor.assertIsolated()
      self?.seen.append(route)
    }
  }
}

// contract 6.1, 6.2
@MainActor
struct NavigationTests {
  private let navigation = Navigation<Int>()
  private var navigator: Navigator<Int> { navigation.navigator }

  @Test func routesSentBeforeThereIsAScreenComeBeforeObserveReturns() {
    navigator.navigate(1, 2)
    let host = NumberHost()
    host.observe(navigation)
    #expect(host.seen == [1, 2])
  }

  @Test func aPausedOwnerGetsEachRouteOnceAtItsResume() {
    let host = NumberHost(isResumed: false)
    host.observe(navigation)
    navigator.navigate(1, 2)
    #expect(host.seen == [])
    host.lifecycle.resume()
    #expect(host.seen == [1, 2])
    host.lifecycle.pause()
    host.lifecycle.resume()
    #expect(host.seen == [1, 2])
  }

  @Test func aHandlerThatPausesItsOwnerGetsTheRestAtTheResume() {
    let (lifecycle, seen) = (Lifecycle(), Locked<[Int]>([]))
    lifecycle.resume()
    let subscription = navigation.observe(lifecycle) { [weak lifecycle] route in
      seen.mutate { $0.append(route) }
      if route == 1 { lifecycle?.pause() }
    }
    navigator.navigate(1, 2, 3)
    #expect(seen.value == [1])
    lifecycle.resume()
    #expect(seen.value == [1, 2, 3])
    subscription.dispose()
  }

  @Test func theNewestResumedHostGetsTheRoute() {
    let (first, second) = (NumberHost(), NumberHost())
    first.observe(navigation)
    let subscription = second.observe(navigation)
    navigator.navigate(1)
    #expect(first.seen == [] && second.seen == [1])
    second.lifecycle.pause()
    navigator.navigate(2)
    #expect(first.seen == [2] && second.seen == [1])
    second.lifecycle.resume()
    navigator.navigate(3)
    #expect(first.seen == [2] && second.seen == [1, 3])
    subscription.dispose()
    navigator.navigate(4)
    #expect(first.seen == [2, 4] && second.seen == [1, 3])
  }

  @Test func routesThatWaitForADestroyedHostAreDeliveredToTheOther() {
    let (first, second) = (NumberHost(isResumed: false), NumberHost(isResumed: false))
    first.observe(navigation)
    second.observe(navigation)
    navigator.navigate(1, 2)
    second.lifecycle.destroy()
    #expect(first.seen == [])
    first.lifecycle.resume()
    #expect(first.seen == [1, 2] && second.seen == [])
    second.observe(navigation)
    first.lifecycle.destroy()
    navigator.navigate(3)
    #expect(first.seen == [1, 2] && second.seen == [])
  }

  @Test func theRestOfAGroupGoesToTheRemainingHost() {
    let (first, second) = (NumberHost(), Lifecycle())
    first.observe(navigation)
    second.resume()
    let subscription = SerialDisposable()
    subscription.replace(
      with: navigation.observe(second) { [weak first] route in
        #expect(route == 1 && first?.seen == [])
        subscription.dispose()
      })
    navigator.navigate(1, 2, 3)
    #expect(first.seen == [2, 3])
  }

  @Test func aRouteSentFromInsideTheHandlerComesAfterItReturns() {
    let (lifecycle, log, navigator) = (Lifecycle(), Locked<[String]>([]), navigator)
    lifecycle.resume()
    let subscription = navigation.observe(lifecycle) { route in
      log.mutate { $0.append("enter \(route)") }
      if route == 1 { navigator.navigate(2) }
      log.mutate { $0.append("exit \(route)") }
    }
    navigator.navigate(1)
    #expect(log.value == ["enter 1", "exit 1", "enter 2", "exit 2"])
    subscription.dispose()
  }

  @Test func aHostThatObservesOrResumesInsideAHandlerWaitsUntilTheHandlerReturns() {
    let (outer, log, navigation) = (Lifecycle(), Locked<[String]>([]), navigation)
    let (inner, paused) = (NumberHost(), NumberHost(isResumed: false))
    outer.resume()
    paused.observe(navigation)
    let subscription = navigation.observe(outer) { route in
      inner.observe(navigation)
      paused.lifecycle.resume()
      log.mutate { $0.append("\(route), then \(inner.seen) and \(paused.seen)") }
    }
    navigator.navigate(1, 2)
    #expect(log.value == ["1, then [] and []"])
    #expect(inner.seen == [2] && paused.seen == [])
    subscription.dispose()
  }

  /// The handler sends the route when the owner is resumed, and before the lifecycle has notified the navigation.
  @Test func aRouteSentWhileAnOwnerResumesGoesToThatOwner() {
    let (subject, older, newer, navigator) = (
      PublishSubject<Int>(), NumberHost(), NumberHost(isResumed: false), navigator
    )
    let events = subject.asLiveEvents()
    let subscription = events.observe(newer.lifecycle) { navigator.navigate($0) }
    older.observe(navigation)
    newer.observe(navigation)
    subject.onNext(7)
    newer.lifecycle.resume()
    #expect(newer.seen == [7] && older.seen == [])
    subscription.dispose()
  }

  @Test func eightThreadsLoseNothingAndKeepTheirOrderAndTheirGroups() async {
    let (host, navigator) = (NumberHost(), navigator)
    host.observe(navigation)
    await race(threads: 8) { thread in
      for number in 0..<250 {
        let first = thread * 10_000 + number * 4
        navigator.navigate(first, first + 1, first + 2)
        navigator.navigate(first + 3)
      }
    }
    await settle { host.seen.count == 8_000 }
    #expect(host.seen.count == 8_000)
    for thread in 0..<8 {
      #expect(host.seen.filter { $0 / 10_000 == thread } == (0..<1_000).map { thread * 10_000 + $0 })
    }
    // The first three of each four were sent in one call.
    for index in host.seen.indices where host.seen[index] % 4 == 0 {
      #expect(host.seen[index + 1] == host.seen[index] + 1 && host.seen[index + 2] == host.seen[index] + 2)
    }
  }

  @Test func aRouteFromAnotherThreadComesSoonOnTheMainActor() async {
    let (host, navigator) = (NumberHost(), navigator)
    host.observe(navigation)
    await onThread { navigator.navigate(1) }
    // This route comes at once, after the one sent before.
    navigator.navigate(2)
    #expect(host.seen == [1, 2])
    await onThread { navigator.navigate(3) }
    await settle { host.seen.count == 3 }
    #expect(host.seen == [1, 2, 3])
  }

  @Test func aDisposeOnAnotherThreadRemovesTheHost() async {
    let (older, newer) = (NumberHost(), NumberHost())
    older.observe(navigation)
    let subscription = newer.observe(navigation)
    await onThread { subscription.dispose() }
    await settle {
      navigator.navigate(0)
      return !older.seen.isEmpty
    }
    #expect(!older.seen.isEmpty)
  }
}
