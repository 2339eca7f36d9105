/// The core of the three subjects, of the streams of a view model, of `share`, and of properties that keep their subscribers.
@usableFromInline
final class SubjectCore<Element: Sendable>: SubjectHost, @unchecked Sendable {  // Sendable: the lock guards the state.
  @usableFromInline let lock = Lock<UInt8>(0)
  @exclusivity(unchecked) @usableFromInline var state: SubjectState<Element>

  @inlinable
  init(_ state: SubjectState<Element> = SubjectState()) { self.state = state }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result {
    lock.withLock { _ in body(&state) }
  }

  @inlinable
  var hasObservers: Bool { withSubject { $0.hasObservers } }

  /// Releases the subscribers, the buffer and the terminal event. Called when no thread can begin to send or to subscribe.
  @inlinable
  func releaseAll() { _ = withSubject { $0.releaseAll() } }
}
