/// A screen's answer to a request, as an associated value of its route: `case pickColor(Reply<Color>)`.
///
/// May be used from any thread. The first call of ``send(_:)``, ``fail(_:)`` or ``cancel()`` counts; later calls have
/// no effect. Releasing the last reference counts as ``cancel()``: when the user swipes a screen away, the screen
/// releases its reply, and the request ends. A reply is equal to itself only.
public final class Reply<Value: Sendable>: Sendable, Hashable {
  /// Nil once the screen has answered.
  private let handler: Lock<(@Sendable (Event<Value>) -> Void)?>

  /// Makes a reply that calls `handler` with the screen's answer: an element and the completion, an error, or the
  /// completion alone.
  ///
  /// The reply calls the handler on the thread that answers, and then releases it. ``Navigator/request(_:)`` makes
  /// replies; make one yourself to present a screen without a view model.
  public init(_ handler: @escaping @Sendable (Event<Value>) -> Void) {
    self.handler = Lock(handler)
  }

  /// Answers with `value`, which ends the request.
  public func send(_ value: Value) {
    guard let handler = takeHandler() else { return }
    handler(.next(value))
    handler(.completed)
  }

  /// Ends the request with `error`: the screen could not be shown, or could not do its work.
  ///
  /// The action that made the request fails with this error.
  public func fail(_ error: any Error) {
    takeHandler()?(.error(error))
  }

  /// Ends the request without an answer.
  ///
  /// This is not an error: the action that made the request completes.
  public func cancel() {
    takeHandler()?(.completed)
  }

  deinit {
    cancel()
  }

  private func takeHandler() -> (@Sendable (Event<Value>) -> Void)? {
    handler.withLock { $0.take() }
  }

  public static func == (left: Reply, right: Reply) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
