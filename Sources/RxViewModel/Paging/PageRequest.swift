/// A request for a page of the list that the parameters describe.
///
/// ``Pages`` makes requests, and recognizes them by identity when their answers arrive. Two requests are equal if they request the same
/// page.
public struct PageRequest<Parameters: Sendable, Cursor: Sendable>: Sendable {
  /// The description of the list, for example a search text.
  public let parameters: Parameters
  /// The cursor of the page, or nil for the first page.
  public let cursor: Cursor?

  /// Distinguishes this request from others for the same page. `==` ignores it.
  let token = RequestToken()

  /// Creates a request that no ``Pages`` waits for, to call a service directly, or for a comparison in a test.
  public init(parameters: Parameters, cursor: Cursor? = nil) {
    self.parameters = parameters
    self.cursor = cursor
  }
}

extension PageRequest: Equatable where Parameters: Equatable, Cursor: Equatable {
  /// Whether both requests are for the same page.
  public static func == (left: PageRequest, right: PageRequest) -> Bool {
    left.parameters == right.parameters && left.cursor == right.cursor
  }
}

extension PageRequest: Hashable where Parameters: Hashable, Cursor: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parameters)
    hasher.combine(cursor)
  }
}

/// Identifies a request. A counter in ``Pages`` would not be unique, because a copy or a new value would repeat its numbers.
final class RequestToken: Sendable {}
