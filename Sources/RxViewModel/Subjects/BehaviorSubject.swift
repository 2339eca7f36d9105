/// A subject with a value: each new subscriber gets the current value, then every later one.
///
/// A new subscriber gets the value on its own thread, before `subscribe` returns, then every later value exactly once, even while other
/// threads send (contract 1.5). After the terminal event, a new subscriber gets only that event.
public final class BehaviorSubject<Element: Sendable>: RxSubject<Element>, @unchecked Sendable {
  /// Creates a subject that holds `value` until it receives another one.
  @inlinable
  public init(value: Element) { super.init(SubjectCore(SubjectState(size: 1, value))) }

  /// The most recent value, even after the terminal event. You can read it from any thread.
  @inlinable
  public var value: Element { core.withSubject { $0.buffer.last! } }

  /// Changes the value atomically: no other write comes between reading and writing it, so none is lost.
  ///
  ///     total.update { $0 += 1 }
  ///
  /// You can call it from any thread. No lock is held while `body` runs. If another thread sends meanwhile, `body` runs again with the
  /// newer value, so keep it short and free of side effects. A `body` that itself sends to this subject is trapped. If `body` throws,
  /// nothing is sent. After the terminal event, `body` runs once and nothing is sent.
  @inlinable
  @discardableResult
  public func update<Result>(_ body: (inout Element) throws -> Result) rethrows -> Result {
    try updating(by: core.update, body)
  }
}
