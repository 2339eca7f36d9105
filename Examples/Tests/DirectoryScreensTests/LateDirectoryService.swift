import DirectoryScreens
import RxViewModel
import RxViewModelTesting

/// A service that does its work at once, and whose answers arrive when the exploration decides. Each of them may be a failure: then the
/// service has done nothing.
struct LateDirectoryService: DirectoryService {
  let service: DemoDirectoryService
  let run: Exploration
  let mayFail: MutableProperty<Bool>

  var edited: Observable<[Person.ID: Person]> { service.edited }
  var count: Int { service.count }
  var additions: Observable<Int> { service.additions }
  var now: Duration { service.now }

  func page(_ request: PageRequest<PeopleQuery, Person.ID>) async throws -> Page<Person, Person.ID> {
    try await late("people \(request.parameters)") { try await service.page(request) }
  }

  func signIn(username: String, password: String) async throws {
    try await late("sign-in") { try await service.signIn(username: username, password: password) }
  }

  func person(_ id: Person.ID) async throws -> Person {
    try await late("person \(id)") { try await service.person(id) }
  }

  func save(_ edit: Person.Edit, of id: Person.ID) async throws -> Person {
    try await late("\(edit)") { try await service.save(edit, of: id) }
  }

  func add(_ person: Person) async throws -> Person {
    try await late("new \(person.name)") { try await service.add(person) }
  }

  private func late<Answer>(_ label: String, _ call: () async throws -> Answer) async throws -> Answer {
    let fails = mayFail.value && run.choose(false, true)
    let answer = fails ? nil : try await call()
    try await run.arrival(fails ? "\(label), a failure" : label)
    guard let answer else { throw DirectoryError.unavailable }
    return answer
  }
}
