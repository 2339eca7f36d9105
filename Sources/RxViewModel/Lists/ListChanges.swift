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

    /// Creates a move from one place to another.
    @inlinable
    public init(from: Index, to: Index) {
      self.from = from
      self.to = to
    }
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

  /// Creates a batch of changes. Each kind is empty by default.
  public init(
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
  public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count
      + deletedItems.count + insertedItems.count + movedItems.count
  }

  /// Whether there are no changes.
  public var isEmpty: Bool { count == 0 }
}

extension ListChanges.ItemPath: CustomStringConvertible {
  /// The path as a pair of numbers, for example `(0, 3)`.
  public var description: String { "(\(section), \(item))" }
}

extension ListChanges.Move: CustomStringConvertible {
  /// The move as an arrow, for example `(0, 0) → (0, 2)`.
  public var description: String { "\(from) → \(to)" }
}
