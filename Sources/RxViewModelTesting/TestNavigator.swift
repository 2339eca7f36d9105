import RxViewModel

/// Records what a view model navigates to, and answers if it is told how.
///
///     let screens = TestNavigator<AppRoute> { route in
///       if case .pickColor(let reply) = route { reply.send(.blue) }
///     }
///     let viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
///
/// Routes that are recorded keep their `Reply`: a request that `handle` does not answer waits, and the test answers it later by
/// way of ``routes``. May be used from any thread.
public final class TestNavigator<Route: Sendable>: Sendable {
  private let time: VirtualTime?
  private let recorded = Lock<[Recorded<Route>]>([])
  private let handle: @Sendable (Route) -> Void

  /// A navigator that has recorded nothing.
  ///
  /// - Parameters:
  ///   - scheduler: gives the times of ``events``; without one they are all zero. It is not kept alive.
  ///   - handle: is called with each route, in their order, on the thread that navigates, after the route has been recorded.
  public init(scheduler: TestScheduler? = nil, _ handle: @escaping @Sendable (Route) -> Void = { _ in }) {
    time = scheduler?.time
    self.handle = handle
  }

  /// Sends routes here, and keeps this test navigator alive.
  public var navigator: Navigator<Route> {
    Navigator { [self] routes in
      let time = time?.now ?? .zero
      let events = routes.map { Recorded(time, .next($0)) }
      recorded.withLock { $0 += events }
      for route in routes { handle(route) }
    }
  }

  /// The routes that have come so far; those that were given together stand together. O(n).
  public var routes: [Route] {
    events.compactMap(\.event.element)
  }

  /// The routes that have come so far, each with its time.
  public var events: [Recorded<Route>] {
    recorded.withLock { $0 }
  }
}
