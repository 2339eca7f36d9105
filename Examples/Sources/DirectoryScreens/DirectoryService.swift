import RxViewModel

/// The service behind the screens. A call that is cancelled throws a `CancellationError`.
public protocol DirectoryService: Sendable {
  /// A page of the people of a query. A cursor is the id of the last person before the page.
  func page(_ request: PageRequest<PeopleQuery, Person.ID>) async throws -> Page<Person, Person.ID>
  /// Throws ``DirectoryError/wrongUsernameOrPassword`` if the service does not know the two.
  func signIn(username: String, password: String) async throws
  func person(_ id: Person.ID) async throws -> Person
  /// Returns the person as the service has stored it. ``edited`` contains that person before this returns.
  func save(_ edit: Person.Edit, of id: Person.ID) async throws -> Person
  /// Returns the person as the service has stored it, with an id of its own.
  func add(_ person: Person) async throws -> Person
  /// The people whom any user has edited, as they are now. Sends them at the subscription, and after each edit.
  var edited: Observable<[Person.ID: Person]> { get }
  /// The number of people.
  var count: Int { get }
  /// Sends ``count`` after each addition.
  var additions: Observable<Int> { get }
  /// The time on the service's clock.
  var now: Duration { get }
}

/// The people whose first or last name begins with each of the words; all people, if there are no words.
public struct PeopleQuery: Sendable, Equatable, Codable {
  public var words: [String]
  /// Whether the list begins at the end of the alphabet.
  public var isReversed: Bool
  /// The length of the first page, if that is more than a page usually has.
  public var firstPage = 0

  public init(_ words: [String] = [], isReversed: Bool = false) {
    self.words = words
    self.isReversed = isReversed
  }
}

public enum DirectoryError: Error, Equatable, Codable, CustomStringConvertible {
  case wrongUsernameOrPassword
  case noSuchPerson
  case nameMissing
  /// No person can be added.
  case full
  /// The service itself has failed.
  case unavailable

  public var description: String {
    switch self {
    case .wrongUsernameOrPassword: "Wrong username or password"
    case .noSuchPerson: "There is no such person"
    case .nameMissing: "Enter a name"
    case .full: "The directory is full"
    case .unavailable: "The service does not answer"
    }
  }
}

/// A log shows the words as the user has typed them.
extension PeopleQuery: CustomStringConvertible {
  public var description: String { "\"\(words.joined(separator: " "))\"\(isReversed ? " reversed" : "")" }
}

/// The text that a screen shows for an error.
func message(of error: any Error) -> String {
  "\(error as? DirectoryError ?? .unavailable)"
}
