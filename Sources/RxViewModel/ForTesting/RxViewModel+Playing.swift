// The calls that the player of a recording makes.

extension RxViewModel {
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
    engine.scheduleIfNeeded(engine.shared.withLock { $0.append($0.held.parked.remove(at: index), isReleased: true) })
  }

  package final func resume(_ screen: UInt64) { engine.send(.resume(screen)) }

  package final func pause(_ screen: UInt64) { engine.send(.pause(screen)) }
}
