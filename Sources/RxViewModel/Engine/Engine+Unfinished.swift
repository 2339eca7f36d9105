// What is unfinished, for a test that asks.

/// An accepted action that has not ended.
package struct UnfinishedAction<Action: Sendable>: Sendable {
  /// The number of the action in `Execution`.
  package let id: UInt64
  package let action: Action
  /// Nil if the engine has not asked the view model for it yet.
  package let mode: ExecutionMode?
  /// Whether the streams have announced the action.
  package let hasStarted: Bool
}

extension Engine {
  /// The accepted actions that have not ended, in the order of acceptance. None after the end of the view model. Nil while another thread
  /// takes a turn, because only that thread may read the machine.
  ///
  /// May be called from any thread. Does not wait for user code, and calls none. O(n log n).
  func unfinishedActions() -> [UnfinishedAction<Action>]? {
    let found = inbox.withLock { inbox -> [UInt64: UnfinishedAction<Action>]? in
      if inbox.isClosed { return [:] }
      guard inbox.driver == nil || inbox.isDrivenHere else { return nil }
      var found: [UInt64: UnfinishedAction<Action>] = [:]
      let runs = outputs.withLock { $0.all } + (machine.beginning.map { [$0.run] } ?? [])
      for run in runs { add(run, to: &found) }
      for input in machine.inputs.elements + inbox.inputs.elements { add(input, to: &found) }
      return found
    }
    return found?.values.sorted { $0.id < $1.id }
  }

  /// Adds the action of a run, unless it has ended. Called with the lock of the inbox held, and while no other thread takes a turn.
  private func add(_ run: Run, to found: inout [UInt64: UnfinishedAction<Action>]) {
    guard let action = run.storedAction, run.stage != .over else { return }
    let hasStarted = run.stage == .started || run.stage == .ending && run.hasEffect
    found[run.id] = UnfinishedAction(id: run.id, action: action, mode: run.mode, hasStarted: hasStarted)
  }

  /// Adds the action of an input that no turn has taken.
  private func add(_ input: EngineInput<Action, State>, to found: inout [UInt64: UnfinishedAction<Action>]) {
    switch input {
    case .action(let id, let action):
      found[id] = UnfinishedAction(id: id, action: action, mode: nil, hasStarted: false)
    case .run(let run): add(run, to: &found)
    case .event, .quiet, .failure, .resume, .pause: break
    }
  }
}
