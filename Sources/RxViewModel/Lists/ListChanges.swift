/// The changes of one batch, in the form that table and collection views expect.
///
/// Indices of deletions, and `from` of moves, refer to the list before the batch. Indices of insertions, and `to` of moves, refer to the
/// list after the batch. The items of a deleted or inserted section are not listed individually.
public struct ListChanges: Hashable, Sendable {
  /// The place of an item in a list: the index of its section, and its own index in that section.
  ///
  /// The counterpart of `IndexPath` in UIKit, without Foundation.
  public struct ItemPath: Hashable, Sendable {
    /// The index of the section.
    public var section: Int
    /// The index of the item in its section.
    public var item: Int

    /// Creates the path of the given item of the given section.
    @inlinable
    public init(section: Int, item: Int) {
      self.section = section
      self.item = item
    }
  }

  /// A change of place of a section (`Move<Int>`) or of an item (`Move<ItemPath>`).
  public struct Move<Index: Hashable & Sendable>: Hashable, Sendable {
    /// The place before the batch of changes.
    public let from: Index
    /// The place after the batch of changes.
    public let to: Index

    @inlinable
    package init(from: Index, to: Index) { (self.from, self.to) = (from, to) }
  }

  /// The deleted sections, by their indices before the batch.
  public let deletedSections: [Int]
  /// The inserted sections, by their indices after the batch.
  public let insertedSections: [Int]
  /// The sections that move.
  public let movedSections: [Move<Int>]
  /// The deleted items, by their paths before the batch.
  public let deletedItems: [ItemPath]
  /// The inserted items, by their paths after the batch.
  public let insertedItems: [ItemPath]
  /// The items that move, within a section or between sections.
  public let movedItems: [Move<ItemPath>]

  package init(
    deletedSections: [Int] = [], insertedSections: [Int] = [], movedSections: [Move<Int>] = [],
    deletedItems: [ItemPath] = [], insertedItems: [ItemPath] = [], movedItems: [Move<ItemPath>] = []
  ) {
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    self.movedSections = movedSections
    self.deletedItems = deletedItems
    self.insertedItems = insertedItems
    self.movedItems = movedItems
  }

  /// The number of changes of all kinds. A section counts as one, whatever the number of its items.
  package var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count
      + deletedItems.count + insertedItems.count + movedItems.count
  }

  @usableFromInline
  package var isEmpty: Bool { count == 0 }
}
