import RxViewModel

/// A service without a network: it takes its time, and fails if asked to. All services of one store serve the same people.
///
/// `admin` with the password `admin` may sign in. For `error` with the password `error` the service fails.
public struct DemoDirectoryService: DirectoryService {
  /// While it is true, calls fail after their latency.
  public let isFailing: MutableProperty<Bool>
  private let store: PeopleStore
  private let sleep: @Sendable () async throws -> Void

  public init(_ store: PeopleStore, latency: Duration, clock: some Clock<Duration>, isFailing: Bool = false) {
    self.store = store
    self.isFailing = MutableProperty(isFailing)
    sleep = { try await clock.sleep(for: latency) }
  }

  public var edited: Observable<[Person.ID: Person]> { store.edited.asObservable() }

  public var count: Int { store.count.value }

  public var additions: Observable<Int> { store.count.asObservable().skip(1) }

  public var now: Duration { store.now }

  public func signIn(username: String, password: String) async throws {
    _ = try await reachStore()
    switch (username, password) {
    case ("admin", "admin"): return
    case ("error", "error"): throw DirectoryError.unavailable
    default: throw DirectoryError.wrongUsernameOrPassword
    }
  }

  public func page(_ request: PageRequest<PeopleQuery, Person.ID>) async throws -> Page<Person, Person.ID> {
    try await reachStore().page(request)
  }

  public func person(_ id: Person.ID) async throws -> Person {
    try await reachStore().person(id)
  }

  public func save(_ edit: Person.Edit, of id: Person.ID) async throws -> Person {
    try await reachStore().save(edit, of: id)
  }

  public func add(_ person: Person) async throws -> Person {
    try await reachStore().add(person)
  }

  private func reachStore() async throws -> PeopleStore {
    try await sleep()
    if isFailing.value { throw DirectoryError.unavailable }
    return store
  }
}
