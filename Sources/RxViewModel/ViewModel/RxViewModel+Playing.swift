// The calls that the player of a recording makes, on the thread that plays.

extension RxViewModel {
  package final func execute(_ action: Action, _ mode: TappedMode?, batch: AnyObject?) {
    let run = ActionRun<Action, State>(action, mode: mode?.mode)
    run.batch = batch as? ActionBatch
    engine.execute(run, for: self)
  }

  package static func makeBatch() -> AnyObject { ActionBatch() }

  package final func cancelActions(_ ids: [UInt64]) { engine.cancel { [ids = Set(ids)] in ids.contains($0.id) } }

  package final func resume(_ screen: UInt64) { engine.send(.resume(screen)) }

  package final func pause(_ screen: UInt64) { engine.send(.pause(screen)) }
}
