import DirectoryScreens

/// An action of the page, as JSON: `{"type": {"text": "ann"}}`.
enum PageAction: Decodable, Sendable {
  // The tab
  /// Only acknowledges events.
  case seen
  case setVisible(isVisible: Bool)
  /// The user has gone to another entry of the browser's history.
  case go(path: String)
  case setLog(isOn: Bool)
  case setFailing(isOn: Bool)
  // Sign in
  case setUsername(text: String)
  case setPassword(text: String)
  case signIn
  // People
  case type(text: String)
  case reverse
  case loadMore
  case open(id: WholeNumber)
  // The sheet that adds a person
  case setAdding(isAdding: Bool)
  case setName(text: String)
  case add
  // The form of a person
  case setNickname(text: String, edit: WholeNumber)
  /// The user has left the nickname field.
  case endEditing
  case chooseColor
  // Person
  case retry
  // Color
  case pick(color: PersonColor)
}

/// The body of a request to `/tabs/ID/actions`.
struct PageMessage: Decodable, Sendable {
  /// The messages of a page are numbered from 1. The page repeats a message until the server answers it; the tab accepts each number once.
  let number: WholeNumber
  /// The number of the last event that the page has received.
  let seen: WholeNumber
  let action: PageAction
}

/// An `Int` whose error names its key. For a number such as 1.5, `JSONDecoder` reports that the whole text is not JSON.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = try? container.decode(Int.self) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a whole number")
    }
    self.value = value
  }
}
