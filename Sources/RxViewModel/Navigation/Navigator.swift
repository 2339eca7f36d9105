/// Sends a view model's routes to the app, from any thread, without waiting for a screen.
///
///     final class LoginViewModel: RxViewModel<LoginAction, LoginState>, @unchecked Sendable {
///       private let navigator: Navigator<AppRoute>
///
/// A route is a value of an enum of your app. Its associated value is the screen's input. In the app, get a navigator from a
/// ``Navigation``. In a test, make one from a closure, or use a `TestNavigator`.
public struct Navigator<Route: Sendable>: Sendable {
  /// Sends the routes of one call. For a request, the receiver must put a disposable that removes the route into `cancellation`.
  let send: @Sendable ([Route], _ cancellation: SerialDisposable?) -> Void

  init(sending send: @escaping @Sendable ([Route], _ cancellation: SerialDisposable?) -> Void) {
    self.send = send
  }

  /// Makes a navigator that calls `send` with each group of routes, on the thread that navigates.
  ///
  /// Such a navigator can't withdraw the route of a request: if the request is disposed, your closure has already received the route, and
  /// the answer to it has no effect.
  public init(_ send: @escaping @Sendable ([Route]) -> Void) {
    self.send = { routes, _ in send(routes) }
  }

  /// Sends routes to the screen, as one group.
  ///
  /// You can call it from any thread. Calls from one thread keep their order. No other route comes between the routes of one call.
  public func navigate(_ routes: Route...) {
    navigate(routes)
  }

  /// Sends routes to the screen, as one group in the order of the array: for example, the screens of a deep link.
  public func navigate(_ routes: [Route]) {
    if !routes.isEmpty { send(routes, nil) }
  }

  /// Requests an answer from a screen: returns a stream whose only element is the answer.
  ///
  ///     case .chooseColor: navigator.request { .pickColor($0) }.mutate { $0.color = $1 }
  ///
  /// Each subscription makes a ``Reply``, calls `route` with it on the subscribing thread, and sends the route. The answer and the
  /// completion, or the error of ``Reply/fail(_:)``, come on the thread on which the screen answers. If the screen cancels or releases the
  /// reply, as when the user swipes the screen away, the stream completes without an element.
  ///
  /// If you dispose the subscription before the screen has received the route, the screen never receives it. If you dispose it later, the
  /// answer has no effect, and ``Reply/ended`` tells the screen's host.
  public func request<Value: Sendable>(
    _ route: @escaping @Sendable (Reply<Value>) -> Route
  ) -> Observable<Value> {
    .create { observer in
      let cancellation = SerialDisposable()
      let reply = Reply { observer.on($0) }
      // Weak, because the release of the reply ends the request.
      let end = Disposables.create { [weak reply] in reply?.requestIsDisposed() }
      send([route(reply)], cancellation)
      return Disposables.create(cancellation, end)
    }
  }

  /// Returns a navigator for a part of the app that has routes of its own: `navigator.nested { .settings($0) }`.
  ///
  /// The navigator calls `embed` with each of the part's routes, in order, on the thread that navigates. Requests are answered and
  /// cancelled as usual.
  public func nested<Child: Sendable>(_ embed: @escaping @Sendable (Child) -> Route) -> Navigator<Child> {
    Navigator<Child>(sending: { routes, cancellation in send(routes.map(embed), cancellation) })
  }
}
