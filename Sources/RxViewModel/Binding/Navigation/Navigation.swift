/// Receives the routes of view models, and delivers them to screens. The app, a window or a tab holds one.
///
///     let navigation = Navigation<AppRoute>()
///     let viewModel = LoginViewModel(navigator: navigation.navigator)
///
/// It delivers each route exactly once, to one observer: the newest of those whose owner is resumed. If there is none, the route waits, so
/// a view model may navigate before the first screen exists. When the navigation is released, it releases the waiting routes, and their
/// requests complete without an answer.
///
/// The owners of its observers keep it alive. Navigators do not: a route that is sent through a navigator after the release of the
/// navigation is released at once.
///
/// A route costs O(1), plus O(n) for n paused observers that are newer than the one that gets it.
public final class Navigation<Route: Sendable>: Sendable {
  private let waiting = WaitingRoutes<Route>()
  /// From the oldest to the newest.
  @MainActor private var hosts: [NavigationHost<Route>] = []
  @MainActor private var isDelivering = false

  /// Creates a navigation without observers.
  public init() {}

  /// A navigator that sends routes to this navigation. It does not keep the navigation alive.
  ///
  /// A route that is sent on the main actor is delivered before `navigate` returns, if an owner is resumed, no delivery is running and no
  /// earlier route is on its way to the main actor. Any other route is delivered as soon as the main actor is free, after the states and
  /// events that were sent before it: see <doc:ThreadingAndOrdering>.
  public var navigator: Navigator<Route> {
    Navigator(sending: { [weak self] routes, cancellation in self?.receive(routes, cancellation) })
  }

  /// Calls `navigate` with the routes, on the main actor, one at a time and in order, while `owner` is resumed.
  ///
  /// Each route goes to exactly one observer: of those whose owner is resumed, the one that observed last. If the owner is resumed, this
  /// delivers the waiting routes before it returns, unless it is called from inside `navigate`. A route that `navigate` sends, and a route
  /// that waits when `navigate` observes or resumes a lifecycle, is delivered after `navigate` has returned. If `navigate` pauses its
  /// owner, the following routes wait, or go to another observer whose owner is resumed.
  ///
  /// Disposing the result, on any thread, removes the observer. So does destroying or releasing the owner, so the result may be discarded.
  /// The waiting routes stay for the next observer.
  @MainActor
  @discardableResult
  public func observe(
    _ owner: Lifecycle, _ navigate: @escaping @MainActor @Sendable (Route) -> Void
  ) -> any Disposable {
    if owner.state == .destroyed { return Disposables.create() }
    let host = NavigationHost(owner, navigate)
    hosts.append(host)
    let key = owner.addHandler { [self, weak host] state in
      switch state {
      case .resumed: deliver()
      case .paused: break
      case .destroyed: remove(host)
      }
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
  private func remove(_ host: NavigationHost<Route>?) {
    guard let index = hosts.firstIndex(where: { $0 === host }) else { return }
    let removed = hosts.remove(at: index)
    // The closure's captured objects are released after the access to `hosts` has ended.
    withExtendedLifetime(removed) {}
  }

  private func receive(_ routes: [Route], _ cancellation: SerialDisposable?) {
    guard let call = waiting.append(routes, cancellation, isOnMain: MainQueue.isCurrent) else {
      return MainActor.assumeIsolated { deliver() }
    }
    MainQueue.enqueue { [weak self] in
      self?.waiting.arrive(call)
      self?.deliver()
    }
  }

  /// Delivers the routes that have arrived while an owner is resumed. Inside an observer's callback this does nothing: the outer call
  /// continues. Routes of other threads do not prolong it, because they arrive in hops of their own (contract 6.2).
  @MainActor
  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    while let host = hosts.last(where: \.isResumed), let route = waiting.popFirst() { host.navigate(route) }
    isDelivering = false
  }
}
