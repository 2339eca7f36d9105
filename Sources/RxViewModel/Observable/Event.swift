/// What an observable sends: any number of elements, then at most one end.
@frozen
public enum Event<Element: Sendable>: Sendable {
  /// An element.
  case next(Element)
  /// The end of the stream, by a failure.
  case error(any Error)
  /// The end of the stream, as it should be.
  case completed
}

extension Event {
  @inlinable
  var isTerminal: Bool {
    if case .next = self { false } else { true }
  }
}
