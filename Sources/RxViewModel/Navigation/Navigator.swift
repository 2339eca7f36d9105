/// What a view model navigates with: takes routes, from any thread, and returns without waiting for a screen.
///
///     final class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
///       private let navigator: Navigator<AppRoute>
///
/// A route is a value of an enum of the app; what a screen needs is its associated value. In the app a ``Navigation`` makes the
/// navigator; in a test any closure does, or a `TestNavigator`.
public struct Navigator<Route: Sendable>: Sendable {
  /// Takes routes that belong together and, if they are those of a request, its cancellation: the receiver puts into it
  /// what removes the route.
  let send: @Sendable ([Route], _ cancellation: SerialDisposable?) -> Void

  init(sending send: @escaping @Sendable ([Route], _ cancellation: SerialDisposable?) -> Void) {
    self.send = send
  }

  /// A navigator that calls `send` with each group of routes, on the thread that navigates.
  ///
  /// The closure cannot take back a route: that of a request which is disposed later stays with the closure's receiver, and
  /// the answer to it has no effect.
  public init(_ send: @escaping @Sendable ([Route]) -> Void) {
    self.send = { routes, _ in send(routes) }
  }

  /// Sends routes to the screen.
  ///
  /// Routes given together are handled together: no other route comes between them. May be called from any thread; calls from
  /// one thread keep their order.
  public func navigate(_ routes: Route...) {
    navigate(routes)
  }

  /// Sends routes to the screen, in the order of the array: the screens of a deep link, for instance.
  public func navigate(_ routes: [Route]) {
    if !routes.isEmpty { send(routes, nil) }
  }

  /// A screen that answers, as a stream of its one answer.
  ///
  ///     case .chooseColor: navigator.request { .pickColor($0) }.mutate { $0.color = $1 }
  ///
  /// Each subscription makes a ``Reply``, calls `route` with it on the subscribing thread, and sends the route. Its events come on
  /// the thread on which the screen answers: the answer and the completion; the error of ``Reply/fail(_:)``; or the completion
  /// alone, if the screen cancels or releases the reply, as when the user swipes it away. If the subscription is disposed before
  /// the screen has received the route, the screen never receives it; if it is disposed later, the answer has no effect.
  public func request<Value: Sendable>(
    _ route: @escaping @Sendable (Reply<Value>) -> Route
  ) -> Observable<Value> {
    .create { observer in
      let cancellation = SerialDisposable()
      send([route(Reply { observer.on($0) })], cancellation)
      return cancellation
    }
  }

  /// A navigator for a part of the app that has routes of its own: `navigator.nested { .settings($0) }`.
  ///
  /// It calls `embed` with each of the part's routes, in their order, on the thread that navigates. Requests pass through, with
  /// their answers and their cancellations.
  public func nested<Child: Sendable>(_ embed: @escaping @Sendable (Child) -> Route) -> Navigator<Child> {
    Navigator<Child>(sending: { routes, cancellation in send(routes.map(embed), cancellation) })
  }
}
