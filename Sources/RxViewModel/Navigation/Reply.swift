/// A screen's answer to a request, as an associated value of its route: `case pickColor(Reply<Color>)`.
///
/// You can use it from any thread. The first call of ``send(_:)``, ``fail(_:)`` or ``cancel()`` counts; later calls have no effect.
/// Releasing the last reference counts as ``cancel()``: when the user swipes a screen away, the screen releases its reply, and the request
/// ends. ``ended`` tells the host when the request is over. A reply is equal to itself only.
public final class Reply<Value: Sendable>: Sendable, Hashable {
  /// Nil once the request is over.
  private let handler: Lock<(@Sendable (Event<Value>) -> Void)?>
  private let over = ReplaySubject<Void>(bufferSize: 1)

  /// Emits one element and completes when the request is over, however it has ended.
  ///
  ///     _ = reply.ended.bind { [weak self, weak reply] in
  ///       if let reply { self?.dismissSheet(of: reply) }
  ///     }
  ///
  /// A request is over when the screen has answered it, failed it, cancelled it or released its reply, and when its subscription has been
  /// disposed: a view model disposes the requests of an action that it cancels, and all of them when it is cleared. A reply that you make
  /// yourself has no request, so only the screen ends it. The events come on the thread that ends the request, after the answer. A later
  /// subscriber gets them before `subscribe` returns. The stream never fails.
  ///
  /// Neither the stream nor a subscription to it retains the reply. Capture the reply weakly, as above, because a closure that retains it
  /// keeps the release of the screen from ending the request. If the release has ended the request, the weak reference is nil in the
  /// closure: the screen has been dismissed already.
  ///
  /// A request also ends when the view model that made it is released, for example because its screen is removed from the navigation path.
  /// If your closure may change that path, give the path a `didSet { withExtendedLifetime(oldValue) {} }`, which delays the release until
  /// after the change. Otherwise Swift traps: *Simultaneous accesses*.
  public var ended: Observable<Void> { over.asObservable() }

  /// Makes a reply that calls `handler` with the screen's answer: an element and the completion, an error, or the
  /// completion alone.
  ///
  /// The reply calls the handler on the thread that answers, and then releases it. ``Navigator/request(_:)`` makes replies for you. Make
  /// one yourself to present a screen without a view model.
  public init(_ handler: @escaping @Sendable (Event<Value>) -> Void) {
    self.handler = Lock(handler)
  }

  /// Answers with `value`, which ends the request.
  public func send(_ value: Value) {
    end { handler in
      handler(.next(value))
      handler(.completed)
    }
  }

  /// Ends the request with `error`: the screen could not be shown, or could not do its work.
  ///
  /// The action that made the request fails with this error.
  public func fail(_ error: any Error) {
    end { $0(.error(error)) }
  }

  /// Ends the request without an answer.
  ///
  /// This isn't an error: the action that made the request completes.
  public func cancel() {
    end { $0(.completed) }
  }

  /// Ends the request without calling the handler, because the request's subscription has been disposed.
  func requestIsDisposed() {
    end { _ in }
  }

  deinit {
    cancel()
  }

  /// Calls `answer` with the handler, and then the subscribers of ``ended``. Only the first call has an effect.
  private func end(_ answer: (@Sendable (Event<Value>) -> Void) -> Void) {
    guard let handler = handler.withLock({ $0.take() }) else { return }
    answer(handler)
    over.onNext(())
    over.onCompleted()
  }

  public static func == (left: Reply, right: Reply) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
