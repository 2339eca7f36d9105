/// Receives the routes of view models, and delivers them to screens. The app, a window or a tab holds one.
///
///     let navigation = Navigation<AppRoute>()
///     let viewModel = LoginViewModel(navigator: navigation.navigator)
///
/// It delivers each route exactly once, to one observer: the newest of those whose owner is resumed. If there is none, the route waits, so
/// a view model can navigate before the first screen exists. When the navigation is released, it releases the waiting routes, and their
/// requests complete without an answer.
///
/// The owners of its observers keep it alive. Navigators don't: a route that you send through one after the navigation has been released is
/// itself released immediately.
///
/// A route costs O(1), plus O(n) for n paused observers that are newer than the one that gets it.
public final class Navigation<Route: Sendable>: Sendable {
  /// A route with the number of its call. The route is nil once it has been delivered, or its request disposed.
  private final class Place: @unchecked Sendable {  // Sendable: the lock of the navigation guards the route.
    let call: Int
    var route: Route?

    init(_ call: Int, _ route: Route) { (self.call, self.route) = (call, route) }
  }

  /// The routes that have not been delivered, sent from any thread.
  ///
  /// A route that is sent off the main actor is on its way until the hop of its call reaches the main actor. Until then no delivery takes
  /// it, so that it comes after everything that was sent to the main actor before it (contract 6.2).
  private struct Waiting {
    var places = Queue<Place>()
    /// The count at which the places of disposed requests are removed: amortized O(1) per route.
    var limit = 64
    /// The number of the last call, and of the last one whose routes have reached the main actor.
    var (sent, arrived) = (0, 0)
  }

  private let waiting = Lock(Waiting())
  /// From the oldest to the newest.
  @MainActor private var hosts: [Host] = []
  @MainActor private var isDelivering = false

  /// An observer, with its owner.
  @MainActor
  private final class Host {
    let navigate: @MainActor @Sendable (Route) -> Void
    private weak var owner: Lifecycle?

    init(_ owner: Lifecycle, _ navigate: @escaping @MainActor @Sendable (Route) -> Void) {
      (self.owner, self.navigate) = (owner, navigate)
    }

    var isResumed: Bool { owner?.state == .resumed }
  }

  /// Creates a navigation without observers.
  public init() {}

  deinit {
    waiting.withLock { $0.arrived = $0.sent }
    // One by one, so that each route is released with no lock held, even if the cancellation of its request retains its place.
    while popFirst() != nil {}
  }

  /// A navigator that sends routes to this navigation. It doesn't keep the navigation alive.
  ///
  /// A route that you send on the main actor is delivered before `navigate` returns, if an owner is resumed, no delivery is running and no
  /// earlier route is on its way to the main actor. Any other route is delivered as soon as the main actor is free, after the states and
  /// events that were sent before it: see <doc:Guarantees>, 3.4.
  public var navigator: Navigator<Route> {
    Navigator(sending: { [weak self] routes, cancellation in self?.receive(routes, cancellation) })
  }

  /// Calls `navigate` with the routes, on the main actor, one at a time and in order, while `owner` is resumed.
  ///
  /// Each route goes to exactly one observer: of those whose owner is resumed, the one that observed last. If the owner is resumed, this
  /// delivers the waiting routes before it returns, unless you call it inside `navigate`. A route that `navigate` sends, and a route that
  /// waits when `navigate` observes or resumes a lifecycle, is delivered after `navigate` has returned. If `navigate` pauses its owner, the
  /// following routes wait, or go to another observer whose owner is resumed.
  ///
  /// Disposing the result, on any thread, removes the observer. So does destroying or releasing the owner, so you can discard the result.
  /// The waiting routes stay for the next observer.
  @MainActor
  @discardableResult
  public func observe(
    _ owner: Lifecycle, _ navigate: @escaping @MainActor @Sendable (Route) -> Void
  ) -> any Disposable {
    if owner.state == .destroyed { return Disposables.create() }
    let host = Host(owner, navigate)
    hosts.append(host)
    let key = owner.addHandler { [self, weak host] state in
      if state == .resumed { deliver() }
      if state == .destroyed { remove(host) }
    }
    deliver()
    return Disposables.create { [weak self, weak owner, weak host] in
      MainQueue.run {
        // Keeps the navigation alive until the owner has released its handler, which may hold the last reference.
        guard let self else { return }
        owner?.removeHandler(key)
        self.remove(host)
      }
    }
  }

  @MainActor
  private func remove(_ host: Host?) {
    guard let index = hosts.firstIndex(where: { $0 === host }) else { return }
    // The closure's captured objects are released after the access to `hosts` has ended.
    withExtendedLifetime(hosts.remove(at: index)) {}
  }

  /// Takes the routes of one call. Disposing `cancellation`, which belongs to the request that sends the first route, removes that route.
  private func receive(_ routes: [Route], _ cancellation: SerialDisposable?) {
    let isOnMain = MainQueue.isCurrent
    let (call, place) = waiting.withLock { waiting -> (Int?, Place?) in
      if waiting.places.count >= waiting.limit {
        // Removes only empty places, so this releases no object of the user's under the lock.
        waiting.places.removeAll { $0.route == nil }
        waiting.limit = max(64, 2 * waiting.places.count)
      }
      let hasArrived = isOnMain && waiting.arrived == waiting.sent
      waiting.sent += 1
      let places = routes.map { Place(waiting.sent, $0) }
      for place in places { waiting.places.append(place) }
      if hasArrived { waiting.arrived = waiting.sent }
      return (hasArrived ? nil : waiting.sent, places.first)
    }
    if let cancellation, let place {
      cancellation.replace(with: Disposables.create { [waiting] in _ = waiting.withLock { _ in place.route.take() } })
    }
    guard let call else { return MainActor.assumeIsolated { deliver() } }
    // The hops of calls on several threads may come in another order than the calls. The routes of an earlier call then arrive with a
    // later one, which still comes after everything that the thread of the earlier call has sent before.
    MainQueue.enqueue { [weak self] in
      self?.waiting.withLock { $0.arrived = max($0.arrived, call) }
      self?.deliver()
    }
  }

  /// Delivers the routes that have arrived while an owner is resumed. Inside an observer's callback this does nothing: the outer call
  /// continues. Routes of other threads do not prolong it, because they arrive in hops of their own (contract 6.2).
  @MainActor
  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    while let host = hosts.last(where: \.isResumed), let route = popFirst() { host.navigate(route) }
    isDelivering = false
  }

  /// The first route that has arrived and whose request has not been disposed.
  private func popFirst() -> Route? {
    waiting.withLock { waiting in
      while let first = waiting.places.first, first.call <= waiting.arrived {
        // The lock releases no route: a place that has one returns it.
        _ = waiting.places.popFirst()
        if waiting.places.isEmpty { waiting.limit = 64 }
        if let route = first.route.take() { return route }
      }
      return nil
    }
  }
}
