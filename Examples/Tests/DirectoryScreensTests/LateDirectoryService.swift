import DirectoryScreens
import RxViewModel
import RxViewModelTesting

/// A service that has done its part, and whose answer comes when the exploration lets it.
struct LateDirectoryService: DirectoryService {
  let service: DemoDirectoryService
  let run: Exploration

  var changes: Observable<Person> { service.changes }
  var now: Duration { service.now }

  func page(_ request: PageRequest<PeopleQuery, Int>) async throws -> Page<Person, Int> {
    try await late("people \(request.parameters)") { try await service.page(request) }
  }

  func signIn(username: String, password: String) async throws {
    try await late("sign-in") { try await service.signIn(username: username, password: password) }
  }

  func person(_ id: Person.ID) async throws -> Person {
    try await late("person \(id)") { try await service.person(id) }
  }

  func setNickname(_ nickname: String, of id: Person.ID) async throws -> Person {
    try await late("nickname \(nickname)") { try await service.setNickname(nickname, of: id) }
  }

  func setColor(_ color: PersonColor, of id: Person.ID) async throws -> Person {
    try await late("color \(color)") { try await service.setColor(color, of: id) }
  }

  func add(_ person: Person) async throws -> Person {
    try await late("new \(person.name)") { try await service.add(person) }
  }

  private func late<Answer>(_ label: String, _ call: () async throws -> Answer) async throws -> Answer {
    let answer = try await call()
    try await run.arrival(label)
    return answer
  }
}
