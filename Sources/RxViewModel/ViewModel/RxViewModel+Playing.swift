// The calls that a recorder makes, and the player of a recording on the thread that plays.

extension RxViewModel {
  /// Calls `body` with the state, under the lock of the engine. Nil while the view model works, and after its end: no input is under way.
  package final func atRest<Result>(_ body: (State) -> Result) -> Result? {
    engine.shared.withLock { shared in
      let isResting = shared.driver == nil && shared.held.ends.isEmpty && engine.events.isEmpty && engine.jobs.isEmpty
      return isResting && !shared.isClosed ? shared.states.buffer.last.map { body($0.value) } : nil
    }
  }

  package final func execute(_ action: Action, _ mode: TappedMode?, batch: AnyObject?) {
    let run = ActionRun<Action, State>(action, mode: mode?.mode)
    run.batch = batch as? ActionBatch
    engine.execute(run, for: self)
  }

  package static func makeBatch() -> AnyObject { ActionBatch() }

  package final func cancelActions(_ ids: Set<UInt64>) { engine.cancel { ids.contains($0.id) } }

  /// The inputs that wait for ``release(at:)``.
  package final var parkedInputs: [TappedInput] { engine.shared.withLock { $0.held.parked.map(\.tapped) } }

  /// Lets the engine take an input that the player has let wait.
  package final func release(at index: Int) {
    let turn = engine.shared.withLock { shared -> Turn in
      let input = shared.held.parked.remove(at: index)
      if input.keepsAlive { shared.queued += 1 }
      shared.held.inputs.append(input)
      return shared.turn(.strong)
    }
    engine.isAccepted(turn)
  }

  package final func resume(_ screen: UInt64) { engine.send(.resume(screen)) }

  package final func pause(_ screen: UInt64) { engine.send(.pause(screen)) }
}

/// The mode with which an action has been executed, as a recording has it.
package struct TappedMode: Codable, Sendable {
  let kind: ExecutionMode.Kind
  let lane: String?

  package init(_ mode: ExecutionMode) { (kind, lane) = (mode.kind, mode.lane?.name) }

  var mode: ExecutionMode { ExecutionMode(kind, lane: lane.map { .init($0) }) }
}
