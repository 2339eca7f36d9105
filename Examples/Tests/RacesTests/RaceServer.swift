import RxViewModel
import RxViewModelTesting
import Synchronization

struct Offline: Error {}

/// A server of a run. It handles a request at one time, and the answer arrives at another.
final class RaceServer<Content: Sendable>: Sendable {
  private let run: Exploration
  private let stored: Mutex<Content>
  /// Whether the explorer tries requests that fail, and answers that are lost.
  private let fails: Atomic<Bool>

  init(_ run: Exploration, _ content: Content, fails: Bool = false) {
    self.run = run
    self.fails = Atomic(fails)
    stored = Mutex(content)
  }

  /// From now on, no request fails.
  func recover() { fails.store(false, ordering: .relaxed) }

  private var error: Offline? { fails.load(ordering: .relaxed) ? Offline() : nil }

  var content: Content { stored.withLock { $0 } }

  func write<Answer: Sendable>(
    _ label: String, _ handle: @escaping @Sendable (inout Content) throws -> Answer
  ) async throws -> Answer {
    try await run.request(label, failing: error) { [self] in try change(handle) }
  }

  func read<Answer: Sendable>(
    _ label: String, _ handle: @escaping @Sendable (Content) throws -> Answer
  ) async throws -> Answer {
    try await run.request(label, failing: error, changes: false) { [self] in try handle(content) }
  }

  private func change<Answer: Sendable>(_ handle: @Sendable (inout Content) throws -> Answer) rethrows -> Answer {
    try stored.withLock { content in
      var copy = content
      defer { content = copy }
      return try handle(&copy)
    }
  }
}

extension RxViewModel {
  /// Without a subscriber, a debug build logs each error.
  func expectErrors() { _ = errorObservable.subscribe(onNext: { _ in }) }
}
