/// The difference between two lists of sections, in at most three batches that a table or collection view can apply.
///
/// 1. Deletions of sections and items.
/// 2. Insertions and moves of sections.
/// 3. Insertions and moves of items.
///
/// A stage without changes is left out. The contents are the new ones from the first stage on. A section or an item with the same identity
/// and different contents isn't part of a stage: ``updatedSections`` and ``updatedItems`` contain its final index, and the view
/// reconfigures it after the last stage.
///
/// ``ListDataSource`` applies it to a view, and its documentation says which elements match, and what it costs.
///
/// A table of identities matches the elements, as in P. Heckel, *A technique for isolating differences between files* (1978). The elements
/// that stay in place are a longest increasing subsequence, found by patience sorting as in M. L. Fredman, *On computing the length of
/// longest increasing subsequences* (1975).
@usableFromInline
package struct StagedChangeset<Model: Sendable & Equatable, Item: Sendable & Equatable>: Sendable {
  /// A batch of changes, and the sections after it.
  @usableFromInline
  package struct Stage: Sendable {
    /// The sections after the batch, with the new contents.
    @usableFromInline package let sections: [SectionModel<Model, Item>]
    /// The changes that the view applies.
    @usableFromInline package let changes: ListChanges

    @inlinable
    init(sections: [SectionModel<Model, Item>], changes: ListChanges) {
      self.sections = sections
      self.changes = changes
    }
  }

  /// The batches in their order: at most three, none of them empty. The last one's sections are the new ones.
  @usableFromInline package let stages: [Stage]
  /// The new sections.
  @usableFromInline package let sections: [SectionModel<Model, Item>]
  /// The sections with the same identity and another model, by their indices in ``sections``.
  @usableFromInline package let updatedSections: [Int]
  /// The items with the same identity that are not equal, by their paths in ``sections``.
  @usableFromInline package let updatedItems: [ListChanges.ItemPath]

  /// The number of changes of all stages, and of updated sections and items.
  package var changeCount: Int {
    stages.reduce(updatedSections.count + updatedItems.count) { $0 + $1.changes.count }
  }

  /// Computes the difference from `old` to `new`, by the given identities.
  ///
  ///     StagedChangeset(from: old, to: new, sectionID: \.self, itemID: \.number)
  ///
  /// Calls the closures on the calling thread, several times for an element. Make sure that equal elements have equal identities.
  @inlinable
  package init<SectionID: Hashable, ItemID: Hashable>(
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

  /// Computes the difference from `old` to `new`, by the identities of sections and items that are `Identifiable`.
  @inlinable
  package init(from old: [SectionModel<Model, Item>], to new: [SectionModel<Model, Item>])
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
  /// The surviving items of an old section, in the old order, with the new contents. Most of them are in the new section `guess`.
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
