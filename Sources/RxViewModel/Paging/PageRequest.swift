/// A request for a page of the list that the parameters describe.
///
/// ``Pages`` makes requests and recognizes them by identity when their answers arrive. Two requests are equal if they ask
/// for the same page.
public struct PageRequest<Parameters: Sendable, Cursor: Sendable>: Sendable {
  /// The description of the list, for example a search text.
  public let parameters: Parameters
  /// Where the page begins, or nil for the first page.
  public let cursor: Cursor?

  /// Tells this request from others for the same page. `==` ignores it.
  let token = RequestToken()

  /// Creates a request that no ``Pages`` waits for, to call a service directly or to compare with in a test.
  public init(parameters: Parameters, cursor: Cursor? = nil) {
    self.parameters = parameters
    self.cursor = cursor
  }
}

extension PageRequest: Equatable where Parameters: Equatable, Cursor: Equatable {
  /// Whether both requests ask for the same page.
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

/// An identity. A number in ``Pages`` would repeat in a copy, and after a new value has taken its place.
final class RequestToken: Sendable {}
