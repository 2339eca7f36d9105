/// The way from some sections to others, in at most three batches that a table or collection view can carry out.
///
/// 1. Deletions of sections and items.
/// 2. Insertions and moves of sections.
/// 3. Insertions and moves of items.
///
/// A changeset omits a stage without changes. The contents are the new ones from the first stage on. A section or an item
/// with the same identity and other contents is not part of a stage: ``updatedSections`` and ``updatedItems`` name it by
/// its final index, and the view configures it again after the last stage.
///
///     let changeset = StagedChangeset(from: shown, to: sections)
///     for stage in changeset.stages {
///       table.performBatchUpdates(stage.changes) { shown = stage.sections }
///     }
///
/// ``ListDataSource`` does this for a view.
///
/// **Identity.** Sections and items are matched by identity, and duplicates are no error: of equal identities in a
/// section, the k-th matches the k-th of the same section, and of those left, the k-th matches the k-th in any other
/// section. Of sections with equal identities, the k-th matches the k-th. An item whose section is deleted
/// or inserted is neither moved nor listed by itself.
///
/// **Moves** are as few as possible: in each section, and among the sections, a longest run of elements that are in
/// order stays where it is. Which one, if there are several, is not promised.
///
/// **Cost.** O(n) for n items in both lists, plus O(m log n) for the m items that are out of order, or whose identity is also
/// in another section. So many allocations as there are changed sections, plus about 20, whatever the number of items;
/// nothing of the old list is retained.
///
/// Elements are matched by a table of identities, as in P. Heckel, *A technique for isolating differences between
/// files* (1978). What stays is a longest increasing subsequence, found by patience sorting as in M. L. Fredman, *On computing
/// the length of longest increasing subsequences* (1975).
public struct StagedChangeset<Model: Sendable & Equatable, Item: Sendable & Equatable>: Sendable {
  /// A batch of changes, and the sections after it.
  public struct Stage: Sendable {
    /// The sections after the batch, with the new contents.
    public let sections: [SectionModel<Model, Item>]
    /// The changes that the view carries out.
    public let changes: ListChanges

    @inlinable
    init(sections: [SectionModel<Model, Item>], changes: ListChanges) {
      self.sections = sections
      self.changes = changes
    }
  }

  /// The batches in their order: at most three, none of them empty. The last one's sections are the new ones.
  public let stages: [Stage]
  /// The new sections.
  public let sections: [SectionModel<Model, Item>]
  /// The sections with the same identity and another model, by their indices in ``sections``.
  public let updatedSections: [Int]
  /// The items with the same identity that are not equal, by their paths in ``sections``.
  public let updatedItems: [ItemPath]

  /// The number of changes of all stages, and of updated sections and items.
  public var changeCount: Int {
    stages.reduce(updatedSections.count + updatedItems.count) { $0 + $1.changes.count }
  }

  /// Finds the way from `old` to `new`, by the given identities.
  ///
  ///     StagedChangeset(from: old, to: new, sectionID: \.self, itemID: \.number)
  ///
  /// The closures are called on the calling thread, several times for an element; equal elements must have equal
  /// identities.
  @inlinable
  public init<SectionID: Hashable, ItemID: Hashable>(
    from old: [SectionModel<Model, Item>], to new: [SectionModel<Model, Item>],
    sectionID: (Model) -> SectionID, itemID: (Item) -> ItemID
  ) {
    let (oldItems, newItems) = (FlatList(old), FlatList(new))
    var sectionLinks = Links(sectionsOf: old, and: new, id: sectionID)
    var itemLinks = Links(itemsOf: oldItems, and: newItems, sections: sectionLinks, id: itemID)
    let plan = ListPlan(
      oldStarts: oldItems.starts, newStarts: newItems.starts, sections: &sectionLinks, items: &itemLinks)
    stages = Self.stages(of: plan, from: oldItems, to: newItems, sectionLinks, itemLinks)
    sections = new
    updatedSections = plan.updatedSections
    updatedItems = plan.updatedItems
  }

  /// Finds the way from `old` to `new`, by the identities that sections and items have of their own.
  @inlinable
  public init(from old: [SectionModel<Model, Item>], to new: [SectionModel<Model, Item>])
  where Model: Identifiable, Item: Identifiable {
    self.init(from: old, to: new, sectionID: { $0.id }, itemID: { $0.id })
  }

  @inlinable
  static func stages(
    of plan: ListPlan, from old: FlatList<Model, Item>, to new: FlatList<Model, Item>,
    _ sections: Links, _ items: Links
  ) -> [Stage] {
    var stages: [Stage] = []
    stages.reserveCapacity(3)
    if !plan.deletions.isEmpty || !plan.sectionChanges.isEmpty {
      var survivors = new.sections
      for section in survivors.indices where !sections.origins[section].isNone && plan.isChangedLast[section] {
        survivors[section].items = items.survivors(of: old.range(sections.origins[section].position), in: new, section)
      }
      if !plan.deletions.isEmpty {
        let inOldOrder = sections.targets.lazy.filter { $0 >= 0 }.map { survivors[$0] }
        stages.append(Stage(sections: Array(inOldOrder), changes: plan.deletions))
      }
      if !plan.sectionChanges.isEmpty {
        stages.append(Stage(sections: survivors, changes: plan.sectionChanges))
      }
    }
    if !plan.itemChanges.isEmpty {
      stages.append(Stage(sections: new.sections, changes: plan.itemChanges))
    }
    return stages
  }
}

extension Links {
  /// The items of an old section that survive, in the old order, with the new contents. Most lie in the new section `guess`.
  @inlinable
  func survivors<Model, Item>(of range: Range<Int>, in new: FlatList<Model, Item>, _ guess: Int) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(range.count)
    for position in range where targets[position] >= 0 {
      items.append(new.item(at: targets[position], guess: guess))
    }
    return items
  }
}
