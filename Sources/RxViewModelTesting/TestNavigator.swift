import RxViewModel

/// Records the routes of a view model, and can answer its requests.
///
///     let screens = TestNavigator<AppRoute> { route in
///       if case .pickColor(let reply) = route { reply.send(.blue) }
///     }
///     let viewModel = PaintViewModel(navigator: screens.navigator, scheduler: scheduler)
///
/// You can use it from any thread. A recorded route retains its `Reply`. So if `handle` doesn't answer a request, the request waits, and
/// your test can answer it later through ``routes``.
public final class TestNavigator<Route: Sendable>: Sendable {
  private let time: VirtualTime?
  private struct State {
    var recorded: [Recorded<Route>] = []
    /// The routes that wait for `handle`, for each thread that is inside it.
    var waiting: [(thread: ThreadID, routes: ArraySlice<Route>)] = []
  }

  private let state = Lock(State())
  /// The routes of each call, before they are handled, for the stores.
  let calls = PublishSubject<[Route]>()
  private let handle: @Sendable (Route) -> Void

  /// Makes a test navigator that has recorded nothing.
  ///
  /// - Parameters:
  ///   - scheduler: Gives the times of ``events``. Without a scheduler they are all zero. The navigator doesn't keep it alive.
  ///   - handle: Called with each route after it has been recorded, in the order of the routes, on the thread that navigates. If `handle`
  ///     navigates itself, these routes follow when it has returned and the earlier ones have been handled.
  public init(scheduler: TestScheduler? = nil, _ handle: @escaping @Sendable (Route) -> Void = { _ in }) {
    time = scheduler?.time
    self.handle = handle
  }

  /// The navigator for your view model. It sends its routes here, and keeps this test navigator alive.
  public var navigator: Navigator<Route> {
    Navigator { [self] routes in
      let time = time?.now ?? .zero
      state.withLock { $0.recorded += routes.map { Recorded(time, .next($0)) } }
      calls.onNext(routes)
      let isNested = state.withLock { state -> Bool in
        if let index = state.waiting.firstIndex(where: { $0.thread == .current }) {
          state.waiting[index].routes += routes
          return true
        }
        state.waiting.append((.current, routes[...]))
        return false
      }
      if isNested { return }
      while let route = nextRoute() { handle(route) }
    }
  }

  /// The next route that waits on this thread. Nil once there is none: then the thread is no longer inside `handle`.
  private func nextRoute() -> Route? {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.thread == .current }) else { return nil }
      if let route = state.waiting[index].routes.popFirst() { return route }
      state.waiting.remove(at: index)
      return nil
    }
  }

  /// The routes so far. Routes of one call are contiguous. O(n).
  public var routes: [Route] {
    events.compactMap(\.event.element)
  }

  /// The routes so far, each with its time.
  public var events: [Recorded<Route>] {
    state.withLock { $0.recorded }
  }
}
