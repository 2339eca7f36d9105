// The calls that the player of a recording makes.

extension RxViewModel {
  package final func execute(_ action: Action, _ mode: TappedMode?, batch: AnyObject?) {
    engine.execute(ActionRun(action, mode: mode?.mode, watcher: batch as? ActionBatch), for: self)
  }

  package static func makeBatch() -> AnyObject { ActionBatch() }

  package final func cancelActions(_ ids: Set<UInt64>) { engine.cancel(.request) { ids.contains($0.id) } }

  /// The inputs that wait for ``release(at:)``.
  package final var parkedInputs: [TappedInput] { engine.inbox.withLock { $0.parked.map(\.tapped) } }

  /// Lets the engine take an input that the player has let wait.
  package final func release(at index: Int) {
    engine.scheduleIfNeeded(engine.inbox.withLock { $0.append($0.parked.remove(at: index), isReleased: true) })
  }

  /// Drops the inputs that wait for ``release(at:)``. Called while the view model rests.
  package final func dropParkedInputs() {
    var dropped: [EngineInput<Action, State>] = []
    engine.inbox.withLock { swap(&$0.parked, &dropped) }
    for case .event(let run, _) in dropped { run.taken &+= 1 }
  }

  package final func flush(lane: String) { engine.post(.flush(ExecutionMode.Lane(stringLiteral: lane), isOwn: false)) }

  package final func resume(_ screen: UInt64) { engine.post(.resume(screen)) }

  package final func pause(_ screen: UInt64) { engine.post(.pause(screen)) }
}

extension RxViewModel {
  /// The object that learns what the view model takes.
  package final var tap: (any EngineTap)? { engine.tap }
}
