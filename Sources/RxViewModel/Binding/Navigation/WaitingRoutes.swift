/// The routes that wait in a ``Navigation``, sent from any thread.
final class WaitingRoutes<Route: Sendable>: Sendable {
  /// Nil once the route has been delivered or its request has been disposed.
  private typealias Place = Lock<Route?>

  private struct State {
    var places = Queue<Place>()
    /// The count at which the places of disposed requests are removed: amortized O(1) per route.
    var crowd = 64
    var isScheduled = false
  }

  private let state = Lock(State())

  deinit {
    // One by one, so that each route is released with no lock held, even if the cancellation of its request retains its
    // place.
    while popFirst() != nil {}
  }

  /// Appends the routes of one call.
  ///
  /// - Parameters:
  ///   - cancellation: The cancellation of the request that sends this route. Disposing it removes the route.
  ///   - schedules: Whether the caller schedules a delivery if the result is true.
  /// - Returns: True if no delivery was scheduled before.
  func append(_ routes: [Route], _ cancellation: SerialDisposable?, schedules: Bool) -> Bool {
    let places = routes.map { Place($0) }
    if let cancellation, let place = places.first {
      cancellation.replace(with: Disposables.create { _ = place.withLock { $0.take() } })
    }
    return state.withLock { state in
      if state.places.count >= state.crowd {
        // Removes only empty places, so this releases no object of the user's under the lock.
        state.places.removeAll { $0.withLock { $0 == nil } }
        state.crowd = max(64, 2 * state.places.count)
      }
      for place in places { state.places.append(place) }
      if !schedules || state.isScheduled { return false }
      state.isScheduled = true
      return true
    }
  }

  /// Lets the next ``append(_:_:schedules:)`` schedule a delivery. Returns the number of places in use.
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
