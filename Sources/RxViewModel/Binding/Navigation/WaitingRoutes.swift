/// The routes that wait in a ``Navigation``, sent from any thread.
final class WaitingRoutes<Route: Sendable>: Sendable {
  /// Nil once the route has been delivered or its request has been disposed.
  private typealias Place = Lock<Route?>

  private struct State {
    var places = Queue<Place>()
    /// The count at which the places of disposed requests are removed: O(1) per route, on the whole.
    var crowd = 64
    var isScheduled = false
  }

  private let state = Lock(State())

  deinit {
    // One by one, so that each route is released with no lock held, also where the cancellation of its request holds its place.
    while popFirst() != nil {}
  }

  /// Appends routes that belong together.
  ///
  /// - Parameters:
  ///   - cancellation: of the request whose route this is; it removes the route.
  ///   - schedules: whether the caller schedules a delivery if the result is true.
  /// - Returns: whether no delivery had been scheduled.
  func append(_ routes: [Route], _ cancellation: SerialDisposable?, schedules: Bool) -> Bool {
    let places = routes.map { Place($0) }
    if let cancellation, let place = places.first {
      cancellation.replace(with: Disposables.create { _ = place.withLock { $0.take() } })
    }
    return state.withLock { state in
      if state.places.count >= state.crowd {
        // Empty places only: nothing of the user's is released here.
        state.places.removeAll { $0.withLock { $0 == nil } }
        state.crowd = max(64, 2 * state.places.count)
      }
      for place in places { state.places.append(place) }
      if !schedules || state.isScheduled { return false }
      state.isScheduled = true
      return true
    }
  }

  /// Lets the next ``append(_:_:schedules:)`` schedule a delivery. The result is the number of places that are taken.
  func beginDelivery() -> Int {
    state.withLock { state in
      state.isScheduled = false
      return state.places.count
    }
  }

  /// The first route whose request has not been disposed.
  func popFirst() -> Route? {
    while let place = takeFirstPlace() {
      if let route = place.withLock({ $0.take() }) { return route }
    }
    return nil
  }

  private func takeFirstPlace() -> Place? {
    state.withLock { state in
      let place = state.places.popFirst()
      if state.places.isEmpty { state.crowd = 64 }
      return place
    }
  }
}
