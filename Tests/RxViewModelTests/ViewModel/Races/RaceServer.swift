import RxViewModelTesting

@testable import TestSupport

/// A server of an exploration: that it handles a request, and that the answer comes, are two arrivals.
final class RaceServer<Content: Sendable>: Sendable {
  struct NoAnswer: Error {}

  private let run: Exploration
  private let content: Locked<Content>
  private let fails: Bool
  /// Whether a request has failed, or its answer was lost.
  let hasFailed = Locked(false)

  /// - Parameter fails: Whether each request may fail: before the server has handled it, or after, so that only its answer is lost.
  init(_ run: Exploration, _ content: Content, fails: Bool = false) {
    (self.run, self.content, self.fails) = (run, Locked(content), fails)
  }

  var value: Content { content.value }

  func request<Answer: Sendable>(_ name: String, _ handle: (inout Content) -> Answer) async throws -> Answer {
    try await run.arrival("\(name) at the server")
    let fate = fails ? run.choose("succeeds", "fails", "loses its answer") : "succeeds"
    if fate != "succeeds" { hasFailed.mutate { $0 = true } }
    if fate == "fails" { throw NoAnswer() }
    let answer = content.mutate { handle(&$0) }
    try await run.arrival("the answer to \(name)")
    if fate != "succeeds" { throw NoAnswer() }
    return answer
  }
}
