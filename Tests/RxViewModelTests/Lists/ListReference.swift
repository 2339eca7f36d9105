import RxViewModel

/// The expected changeset, computed from the definition by trying all possibilities. For short lists only.
struct ListReference {
  var deletedItems: Set<ListChanges.ItemPath> = []
  var insertedItems: Set<ListChanges.ItemPath> = []
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
  var updatedItems: [ListChanges.ItemPath] = []
  var updatedSections: [Int] = []
  var sectionMoveCount = 0
  var itemMoveCount = 0

  var changeCount: Int {
    deletedItems.count + insertedItems.count + deletedSections.count + insertedSections.count + updatedItems.count
      + updatedSections.count + sectionMoveCount + itemMoveCount
  }

  init(from old: [Section], to new: [Section]) {
    let sections = Self.match(old.map(\.model.id), new.map(\.model.id))
    deletedSections = old.indices.filter { !sections.values.contains($0) }
    insertedSections = new.indices.filter { sections[$0] == nil }
    updatedSections = sections.keys.filter { old[sections[$0]!].model != new[$0].model }.sorted()
    let origins = new.indices.compactMap { sections[$0] }
    sectionMoveCount = origins.count - Self.longestIncrease(origins)

    // Items match within their section first, and then across sections.
    var items: [ListChanges.ItemPath: ListChanges.ItemPath] = [:]
    for (target, source) in sections {
      for (newItem, oldItem) in Self.match(old[source].items.map(\.id), new[target].items.map(\.id)) {
        items[path(target, newItem)] = path(source, oldItem)
      }
    }
    for target in new.indices where sections[target] != nil {
      let origins = new[target].items.indices.compactMap { items[path(target, $0)]?.item }
      itemMoveCount += origins.count - Self.longestIncrease(origins)
    }
    let oldLeft = old.indices.filter { !deletedSections.contains($0) }
      .flatMap { section in old[section].items.indices.map { path(section, $0) } }
      .filter { !items.values.contains($0) }
    let newLeft = new.indices.filter { sections[$0] != nil }
      .flatMap { section in new[section].items.indices.map { path(section, $0) } }
      .filter { items[$0] == nil }
    let moved = Self.match(
      oldLeft.map { old[$0.section].items[$0.item].id }, newLeft.map { new[$0.section].items[$0.item].id })
    for (newIndex, oldIndex) in moved { items[newLeft[newIndex]] = oldLeft[oldIndex] }
    itemMoveCount += moved.count
    deletedItems = Set(oldLeft).subtracting(items.values)
    insertedItems = Set(newLeft).subtracting(items.keys)
    updatedItems = items.filter { target, source in
      new[target.section].items[target.item] != old[source.section].items[source.item]
    }.keys.sorted { ($0.section, $0.item) < ($1.section, $1.item) }
  }

  /// The old index for each new one. The k-th occurrence of an identity matches the k-th.
  private static func match(_ old: [Int], _ new: [Int]) -> [Int: Int] {
    var matches: [Int: Int] = [:]
    for (index, id) in new.enumerated() {
      let occurrence = new[..<index].count { $0 == id }
      let candidates = old.indices.filter { old[$0] == id }
      if occurrence < candidates.count { matches[index] = candidates[occurrence] }
    }
    return matches
  }

  /// The length of the longest increasing subsequence, found by trying all subsets.
  private static func longestIncrease(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).filter { subset in
      let chosen = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy(<)
    }.map(\.nonzeroBitCount).max()!
  }
}
