import RxViewModel

/// Records the routes of a view model, and can answer its requests.
///
///     let screens = TestNavigator<AppRoute> { route in
///       if case .pickColor(let reply) = route { reply.send(.blue) }
///     }
///     let viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
///
/// May be used from any thread. A recorded route retains its `Reply`. So if `handle` does not answer a request, the request waits, and the
/// test can answer it later through ``routes``.
public final class TestNavigator<Route: Sendable>: Sendable {
  private let time: VirtualTime?
  private let recorded = Lock<[Recorded<Route>]>([])
  private let handle: @Sendable (Route) -> Void

  /// Makes a test navigator that has recorded nothing.
  ///
  /// - Parameters:
  ///   - scheduler: Provides the times of ``events``. Without a scheduler they are all zero. The navigator does not keep it alive.
  ///   - handle: Called with each route after it has been recorded, in the order of the routes, on the thread that
  ///     navigates.
  public init(scheduler: TestScheduler? = nil, _ handle: @escaping @Sendable (Route) -> Void = { _ in }) {
    time = scheduler?.time
    self.handle = handle
  }

  /// A navigator that sends its routes here, and that keeps this test navigator alive.
  public var navigator: Navigator<Route> {
    Navigator { [self] routes in
      let time = time?.now ?? .zero
      let events = routes.map { Recorded(time, .next($0)) }
      recorded.withLock { $0 += events }
      for route in routes { handle(route) }
    }
  }

  /// The routes so far. Routes of one call are contiguous. O(n).
  public var routes: [Route] {
    events.compactMap(\.event.element)
  }

  /// The routes so far, each with its time.
  public var events: [Recorded<Route>] {
    recorded.withLock { $0 }
  }
}
