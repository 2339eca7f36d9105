import RxViewModel

/// The people of the directory, for all tabs.
public actor PeopleStore {
  private static let pageSize = 50
  private static let nicknameLimit = 20
  private static let nameLimit = 200

  /// The people who have been edited, as they are now.
  nonisolated let edited = MutableProperty<[Person.ID: Person]>([:])
  nonisolated let count: MutableProperty<Int>
  private nonisolated let time: @Sendable () -> Duration
  /// The people without their edits. A person's id is the index.
  private var people: [Person]
  /// The lowercase names of each person, for a search.
  private var names: [[[UInt8]]]
  /// The ids in the order of the directory.
  private var order: [Person.ID]

  private let limit: Int

  /// Creates a store of people whose ids are their indices, in the order of the directory.
  ///
  /// - Parameter limit: The number of people to which users can add further ones.
  public init<C: Clock>(_ people: [Person] = Person.madeUp(), limit: Int = 20_000, clock: C)
  where C.Duration == Duration {
    self.people = people
    self.limit = limit
    names = people.map(Self.names)
    order = Array(people.indices)
    count = MutableProperty(people.count)
    let start = clock.now
    time = { start.duration(to: clock.now) }
  }

  nonisolated var now: Duration { time() }

  func page(_ request: PageRequest<PeopleQuery, Person.ID>) -> Page<Person, Person.ID> {
    let query = request.parameters
    let prefixes = query.words.map { Array($0.lowercased().utf8) }
    let order = query.isReversed ? order.reversed() : order
    let start = request.cursor.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let size = request.cursor == nil ? max(Self.pageSize, query.firstPage) : Self.pageSize
    // One more than the page has, to know whether there is a next page.
    let found = order[start...].lazy
      .filter { [names] id in prefixes.allSatisfy { prefix in names[id].contains { $0.starts(with: prefix) } } }
      .prefix(size + 1)
    let ids = Array(found)
    return Page(ids.prefix(size).map(current), next: ids.count > size ? ids[size - 1] : nil)
  }

  func person(_ id: Person.ID) throws -> Person {
    guard people.indices.contains(id) else { throw DirectoryError.noSuchPerson }
    return current(id)
  }

  func save(_ edit: Person.Edit, of id: Person.ID) throws -> Person {
    var person = try person(id)
    person.apply(edit)
    person.nickname = Self.corrected(person.nickname, limit: Self.nicknameLimit)
    edited.update { $0[id] = person }
    return person
  }

  func add(_ person: Person) throws -> Person {
    let name = Self.corrected(person.name, limit: Self.nameLimit)
    if name.isEmpty { throw DirectoryError.nameMissing }
    if people.count >= limit { throw DirectoryError.full }
    var added = Person(id: people.count, name: name, lastSeen: now)
    added.nickname = Self.corrected(person.nickname, limit: Self.nicknameLimit)
    added.color = person.color
    order.insert(added.id, at: order.firstIndex { added.isBefore(people[$0]) } ?? order.count)
    people.append(added)
    names.append(Self.names(of: added))
    count.value = people.count
    return added
  }

  private func current(_ id: Person.ID) -> Person { edited.value[id] ?? people[id] }

  private static func names(of person: Person) -> [[UInt8]] {
    person.name.lowercased().split(separator: " ").map { Array($0.utf8) }
  }

  /// The text with single spaces between its words, and none around them, cut to `limit` characters.
  private static func corrected(_ text: String, limit: Int) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(limit)
    return words.last == " " ? String(words.dropLast()) : String(words)
  }
}
