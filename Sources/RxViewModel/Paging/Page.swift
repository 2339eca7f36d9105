/// A page of a list: the answer to a ``PageRequest``.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
  /// The page's items.
  public var items: [Item]
  /// The cursor of the next page, or nil if this page is the last.
  public var next: Cursor?

  /// Creates a page.
  public init(_ items: [Item], next: Cursor?) {
    self.items = items
    self.next = next
  }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

extension Page: Codable where Item: Codable, Cursor: Codable {}

extension Page: Hashable where Item: Hashable, Cursor: Hashable {}
