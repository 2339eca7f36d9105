import RxViewModel

/// A service without a network: it takes its time, and fails if asked to.
///
/// What is edited stays in this service; the people themselves are shared. `admin` with the password `admin` may sign in, and
/// `error` with the password `error` meets an error.
public actor DemoDirectoryService: DirectoryService {
  /// The people of the directory, and what a search looks at.
  public struct People: Sendable {
    let all: [Person]
    /// For each person the lowercase names.
    let names: [[[UInt8]]]

    public init(_ all: [Person] = Person.madeUp()) {
      self.all = all
      names = all.map { $0.name.lowercased().split(separator: " ").map { Array($0.utf8) } }
    }
  }

  static let pageSize = 50
  static let nicknameLimit = 20

  /// While it is true, calls fail after their latency.
  public nonisolated let isFailing: MutableProperty<Bool>
  private let people: People
  private let sleep: @Sendable () async throws -> Void
  private nonisolated let time: @Sendable () -> Duration
  private var edited: [Person.ID: Person] = [:]
  private nonisolated let sentChanges = PublishSubject<Person>()

  public init<C: Clock>(
    _ people: People, latency: Duration, clock: C, isFailing: Bool = false
  ) where C.Duration == Duration {
    self.people = people
    self.isFailing = MutableProperty(isFailing)
    let start = clock.now
    sleep = { try await clock.sleep(for: latency) }
    time = { start.duration(to: clock.now) }
  }

  public nonisolated var changes: Observable<Person> { sentChanges.asObservable() }

  public nonisolated var now: Duration { time() }

  public func signIn(username: String, password: String) async throws {
    try await answer()
    switch (username, password) {
    case ("admin", "admin"): return
    case ("error", "error"): throw DirectoryError.unavailable
    default: throw DirectoryError.wrongUsernameOrPassword
    }
  }

  public func page(_ request: PageRequest<PeopleQuery, Int>) async throws -> Page<Person, Int> {
    try await answer()
    let prefixes = request.parameters.words.map { Array($0.lowercased().utf8) }
    let (isReversed, last) = (request.parameters.isReversed, people.all.count - 1)
    let first = request.cursor ?? 0
    // One more than the page has, to know whether there is a next page.
    let matches = people.all.indices.lazy
      .map { isReversed ? last - $0 : $0 }
      .filter { [names = people.names] index in
        prefixes.allSatisfy { prefix in names[index].contains { $0.starts(with: prefix) } }
      }
      .dropFirst(first).prefix(Self.pageSize + 1)
    let found = matches.map { [edited, people] index in edited[index] ?? people.all[index] }
    return Page(Array(found.prefix(Self.pageSize)), next: found.count > Self.pageSize ? first + Self.pageSize : nil)
  }

  public func person(_ id: Person.ID) async throws -> Person {
    try await answer()
    return try find(id)
  }

  public func setNickname(_ nickname: String, of id: Person.ID) async throws -> Person {
    try await edit(id) { person in
      person.nickname = nickname.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if person.nickname.count > Self.nicknameLimit { throw DirectoryError.nicknameTooLong }
    }
  }

  public func setColor(_ color: PersonColor, of id: Person.ID) async throws -> Person {
    try await edit(id) { $0.color = color }
  }

  private func answer() async throws {
    try await sleep()
    if isFailing.value { throw DirectoryError.unavailable }
  }

  private func find(_ id: Person.ID) throws -> Person {
    guard people.all.indices.contains(id) else { throw DirectoryError.noSuchPerson }
    return edited[id] ?? people.all[id]
  }

  private func edit(_ id: Person.ID, _ change: (inout Person) throws -> Void) async throws -> Person {
    try await answer()
    var person = try find(id)
    try change(&person)
    edited[id] = person
    sentChanges.onNext(person)
    return person
  }
}
