/// A request for a page of the list that the parameters describe.
///
/// ``Pages`` makes requests, and recognizes them by identity when their answers arrive. Two requests are equal if they request the same
/// page.
public struct PageRequest<Parameters: Sendable, Cursor: Sendable>: Sendable {
  /// The description of the list, for example a search text.
  public let parameters: Parameters
  /// The cursor of the page, or nil for the first page.
  public let cursor: Cursor?

  /// Distinguishes this request from others for the same page.
  let token: RequestToken

  /// Creates a request that no ``Pages`` waits for, to call a service directly, or for a comparison in a test.
  public init(parameters: Parameters, cursor: Cursor? = nil) { self.init(parameters, cursor, .byHand) }

  init(_ parameters: Parameters, _ cursor: Cursor?, _ token: RequestToken = RequestToken()) {
    (self.parameters, self.cursor, self.token) = (parameters, cursor, token)
  }
}

/// Requests are equal if they are for the same page.
extension PageRequest: Equatable where Parameters: Equatable, Cursor: Equatable {}

extension PageRequest: Hashable where Parameters: Hashable, Cursor: Hashable {}

/// Identifies a request. A counter in ``Pages`` would not be unique, because a copy or a new value would repeat its numbers.
///
/// All tokens are equal, so that the comparison of two requests ignores them.
final class RequestToken: Hashable, Sendable {
  /// The token of all requests that no list has made.
  static let byHand = RequestToken()

  static func == (_: RequestToken, _: RequestToken) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
