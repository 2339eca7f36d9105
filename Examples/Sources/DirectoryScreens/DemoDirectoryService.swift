import RxViewModel

/// A service without a network: it takes its time, and fails if asked to.
///
/// What is edited or added stays in this service; the people themselves are shared. `admin` with the password `admin` may sign in, and
/// `error` with the password `error` meets an error.
public actor DemoDirectoryService: DirectoryService {
  /// The people of the directory, and what a search looks at.
  public struct People: Sendable {
    private(set) var all: [Person]
    /// For each person the lowercase names.
    private(set) var names: [[[UInt8]]]
    /// The ids in the order of the directory.
    private(set) var order: [Person.ID]

    public init(_ all: [Person] = Person.madeUp()) {
      self.all = all
      names = all.map(Self.names)
      order = Array(all.indices)
    }

    mutating func add(_ person: Person) {
      let place = order.firstIndex { person.isBefore(all[$0]) } ?? order.count
      order.insert(person.id, at: place)
      all.append(person)
      names.append(Self.names(of: person))
    }

    private static func names(of person: Person) -> [[UInt8]] {
      person.name.lowercased().split(separator: " ").map { Array($0.utf8) }
    }
  }

  static let pageSize = 50
  static let nicknameLimit = 20

  /// While it is true, calls fail after their latency.
  public nonisolated let isFailing: MutableProperty<Bool>
  private var people: People
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
    let order = request.parameters.isReversed ? people.order.reversed() : people.order
    let first = request.cursor ?? 0
    // One more than the page has, to know whether there is a next page.
    let matches = order.lazy
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
    try await edit(id) { $0.nickname = try Self.checked(nickname: nickname) }
  }

  public func setColor(_ color: PersonColor, of id: Person.ID) async throws -> Person {
    try await edit(id) { $0.color = color }
  }

  public func add(_ person: Person) async throws -> Person {
    try await answer()
    let name = Self.trimmed(person.name)
    if name.isEmpty { throw DirectoryError.nameMissing }
    var added = Person(id: people.all.count, name: name, lastSeen: now)
    added.nickname = try Self.checked(nickname: person.nickname)
    added.color = person.color
    people.add(added)
    return added
  }

  private static func checked(nickname: String) throws -> String {
    let nickname = trimmed(nickname)
    if nickname.count > nicknameLimit { throw DirectoryError.nicknameTooLong }
    return nickname
  }

  private static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
