import Foundation
import Testing

extension Trait where Self == OwnThreadTrait {
  /// Runs each test on threads of its own.
  ///
  /// For tests that block or compute for a long time. The pool of Swift's concurrency has one thread for each processor. A test that
  /// occupies one of them delays the tests that await a task.
  ///
  /// Also for tests that start a process with `#expect(processExitsWith:)`. If the process ends while its test waits for a thread of the
  /// pool, the thread on which Swift Testing waits for processes spins until the test goes on, and takes a processor from the other tests.
  static var ownThread: Self { OwnThreadTrait() }
}

struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) else { return try await function() }
    try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
  }
}

/// Runs each part of a task, from one suspension to the next, on a new thread, so that no part waits for another.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
private final class ThreadPerJob: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    thread.stackSize = 8 << 20
    thread.start()
  }
}
