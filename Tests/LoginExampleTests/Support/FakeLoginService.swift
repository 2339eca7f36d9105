@testable import LoginExample

/// A service whose answers the test sends.
final class FakeLoginService: LoginService {
  /// A sign-in that waits for its answer.
  struct Call: Sendable {
    let username: String
    let password: String
    fileprivate let answer: AsyncThrowingStream<String, any Error>.Continuation

    func succeed(_ token: String) {
      answer.yield(token)
    }

    func fail(_ error: any Error) {
      answer.finish(throwing: error)
    }
  }

  /// Emits each call to the service.
  private let calls: AsyncStream<Call>
  /// Emits the username of each call that is cancelled.
  private let cancellations: AsyncStream<String>
  private let reportCall: AsyncStream<Call>.Continuation
  private let reportCancellation: AsyncStream<String>.Continuation

  init() {
    (calls, reportCall) = AsyncStream.makeStream()
    (cancellations, reportCancellation) = AsyncStream.makeStream()
  }

  func login(username: String, password: String) async throws -> String {
    let (answers, answer) = AsyncThrowingStream.makeStream(of: String.self)
    reportCall.yield(Call(username: username, password: password, answer: answer))
    for try await token in answers { return token }
    reportCancellation.yield(username)
    throw CancellationError()
  }

  /// Waits for the next sign-in.
  func nextCall() async throws -> Call {
    for await call in calls { return call }
    throw CancellationError()
  }

  /// Waits until a sign-in is cancelled, and returns its username.
  func nextCancellation() async throws -> String {
    for await username in cancellations { return username }
    throw CancellationError()
  }
}
