/// A list, and whether a page of it is loading: the element of `Observable.paginate`.
public struct Pagination<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  /// The current list.
  public internal(set) var pages: Pages<Parameters, Item, Cursor>
  /// Whether a request is running.
  public internal(set) var isLoading: Bool

  package init(pages: Pages<Parameters, Item, Cursor>, isLoading: Bool) {
    (self.pages, self.isLoading) = (pages, isLoading)
  }
}

extension Pagination: Equatable where Parameters: Equatable, Item: Equatable, Cursor: Equatable {}
