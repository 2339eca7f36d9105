/// A page of a list: what a request gives.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
  /// The page's items.
  public var items: [Item]
  /// Where the next page begins; nil if this one is the last.
  public var next: Cursor?

  /// Creates a page.
  public init(_ items: [Item], next: Cursor?) {
    self.items = items
    self.next = next
  }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

extension Page: Hashable where Item: Hashable, Cursor: Hashable {}
