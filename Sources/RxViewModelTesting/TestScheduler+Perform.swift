import RxViewModel

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension TestScheduler {
  /// Executes an action, runs work until the action has ended, and returns the state after its last mapper.
  ///
  ///     let state = try scheduler.perform(.login, on: viewModel)
  ///
  /// This is `viewModel.perform(_:)` without `await`. Without a mode, `executionMode(for:)` decides. It throws the action's error, even if
  /// `handleError` has handled it, and a `CancellationError` if the action was replaced, dropped, cancelled or cleared. If no work is left
  /// and the action hasn't ended, or if it hasn't ended after a million pieces of work, this cancels the action and throws a
  /// ``TestFailure``.
  @discardableResult
  public func perform<Action: Sendable, State: Sendable>(
    _ action: Action, on viewModel: RxViewModel<Action, State>, mode: ExecutionMode? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> State {
    let outcome = Lock<Result<State, any Error>?>(nil)
    let task = Task(executorPreference: time) {
      let result = await Result { () async throws -> State in
        if let mode { try await viewModel.perform(action, mode: mode) } else { try await viewModel.perform(action) }
      }
      outcome.withLock { $0 = result }
    }
    let limit = 1_000_000
    var count = 0
    time.atWork {
      while count < limit, outcome.withLock({ $0 == nil }), time.runNext() { count += 1 }
    }
    if let result = outcome.withLock({ $0 }) { return try result.get() }
    let lines = time.linesAboutTasksOutside
    task.cancel()
    _ = time.pass(.zero, limit: limit)
    let reason = count < limit ? "nothing is left to run" : "\(limit) pieces of work have run"
    throw TestFailure(
      "\(action) has not ended at \(now), and \(reason)", TestFailure.Place(file: file, line: line), lines)
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
