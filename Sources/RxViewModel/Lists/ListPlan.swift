/// The changes of each stage. It is computed from positions alone, so that this code is independent of the types of sections and items.
@usableFromInline
struct ListPlan {
  /// Stage 1: deletions of sections and items.
  @usableFromInline let deletions: ListChanges
  /// Stage 2: insertions and moves of sections.
  @usableFromInline let sectionChanges: ListChanges
  /// Stage 3: insertions and moves of items.
  @usableFromInline let itemChanges: ListChanges
  @usableFromInline let updatedSections: [Int]
  @usableFromInline let updatedItems: [ListChanges.ItemPath]
  /// By new section: whether stage 3 changes its items.
  @usableFromInline let isChangedLast: [Bool]

  /// Marks the moved elements in `sections` and `items`, in place.
  @usableFromInline
  init(oldStarts: [Int], newStarts: [Int], sections: inout Links, items: inout Links) {
    let movedSections = Self.markMovedSections(&sections)
    let movedItems = Self.markMovedItems(&items, newStarts, sections)
    var builder = Builder(oldStarts: oldStarts, newStarts: newStarts, sections: sections, items: items)
    deletions = builder.deletions()
    sectionChanges = builder.sectionChanges(moves: movedSections)
    itemChanges = builder.itemChanges(moves: movedItems, deleted: deletions.deletedItems)
    isChangedLast = builder.isChangedLast
    updatedSections = sections.origins.indices.filter { sections.origins[$0].isUpdated }
    updatedItems = builder.updatedItems()
  }

  private static func markMovedSections(_ sections: inout Links) -> Int {
    var subsequence = IncreasingSubsequence()
    return subsequence.markMoves(in: sections.origins.indices, of: &sections.origins)
  }

  /// Marks the items that move within a section. Returns the number of all moves, including those between sections, which are marked
  /// already.
  private static func markMovedItems(_ items: inout Links, _ newStarts: [Int], _ sections: Links) -> Int {
    var subsequence = IncreasingSubsequence()
    var count = 0
    for section in sections.origins.indices where !sections.origins[section].isNone {
      let range = newStarts[section]..<newStarts[section + 1]
      count += subsequence.markMoves(in: range, of: &items.origins)
    }
    return count + items.movedCount
  }
}

/// Computes the changes in the coordinates of each stage.
private struct Builder {
  typealias ItemPath = ListChanges.ItemPath
  typealias Move = ListChanges.Move

  let oldStarts: [Int]
  let newStarts: [Int]
  let sections: Links
  let items: Links
  var isChangedLast: [Bool]
  /// For each old section, the number of surviving sections before it, which is its index after stage 1.
  private var sectionRanks: [Int] = []

  init(oldStarts: [Int], newStarts: [Int], sections: Links, items: Links) {
    self.oldStarts = oldStarts
    self.newStarts = newStarts
    self.sections = sections
    self.items = items
    isChangedLast = [Bool](repeating: false, count: sections.origins.count)
  }

  /// Stage 1, in old indices.
  mutating func deletions() -> ListChanges {
    var deletedSections: [Int] = []
    deletedSections.reserveCapacity(sections.targets.count - sections.count)
    var candidates = 0
    sectionRanks.reserveCapacity(sections.targets.count)
    for section in sections.targets.indices {
      sectionRanks.append(section - deletedSections.count)
      if sections.targets[section] < 0 {
        deletedSections.append(section)
      } else {
        candidates += oldStarts[section + 1] - oldStarts[section]
      }
    }
    var deletedItems: [ItemPath] = []
    deletedItems.reserveCapacity(candidates - items.count)
    for section in sections.targets.indices where sections.targets[section] >= 0 {
      let (start, end) = (oldStarts[section], oldStarts[section + 1])
      var survivors = 0
      for position in start..<end {
        if items.targets[position] >= 0 {
          survivors += 1
        } else {
          deletedItems.append(ItemPath(section: section, item: position - start))
        }
      }
      // An item has moved out of the section, or will move in.
      let target = sections.targets[section]
      if survivors != newStarts[target + 1] - newStarts[target] { isChangedLast[target] = true }
    }
    return ListChanges(deletedSections: deletedSections, deletedItems: deletedItems)
  }

  /// Stage 2, from indices after stage 1 to new ones.
  func sectionChanges(moves: Int) -> ListChanges {
    var (inserted, moved): ([Int], [Move<Int>]) = ([], [])
    inserted.reserveCapacity(sections.origins.count - sections.count)
    moved.reserveCapacity(moves)
    for (section, origin) in sections.origins.enumerated() {
      if origin.isNone {
        inserted.append(section)
      } else if origin.isMoved {
        moved.append(Move(from: sectionRanks[origin.position], to: section))
      }
    }
    return ListChanges(insertedSections: inserted, movedSections: moved)
  }

  /// Stage 3, from indices after stage 2 to new ones.
  mutating func itemChanges(moves: Int, deleted: [ItemPath]) -> ListChanges {
    var (inserted, moved): ([ItemPath], [Move<ItemPath>]) = ([], [])
    var candidates = 0
    for section in sections.origins.indices where !sections.origins[section].isNone {
      candidates += newStarts[section + 1] - newStarts[section]
    }
    inserted.reserveCapacity(candidates - items.count)
    moved.reserveCapacity(moves)
    for section in sections.origins.indices where !sections.origins[section].isNone {
      for position in newStarts[section]..<newStarts[section + 1] {
        let origin = items.origins[position]
        if origin.isKept { continue }
        isChangedLast[section] = true
        let path = ItemPath(section: section, item: position - newStarts[section])
        if origin.isNone {
          inserted.append(path)
        } else {
          moved.append(Move(from: pathAfterStage2(origin.position, deleted), to: path))
        }
      }
    }
    return ListChanges(insertedItems: inserted, movedItems: moved)
  }

  /// The place of an old item after stage 2, without the items deleted before it in its section. O(log n).
  private func pathAfterStage2(_ position: Int, _ deleted: [ItemPath]) -> ItemPath {
    let section = oldStarts.section(of: position)
    let path = ItemPath(section: section, item: position - oldStarts[section])
    let before = deleted.countBefore(path) - deleted.countBefore(ItemPath(section: section, item: 0))
    return ItemPath(section: sections.targets[section], item: path.item - before)
  }

  /// In new indices.
  func updatedItems() -> [ItemPath] {
    if items.updatedCount == 0 { return [] }
    var updated: [ItemPath] = []
    updated.reserveCapacity(items.updatedCount)
    for section in sections.origins.indices {
      for position in newStarts[section]..<newStarts[section + 1] where items.origins[position].isUpdated {
        updated.append(ItemPath(section: section, item: position - newStarts[section]))
      }
    }
    return updated
  }
}

extension [ListChanges.ItemPath] {
  /// The number of these ascending paths that come before `path`. O(log count).
  fileprivate func countBefore(_ path: ListChanges.ItemPath) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if (self[middle].section, self[middle].item) < (path.section, path.item) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
