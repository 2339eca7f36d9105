import DirectoryScreens
import RxViewModel

/// An event for the page, as JSON: `{"message": {"text": "Welcome"}}`.
enum PageEvent: Encodable, Sendable {
  /// The paths of the screens, from the first to the one that is shown. Empty before the sign-in.
  case screens(paths: [String])
  case message(text: String)
  case log(line: String)
  case signIn(view: SignInView)
  case people(view: PeopleView)
  case person(view: PersonView)
  /// The text of the nickname field. The page ignores it if it has sent an edit with a higher number.
  case nickname(text: String, edit: Int)
  /// The sheet that adds a person. Nil while it is closed.
  case newPerson(view: NewPersonView?)
  /// The same for the nickname field of the sheet.
  case newNickname(text: String, edit: Int)
  case colors(view: ColorsView)
  // The list of people
  case reload(sections: [SectionView])
  case batch(changes: ListBatch)
  case reconfigure(items: [ItemView], sections: [LetterView])
}

struct SignInView: Encodable, Sendable, Equatable {
  let isEnabled: Bool
  let isBusy: Bool
  let error: String?
}

/// The end of the list, or the error that stands in place of the list.
struct PeopleView: Encodable, Sendable, Equatable {
  /// The error of the last answer.
  enum Failure: Encodable, Sendable, Equatable {
    /// The list still shows the search before this one.
    case firstPage(error: String)
    /// The list lacks its further pages.
    case nextPage(error: String)
  }

  let count: Int
  let hasMore: Bool
  let isLoading: Bool
  let failure: Failure?

  init(_ state: PeopleState, isLoading: Bool) {
    count = state.people.items.count
    hasMore = state.people.hasMore
    self.isLoading = isLoading
    failure = state.error.map { state.people.pageCount == 0 ? .firstPage(error: $0) : .nextPage(error: $0) }
  }
}

struct PersonView: Encodable, Sendable, Equatable {
  let name: String
  let color: PersonColor?
  let secondsAgo: Int?
  let isBusy: Bool
  let error: String?
}

struct NewPersonView: Encodable, Sendable, Equatable {
  let color: PersonColor
  let canAdd: Bool
  let error: String?

  init(_ sheet: NewPerson.State) {
    (color, canAdd, error) = (sheet.form.person.color, sheet.canAdd, sheet.error)
  }
}

struct ColorsView: Encodable, Sendable, Equatable {
  let colors: [PersonColor]
  let current: PersonColor
}

/// A row of the list.
struct RowView: Encodable, Sendable, Equatable {
  let id: Int
  let name: String
  let nickname: String
  let color: PersonColor

  init(_ person: Person) {
    (id, name, nickname, color) = (person.id, person.name, person.nickname, person.color)
  }
}

struct SectionView: Encodable, Sendable, Equatable {
  let letter: String
  let rows: [RowView]

  init(_ section: SectionModel<String, Person>) {
    (letter, rows) = (section.model, section.items.map(RowView.init))
  }
}

struct ItemView: Encodable, Sendable {
  let path: [Int]
  let row: RowView
}

struct LetterView: Encodable, Sendable {
  let index: Int
  let letter: String
}

/// A batch of `ListChanges`, with the contents of the inserted rows. The indices mean the same as in `ListChanges`. A path is a pair of
/// indices: of the section, and of the item in it.
struct ListBatch: Encodable, Sendable {
  struct Section: Encodable, Sendable {
    let index: Int
    let section: SectionView
  }

  let deletedSections: [Int]
  let insertedSections: [Section]
  let movedSections: [[Int]]
  let deletedItems: [[Int]]
  let insertedItems: [ItemView]
  let movedItems: [[[Int]]]

  /// - Parameter sections: The sections after the batch.
  init(_ changes: ListChanges, in sections: [SectionModel<String, Person>]) {
    deletedSections = changes.deletedSections
    insertedSections = changes.insertedSections.map { Section(index: $0, section: SectionView(sections[$0])) }
    movedSections = changes.movedSections.map { [$0.from, $0.to] }
    deletedItems = changes.deletedItems.map(\.indices)
    insertedItems = changes.insertedItems.map { ItemView($0, in: sections) }
    movedItems = changes.movedItems.map { [$0.from.indices, $0.to.indices] }
  }
}

extension ItemView {
  init(_ path: ListChanges.ItemPath, in sections: [SectionModel<String, Person>]) {
    self.init(path: path.indices, row: RowView(sections[path.section].items[path.item]))
  }
}

extension ListChanges.ItemPath {
  fileprivate var indices: [Int] { [section, item] }
}
