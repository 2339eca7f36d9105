import RxViewModel
import RxViewModelRecording

/// A service whose answers a recorder records, or gives in a test.
struct RecordedService: DirectoryService {
  let service: any DirectoryService
  let recorder: Recorder

  var edited: Observable<[Person.ID: Person]> { service.edited.recorded("edited", by: recorder) }
  var count: Int { recorder.value("count") { service.count } }
  var additions: Observable<Int> { service.additions.recorded("additions", by: recorder) }
  var now: Duration { recorder.value("now") { service.now } }

  func page(_ request: PageRequest<PeopleQuery, Person.ID>) async throws -> Page<Person, Person.ID> {
    let place = request.cursor.map { " after \($0)" } ?? ""
    return try await recorder.answer("people \(request.parameters)\(place)") { try await service.page(request) }
  }

  func signIn(username: String, password: String) async throws {
    _ = try await recorder.answer("sign in") {
      try await service.signIn(username: username, password: password)
      return true
    }
  }

  func person(_ id: Person.ID) async throws -> Person {
    try await recorder.answer("person \(id)") { try await service.person(id) }
  }

  func save(_ edit: Person.Edit, of id: Person.ID) async throws -> Person {
    try await recorder.answer("save \(edit) of \(id)") { try await service.save(edit, of: id) }
  }

  func add(_ person: Person) async throws -> Person {
    try await recorder.answer("add \(person.name)") { try await service.add(person) }
  }
}
