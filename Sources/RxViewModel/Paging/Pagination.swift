/// A list that comes in pages, and whether a page of it is being loaded: what `Observable.paginate` sends.
public struct Pagination<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  /// The list as it is now.
  public let pages: Pages<Parameters, Item, Cursor>
  /// Whether a request is at work.
  public let isLoading: Bool

  /// Creates a pagination, for example to compare with in a test.
  public init(pages: Pages<Parameters, Item, Cursor>, isLoading: Bool) {
    self.pages = pages
    self.isLoading = isLoading
  }
}

extension Pagination: Equatable where Parameters: Equatable, Item: Equatable, Cursor: Equatable {}
