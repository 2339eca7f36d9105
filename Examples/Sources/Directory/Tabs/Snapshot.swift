import DirectoryScreens

/// The states of a tab's view models, for tests that compare them with the page.
struct Snapshot: Encodable, Sendable {
  let paths: [String]
  /// Whether the tab's lifecycle is resumed.
  let isResumed: Bool
  var sections: [SectionView] = []
  var query: String?
  var newPerson: NewPersonSnapshot?
  var username: String?
  var nickname: String?
  var color: String?
  var secondsAgo: Int?
  var error: String?
}

struct NewPersonSnapshot: Encodable, Sendable {
  let name: String
  let nickname: String
  let color: PersonColor
  let error: String?

  init(_ sheet: NewPerson.State) {
    (name, nickname) = (sheet.person.name, sheet.person.nickname)
    (color, error) = (sheet.person.color, sheet.error)
  }
}
