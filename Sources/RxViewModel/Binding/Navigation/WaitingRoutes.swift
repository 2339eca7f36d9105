/// The routes of a ``Navigation`` that have not been delivered, sent from any thread.
///
/// A route that is sent off the main actor is on its way until the hop of its call reaches the main actor. Until then no delivery takes it,
/// so that it comes after everything that was sent to the main actor before it (contract 6.2).
final class WaitingRoutes<Route: Sendable>: Sendable {
  /// Nil once the route has been delivered or its request has been disposed.
  private typealias Place = Lock<Route?>

  private struct State {
    /// The places, each with the number of its call.
    var places = Queue<(call: Int, place: Place)>()
    /// The count at which the places of disposed requests are removed: amortized O(1) per route.
    var compactionCount = 64
    /// The number of the last call.
    var sent = 0
    /// The number of the last call whose routes have reached the main actor.
    var arrived = 0
  }

  // While `append` holds this lock, it takes the lock of each `Place` too.
  private let state = Lock(State())

  deinit {
    state.withLock { $0.arrived = $0.sent }
    // One by one, so that each route is released with no lock held, even if the cancellation of its request retains its
    // place.
    while popFirst() != nil {}
  }

  /// Appends the routes of one call.
  ///
  /// - Parameters:
  ///   - cancellation: The cancellation of the request that sends this route. Disposing it removes the route.
  ///   - isOnMain: Whether the caller is on the main actor.
  /// - Returns: The number of the call if the routes are on their way: then the caller passes it to ``arrive(_:)`` on the main actor. Nil
  ///   if they have arrived, because the caller is on the main actor and no earlier route is on its way.
  func append(_ routes: [Route], _ cancellation: SerialDisposable?, isOnMain: Bool) -> Int? {
    let places = routes.map { Place($0) }
    if let cancellation, let place = places.first {
      cancellation.replace(with: Disposables.create { _ = place.withLock { $0.take() } })
    }
    return state.withLock { state in
      if state.places.count >= state.compactionCount {
        // Removes only empty places, so this releases no object of the user's under the lock.
        state.places.removeAll { $0.place.withLock { $0 == nil } }
        state.compactionCount = max(64, 2 * state.places.count)
      }
      let hasArrived = isOnMain && state.arrived == state.sent
      state.sent += 1
      for place in places { state.places.append((state.sent, place)) }
      if !hasArrived { return state.sent }
      state.arrived = state.sent
      return nil
    }
  }

  /// The routes of this call, and of all calls before it, have reached the main actor.
  ///
  /// The hops of calls on several threads may come in another order than the calls. The routes of an earlier call then arrive with a later
  /// one, which still comes after everything that the thread of the earlier call has sent before.
  func arrive(_ call: Int) {
    state.withLock { $0.arrived = max($0.arrived, call) }
  }

  /// The first route that has arrived and whose request has not been disposed.
  func popFirst() -> Route? {
    while let place = takeFirstPlace() {
      if let route = place.withLock({ $0.take() }) { return route }
    }
    return nil
  }

  private func takeFirstPlace() -> Place? {
    state.withLock { state in
      guard let first = state.places.first, first.call <= state.arrived else { return nil }
      _ = state.places.popFirst()
      if state.places.isEmpty { state.compactionCount = 64 }
      return first.place
    }
  }
}
