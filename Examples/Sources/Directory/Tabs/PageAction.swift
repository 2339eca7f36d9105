import DirectoryScreens

/// What the page asks for, as JSON: `{"type": {"text": "ann"}}`.
enum PageAction: Decodable, Sendable {
  // The tab
  /// Nothing: the message only says which events the page has seen.
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
  case open(id: Int)
  // The sheet that adds a person
  case setAdding(isAdding: Bool)
  case setName(text: String)
  case add
  // The form of a person
  case setNickname(text: String, edit: Int)
  case chooseColor
  // Person
  case retry
  // Color
  case pick(color: PersonColor)
}

/// The body of a request to `/tabs/ID/actions`.
struct PageMessage: Decodable, Sendable {
  /// Counts the messages of a page from 1. The page repeats a message until it is answered; the tab takes each once.
  let number: Int
  /// The number of the last event that the page has seen.
  let seen: Int
  let action: PageAction
}
