import RxViewModel

/// What the screens ask of the world. Calls that are cancelled throw a `CancellationError`.
public protocol DirectoryService: Sendable {
  /// A page of the people of a query. A cursor is the number of people before the page.
  func page(_ request: PageRequest<PeopleQuery, Int>) async throws -> Page<Person, Int>
  /// Throws ``DirectoryError/wrongUsernameOrPassword`` if the service does not know the two.
  func signIn(username: String, password: String) async throws
  func person(_ id: Person.ID) async throws -> Person
  /// Returns the person with the nickname as the service has stored it.
  func setNickname(_ nickname: String, of id: Person.ID) async throws -> Person
  func setColor(_ color: PersonColor, of id: Person.ID) async throws -> Person
  /// Returns the person as the service has stored it, with an id of its own.
  func add(_ person: Person) async throws -> Person
  /// Each person that has become another by a call of these. Not one that has been added.
  var changes: Observable<Person> { get }
  /// The time on the service's clock.
  var now: Duration { get }
}

/// The people whose first or last name begins with each of the words; all, if there is none.
public struct PeopleQuery: Sendable, Equatable {
  public var words: [String]
  /// From the last name of the alphabet to the first.
  public var isReversed: Bool

  public init(_ words: [String] = [], isReversed: Bool = false) {
    self.words = words
    self.isReversed = isReversed
  }
}

public enum DirectoryError: Error, Equatable, CustomStringConvertible {
  case wrongUsernameOrPassword
  case noSuchPerson
  case nicknameTooLong
  case nameMissing
  /// The service itself has failed.
  case unavailable

  public var description: String {
    switch self {
    case .wrongUsernameOrPassword: "Wrong username or password"
    case .noSuchPerson: "There is no such person"
    case .nicknameTooLong: "A nickname has at most \(DemoDirectoryService.nicknameLimit) characters"
    case .nameMissing: "A person has a name"
    case .unavailable: "The service does not answer"
    }
  }
}

/// In logs the words as they were typed.
extension PeopleQuery: CustomStringConvertible {
  public var description: String { "\"\(words.joined(separator: " "))\"\(isReversed ? " reversed" : "")" }
}

/// What a screen says of an error.
func message(of error: any Error) -> String {
  "\(error as? DirectoryError ?? .unavailable)"
}
