import RxViewModel

/// Carries out batches as UITableView and UICollectionView do, on rows that remember what they show.
///
/// First everything that is deleted or moved is taken out, by the indices before the batch. Then everything that is inserted
/// or moved is put in, by the indices after it. What is left fills the remaining places in its order. UIKit traps on what is
/// thrown here.
struct BatchUpdates {
  struct Invalid: Error, CustomStringConvertible {
    let description: String
  }

  /// The identities of the headers and items that are on screen.
  private(set) var sections: [(header: Int, items: [Int])]

  init(showing sections: [Section]) {
    self.sections = sections.map { ($0.model.id, $0.items.map(\.id)) }
  }

  /// Carries out `changes`, after which `data` has to be on screen.
  mutating func perform(_ changes: ListChanges, data: [Section]) throws {
    try checkItemsOfSections(changes, in: data)
    let rows = try place(
      count: sections.count, newCount: data.count, deleted: changes.deletedSections,
      inserted: changes.insertedSections, moved: changes.movedSections.map { ($0.from, $0.to) })
    var items = sections.map { $0.items.map(Int?.some) }
    var goneItems = Set<ItemPath>()
    for path in changes.deletedItems + changes.movedItems.map(\.from) {
      try check(goneItems.insert(path).inserted, "\(path) goes twice")
      try check(
        sections.indices.contains(path.section) && sections[path.section].items.indices.contains(path.item),
        "there is no \(path)")
    }
    let movedIDs = changes.movedItems.map { sections[$0.from.section].items[$0.from.item] }
    for path in goneItems { items[path.section][path.item] = nil }

    var after: [(header: Int, items: [Int])] = []
    for (index, source) in rows.enumerated() {
      guard let source else {
        after.append((data[index].model.id, data[index].items.map(\.id)))
        continue
      }
      var places = [Int?](repeating: nil, count: data[index].items.count)
      func put(_ id: Int, at item: Int) throws {
        try check(places.indices.contains(item), "(\(index), \(item)) is beyond the data")
        try check(places[item] == nil, "(\(index), \(item)) is taken twice")
        places[item] = id
      }
      for path in changes.insertedItems where path.section == index {
        try check(data[index].items.indices.contains(path.item), "\(path) is beyond the data")
        try put(data[index].items[path.item].id, at: path.item)
      }
      for (id, move) in zip(movedIDs, changes.movedItems) where move.to.section == index {
        try put(id, at: move.to.item)
      }
      let staying = items[source].compactMap { $0 }
      let free = places.indices.filter { places[$0] == nil }
      try check(staying.count == free.count, "section \(index): \(staying.count) rows for \(free.count) places")
      for (id, item) in zip(staying, free) { places[item] = id }
      after.append((sections[source].header, places.map { $0! }))
    }
    sections = after
    try check(sections.map(\.header) == data.map(\.model.id), "headers \(sections.map(\.header)), data \(data)")
    try check(sections.map(\.items) == data.map { $0.items.map(\.id) }, "items \(sections.map(\.items)), data \(data)")
  }

  /// Where each section behind the batch was before it; nil for an inserted one.
  private func place(
    count: Int, newCount: Int, deleted: [Int], inserted: [Int], moved: [(from: Int, to: Int)]
  ) throws -> [Int?] {
    let gone = deleted + moved.map(\.from)
    try check(Set(gone).count == gone.count, "a section goes twice")
    try check(gone.allSatisfy((0..<count).contains), "there is no such section among \(gone)")
    let placed = inserted + moved.map(\.to)
    try check(Set(placed).count == placed.count, "a section's place is taken twice")
    try check(placed.allSatisfy((0..<newCount).contains), "there is no such place among \(placed)")
    var sources = [Int?](repeating: nil, count: newCount)
    for move in moved { sources[move.to] = move.from }
    let staying = (0..<count).filter { !gone.contains($0) }
    let free = (0..<newCount).filter { !placed.contains($0) }
    try check(staying.count == free.count, "\(staying.count) sections for \(free.count) places")
    for (source, index) in zip(staying, free) { sources[index] = source }
    return sources
  }

  private func checkItemsOfSections(_ changes: ListChanges, in data: [Section]) throws {
    for path in changes.deletedItems + changes.movedItems.map(\.from) {
      try check(!changes.deletedSections.contains(path.section), "\(path) goes with its section")
    }
    for path in changes.insertedItems + changes.movedItems.map(\.to) {
      try check(!changes.insertedSections.contains(path.section), "\(path) comes with its section")
      try check(data.indices.contains(path.section), "\(path) is beyond the data")
    }
  }

  private func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Invalid(description: message()) }
  }
}

extension StagedChangeset<Row, Row> {
  /// Carries out all stages on a view that shows `old`; throws where a view would trap or show something else.
  func validate(from old: [Section], to new: [Section]) throws {
    var view = BatchUpdates(showing: old)
    var shown = old
    for stage in stages {
      if stage.changes.isEmpty { throw BatchUpdates.Invalid(description: "an empty stage") }
      try view.perform(stage.changes, data: stage.sections)
      shown = stage.sections
    }
    if stages.count > 3 { throw BatchUpdates.Invalid(description: "\(stages.count) stages") }
    if sections != new { throw BatchUpdates.Invalid(description: "sections are not the new ones") }
    if let last = stages.last, last.sections != new {
      throw BatchUpdates.Invalid(description: "the last stage ends in \(shown), not in \(new)")
    }
  }
}
