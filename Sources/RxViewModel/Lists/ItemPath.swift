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

extension ItemPath: CustomStringConvertible {
  /// The path as a pair of numbers, for example `(0, 3)`.
  public var description: String { "(\(section), \(item))" }
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

extension Move: CustomStringConvertible {
  /// The move as an arrow, for example `(0, 0) → (0, 2)`.
  public var description: String { "\(from) → \(to)" }
}
