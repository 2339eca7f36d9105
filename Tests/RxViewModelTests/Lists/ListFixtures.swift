import RxViewModel

/// A header or an item: its identity, and the version of its contents.
struct Row: Hashable, Identifiable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let id: Int
  var version = 0

  init(_ id: Int, version: Int = 0) {
    self.id = id
    self.version = version
  }

  init(integerLiteral id: Int) {
    self.init(id)
  }

  /// A row with the identity of the literal and other contents.
  static func updated(_ id: Int) -> Row { Row(id, version: 1) }

  var description: String { "\(id)" + String(repeating: "'", count: version) }
}

typealias Section = SectionModel<Row, Row>
typealias Changeset = StagedChangeset<Row, Row>

extension SectionModel<Row, Row> {
  init(_ model: Row, _ items: [Row]) {
    self.init(model: model, items: items)
  }
}

extension StagedChangeset<Row, Row> {
  /// The changes of all stages, for tests that do not distinguish the stages.
  var all: ListChanges {
    let changes = stages.map(\.changes)
    return ListChanges(
      deletedSections: changes.flatMap(\.deletedSections), insertedSections: changes.flatMap(\.insertedSections),
      movedSections: changes.flatMap(\.movedSections), deletedItems: changes.flatMap(\.deletedItems),
      insertedItems: changes.flatMap(\.insertedItems), movedItems: changes.flatMap(\.movedItems))
  }
}

func path(_ section: Int, _ item: Int) -> ListChanges.ItemPath {
  ListChanges.ItemPath(section: section, item: item)
}
