/// An event of an observable, which sends any number of elements, then at most one terminal event.
@frozen
public enum Event<Element: Sendable>: Sendable {
  /// An element.
  case next(Element)
  /// The end of the stream because of an error.
  case error(any Error)
  /// The regular end of the stream.
  case completed
}

extension Event {
  /// The terminal event for the end that a ``Sink`` receives.
  @inlinable
  init(end error: (any Error)?) { self = error.map { .error($0) } ?? .completed }

  @inlinable
  var isTerminal: Bool { if case .next = self { false } else { true } }
}
