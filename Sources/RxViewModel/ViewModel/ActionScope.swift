/// What a view model has in a ``DisposeBag``: its unfinished actions that end with the bag (contract 2.13), and whether it ends, too.
@usableFromInline
// Sendable: the lock of the engine guards the variables; `key` is set before another thread gets this object.
final class ActionScope<Action: Sendable, State: Sendable>: Disposable, ActionWatcher, @unchecked Sendable {
  /// Weak: a user's bag may outlive the view model.
  private weak var engine: Engine<Action, State>?
  /// Weak: the bag retains this object.
  private(set) weak var bag: DisposeBag?
  private let place: ObjectIdentifier
  fileprivate var key: UInt64 = 0
  fileprivate var runs: [UInt64: EngineRun<Action, State>] = [:]
  fileprivate var closesEngine = false

  fileprivate init(_ engine: Engine<Action, State>, _ bag: DisposeBag) {
    (self.engine, self.bag, place) = (engine, bag, ObjectIdentifier(bag))
  }

  /// Removes the action, which its caller retains.
  @usableFromInline
  func actionHasEnded(_ run: AnyObject, _ result: Result<AnyObject, any Error>) {
    engine?.shared.withLock { _ in
      runs[unsafeDowncast(run, to: EngineRun<Action, State>.self).id] = nil
      if runs.isEmpty, runs.capacity > 64 { runs = [:] }
    }
  }

  /// Cancels all the actions with one request, or closes the engine. The bag calls this at its end, and the engine at its own.
  @usableFromInline
  func dispose() {
    if let engine {
      var runs: [UInt64: EngineRun<Action, State>] = [:]
      engine.shared.withLock { shared in
        swap(&runs, &self.runs)
        if shared.scopes[place] === self { shared.scopes[place] = nil }
      }
      if closesEngine { engine.close() } else { engine.cancel(runs.values.sorted { $0.id < $1.id }, .bag) }
    }
    _ = bag?.ifOpen { $0.remove(key) }
  }
}

extension Engine {
  /// Accepts an action that is cancelled when `bag` is disposed. Called on any thread.
  @usableFromInline
  func execute(_ action: Action, _ mode: ExecutionMode?, in bag: DisposeBag, for viewModel: ViewModel) {
    if !accept(action, mode, in: bag) { report(.executedAfterClear(action), for: viewModel) }
  }

  /// Returns false if the engine is closed. If the bag is, does not execute the action.
  func accept(_ action: Action, _ mode: ExecutionMode?, in bag: DisposeBag, again instance: ChildInstance? = nil)
    -> Bool
  {
    let turn = withScope(in: bag) { scope, shared in
      let run = ActionRun<Action, State>(action, mode: mode, watcher: scope)
      let turn = accept(run, of: instance, isRetry: instance != nil)
      scope.runs[run.id] = run
      return turn
    }
    return turn.map { scheduleIfNeeded($0 ?? .refused) } ?? !isOver
  }

  /// Closes the engine when `bag` is disposed. Called on any thread.
  func close(with bag: DisposeBag) {
    if withScope(in: bag, { scope, _ in scope.closesEngine = true }) == nil { close() }
  }

  /// Calls `body` with this engine's entry in the bag, under the locks of both. Returns nil if the bag is closed, and nil in its result if
  /// the engine is closed.
  ///
  /// A bag that is being disposed has lost its entries already, so the entry is a new one then.
  private func withScope<Result>(
    in bag: DisposeBag, _ body: (ActionScope<Action, State>, inout Shared) -> Result
  ) -> Result?? {
    bag.ifOpen { members in
      shared.withLock { shared in
        if shared.isClosed { return nil }
        let place = ObjectIdentifier(bag)
        if let known = shared.scopes[place], members[known.key] === known { return body(known, &shared) }
        let scope = ActionScope(self, bag)
        scope.key = members.insert(scope)
        shared.scopes[place] = scope
        return body(scope, &shared)
      }
    }
  }
}
