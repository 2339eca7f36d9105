import RxViewModel

/// Performs batches as UITableView and UICollectionView do, and remembers the identities of the rows.
///
/// First it removes the deleted and moved rows, by the indices before the batch. Then it adds the inserted and moved rows, by the indices
/// after it. The other rows fill the remaining positions in order. Where this type throws, UIKit traps.
struct BatchUpdates {
  struct Invalid: Error, CustomStringConvertible {
    let description: String
  }

  /// The identities of the headers and items that are on screen.
  private(set) var sections: [(header: Int, items: [Int])]

  init(showing sections: [Section]) {
    self.sections = sections.map { ($0.model.id, $0.items.map(\.id)) }
  }

  /// Performs `changes`, after which the rows must equal `data`.
  mutating func perform(_ changes: ListChanges, data: [Section]) throws {
    try checkItemsOfSections(changes, in: data)
    let rows = try place(
      count: sections.count, newCount: data.count, deleted: changes.deletedSections,
      inserted: changes.insertedSections, moved: changes.movedSections.map { ($0.from, $0.to) })
    var items = sections.map { $0.items.map(Int?.some) }
    var goneItems = Set<ListChanges.ItemPath>()
    for path in changes.deletedItems + changes.movedItems.map(\.from) {
      try check(goneItems.insert(path).inserted, "\(path) is removed twice")
      try check(
        sections.indices.contains(path.section) && sections[path.section].items.indices.contains(path.item),
        "\(path) does not exist")
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
      try check(staying.count == free.count, "section \(index): \(staying.count) rows for \(free.count) positions")
      for (id, item) in zip(staying, free) { places[item] = id }
      after.append((sections[source].header, places.map { $0! }))
    }
    sections = after
    try check(sections.map(\.header) == data.map(\.model.id), "headers \(sections.map(\.header)), data \(data)")
    try check(sections.map(\.items) == data.map { $0.items.map(\.id) }, "items \(sections.map(\.items)), data \(data)")
  }

  /// The index that each section after the batch had before it. Nil for an inserted section.
  private func place(
    count: Int, newCount: Int, deleted: [Int], inserted: [Int], moved: [(from: Int, to: Int)]
  ) throws -> [Int?] {
    let gone = deleted + moved.map(\.from)
    try check(Set(gone).count == gone.count, "a section is removed twice")
    try check(gone.allSatisfy((0..<count).contains), "not all sections \(gone) exist")
    let placed = inserted + moved.map(\.to)
    try check(Set(placed).count == placed.count, "two sections have the same position")
    try check(placed.allSatisfy((0..<newCount).contains), "not all positions \(placed) exist")
    var sources = [Int?](repeating: nil, count: newCount)
    for move in moved { sources[move.to] = move.from }
    let staying = (0..<count).filter { !gone.contains($0) }
    let free = (0..<newCount).filter { !placed.contains($0) }
    try check(staying.count == free.count, "\(staying.count) sections for \(free.count) positions")
    for (source, index) in zip(staying, free) { sources[index] = source }
    return sources
  }

  private func checkItemsOfSections(_ changes: ListChanges, in data: [Section]) throws {
    for path in changes.deletedItems + changes.movedItems.map(\.from) {
      try check(!changes.deletedSections.contains(path.section), "\(path) is removed with its section already")
    }
    for path in changes.insertedItems + changes.movedItems.map(\.to) {
      try check(!changes.insertedSections.contains(path.section), "\(path) is inserted with its section already")
      try check(data.indices.contains(path.section), "\(path) is beyond the data")
    }
  }

  private func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Invalid(description: message()) }
  }
}

extension StagedChangeset<Row, Row> {
  /// Performs all stages on a view that shows `old`. Throws where a view would trap or show other rows.
  func validate(from old: [Section], to new: [Section]) throws {
    var view = BatchUpdates(showing: old)
    var shown = old
    for stage in stages {
      if stage.changes.isEmpty { throw BatchUpdates.Invalid(description: "an empty stage") }
      try view.perform(stage.changes, data: stage.sections)
      shown = stage.sections
    }
    if stages.count > 3 { throw BatchUpdates.Invalid(description: "\(stages.count) stages") }
    if sections != new { throw BatchUpdates.Invalid(description: "the sections are not the new ones") }
    if let last = stages.last, last.sections != new {
      throw BatchUpdates.Invalid(description: "the last stage ends in \(shown), not in \(new)")
    }
  }
}
