/// Where routes wait for a screen. The app, a window or a tab has one, and holds it.
///
///     let navigation = Navigation<AppRoute>()
///     let viewModel = LoginViewModel(navigator: navigation.navigator)
///
/// Each route is delivered exactly once, to one observer: the newest of those whose owner is resumed. If there is none, the route
/// waits, so that a view model may navigate before there is a screen. When the navigation is released, the routes that wait are
/// released with it: their requests complete without an answer.
///
/// While it has observers, their owners keep it alive. Navigators do not; what is sent through one afterwards is released at once.
///
/// A route costs O(1), plus one look at each paused observer that is newer than the one that gets it.
public final class Navigation<Route: Sendable>: Sendable {
  /// How many routes that other threads send meanwhile one delivery delivers (contract 1.10).
  private static var limit: Int { 1024 }

  private let waiting = WaitingRoutes<Route>()
  /// From the oldest to the newest.
  @MainActor private var hosts: [NavigationHost<Route>] = []
  @MainActor private var isDelivering = false
  /// How many routes the delivery at work may still deliver.
  @MainActor private var allowance = 0

  /// A navigation without observers.
  public init() {}

  /// Sends routes here. It does not keep this navigation alive.
  ///
  /// What is sent on the main actor is delivered before `navigate` returns, if an owner is resumed and no delivery is going on;
  /// what is sent elsewhere, as soon as the main actor is free.
  public var navigator: Navigator<Route> {
    Navigator(sending: { [weak self] routes, cancellation in self?.receive(routes, cancellation) })
  }

  /// Calls `navigate` with the routes, on the main actor, one at a time and in order, while `owner` is resumed.
  ///
  /// Each route goes to exactly one observer: of those whose owner is resumed, the one that observed last. If the owner is resumed,
  /// the routes that wait are delivered before this returns. A route sent from inside `navigate` comes after it returns; if
  /// `navigate` pauses its owner, the routes after this one wait, or go to another observer whose owner is resumed.
  ///
  /// The observer is removed when the result is disposed, on whatever thread, and when the owner is destroyed or released. The
  /// routes that wait stay for the next one.
  @MainActor
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
        // Alive until the owner has dropped its handler, which may hold the last reference.
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
    // What its closure holds is released when `hosts` can be used again.
    withExtendedLifetime(removed) {}
  }

  private func receive(_ routes: [Route], _ cancellation: SerialDisposable?) {
    let isOnMain = MainQueue.isCurrent
    let isFirst = waiting.append(routes, cancellation, schedules: !isOnMain)
    if isOnMain {
      MainActor.assumeIsolated {
        allowance += routes.count
        deliver()
      }
    } else if isFirst {
      scheduleDelivery()
    }
  }

  private func scheduleDelivery() {
    Task { @MainActor [weak self] in self?.deliver() }
  }

  /// Delivers what waits, as long as an owner is resumed. A call from inside an observer is absorbed by the outermost.
  @MainActor
  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    allowance = waiting.beginDelivery() + Self.limit
    while allowance > 0, let host = hosts.last(where: \.isResumed), let route = waiting.popFirst() {
      allowance -= 1
      host.navigate(route)
    }
    isDelivering = false
    if allowance == 0 { scheduleDelivery() }
  }
}
