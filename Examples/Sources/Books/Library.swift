import Foundation
import RxViewModelRecording

nonisolated struct Book: Codable, Sendable, Hashable, Identifiable {
  let id: Int
  let title: String
  var notes = Notes()

  struct Notes: Codable, Sendable, Hashable {
    var isRead = false
    var text = ""
  }
}

/// What the app asks of its server. It consists of closures, so that a test or a preview can replace one of them.
nonisolated struct Library: Sendable {
  var find: @Sendable (_ text: String) async throws -> [Book]
  /// The number of copies that are not on loan.
  var copies: @Sendable (Book.ID) async throws -> Int
  /// Saves the notes of a book.
  var save: @Sendable (Book) async throws -> Void

  /// The same library. The recorder notes each of its answers, so that a test can replay a user's session.
  func recorded(by recorder: Recorder) -> Library {
    Library(
      find: { text in try await recorder.answer("find \(text)") { try await find(text) } },
      copies: { id in try await recorder.answer("copies of \(id)") { try await copies(id) } },
      save: { book in try await recorder.answer("save \(book.id)") { try await save(book) } })
  }
}

// MARK: - Without a server

nonisolated extension Library {
  /// Stands for a server. Every fifth request fails, so that you can see what the app does then.
  static var demo: Library {
    let server = DemoServer()
    return Library(
      find: { try await server.find($0) }, copies: { try await server.copies(of: $0) },
      save: { try await server.save($0) })
  }

  /// Answers immediately, for previews.
  static let preview = Library(find: { _ in Book.examples }, copies: { $0 }, save: { _ in })
}

nonisolated extension Book {
  static let examples = [
    Book(id: 1, title: "Emma"), Book(id: 2, title: "Middlemarch"), Book(id: 3, title: "Persuasion"),
    Book(id: 4, title: "Villette"),
  ]
}

private actor DemoServer {
  private var books = Book.examples
  private var requests = 0

  func find(_ text: String) async throws -> [Book] {
    try await request()
    return text.isEmpty ? books : books.filter { $0.title.localizedCaseInsensitiveContains(text) }
  }

  func copies(of id: Book.ID) async throws -> Int {
    try await request()
    return id
  }

  func save(_ book: Book) async throws {
    try await request()
    if let index = books.firstIndex(where: { $0.id == book.id }) { books[index] = book }
  }

  private func request() async throws {
    requests += 1
    let isLost = requests.isMultiple(of: 5)
    try await Task.sleep(for: .milliseconds(500))
    if isLost { throw URLError(.networkConnectionLost) }
  }
}
