/// The core of the three subjects and of a view model's streams.
@usableFromInline
final class SubjectCore<Element: Sendable>: SubjectHost {
  @usableFromInline let state: Lock<SubjectState<Element>>

  @inlinable
  init(_ state: SubjectState<Element> = SubjectState()) {
    self.state = Lock(state)
  }

  @inlinable
  func withSubject<Result>(_ body: (inout SubjectState<Element>) -> Result) -> Result {
    state.withLock(body)
  }

  @inlinable
  var hasObservers: Bool {
    state.withLock { $0.hasObservers }
  }

  /// Releases the subscribers, the buffer and the terminal event. Called when no thread can send or subscribe any more.
  @inlinable
  func end() {
    _ = state.withLock { $0.end() }
  }
}
