// The requests of any thread to a view model: actions, cancellations, and the reports of effects and screens.

extension Engine {
  /// Accepts an action. May be called on any thread.
  @inlinable
  func execute(_ action: Action, for viewModel: Host) {
    let acceptance = inbox.withLock { $0.accept { .action($0, action) } }
    if !isAccepted(acceptance, for: viewModel) { refuse(action, for: viewModel) }
  }

  @inlinable
  func execute(_ run: Run, for viewModel: Host) {
    let acceptance = inbox.withLock { $0.accept(run) }
    if !isAccepted(acceptance, for: viewModel) { refuse(run.action, for: viewModel) }
  }

  /// Accepts the actions together, so that no other action comes between them.
  @usableFromInline
  func execute(batch actions: [Action], for viewModel: Host) {
    let batch = ActionBatch()
    let runs = actions.map { ActionRun<Action, State>($0, mode: .sequence, batch: batch) }
    let acceptances = inbox.withLock { inbox in
      batch.first = inbox.lastID + 1
      return runs.map { inbox.accept($0) }
    }
    if let first = acceptances.first, !isAccepted(first, for: viewModel) {
      for action in actions { refuse(action, for: viewModel) }
    }
  }

  /// Schedules the turn that an accepted action needs. Returns false if the engine is closed.
  @inlinable
  func isAccepted(_ acceptance: Inbox<Action, State>.Acceptance, for viewModel: Host) -> Bool {
    switch acceptance {
    case .needsTurn: schedule(viewModel)
    case .waits: true
    case .refused: false
    }
  }

  /// Reports an action that was executed after `clear()`. Called with no lock held.
  @usableFromInline
  func refuse(_ action: Action, for viewModel: Host) {
    report(.executedAfterClear(action), for: viewModel)
  }

  /// Reports an action that is not executed, on the calling thread. Called with no lock held.
  func report(_ diagnostic: Diagnostic<Action>, for viewModel: Host) {
    // An override of `diagnose` may itself execute an action, which is refused too. Reporting that one would go on without end.
    let isNested = inbox.withLock { inbox -> Bool in
      if inbox.reporters.contains(.current) { return true }
      inbox.reporters.append(.current)
      return false
    }
    if isNested { return }
    viewModel.diagnose(diagnostic)
    inbox.withLock { $0.reporters.removeAll { $0.isCurrent } }
  }

  /// Reports an error that belongs to no action, on the scheduler. A cancellation is not an error (contract 2.6).
  func fail(_ error: any Error) {
    if !(error is CancellationError) { send(.failure(error)) }
  }

  /// Adds an input that does not keep the view model alive.
  @usableFromInline
  func send(_ input: EngineInput<Action, State>) {
    let needsTurn = inbox.withLock { inbox -> Bool in
      if inbox.isClosed { return false }
      inbox.inputs.append(input)
      return inbox.needsTurn()
    }
    if needsTurn { schedule(nil) }
  }

  /// Accepts the pause of a screen, which keeps the view model alive until `onPause` has run.
  func pause(_ screen: ScreenID, of viewModel: Host) {
    _ = isAccepted(inbox.withLock { $0.accept { _ in .pause(screen) } }, for: viewModel)
  }

  @inlinable
  func perform(_ action: Action, mode: ExecutionMode?, for viewModel: Host) async throws -> Box<State> {
    let run = ActionRun<Action, State>(action, mode: mode, listener: .task)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        accept(run, continuation, for: viewModel)
      }
    } onCancel: {
      cancel(run)
    }
  }

  @inlinable
  func accept(_ run: Run, _ continuation: CheckedContinuation<Box<State>, any Error>, for viewModel: Host) {
    var needsTurn = false
    let isAccepted = inbox.withLock { inbox -> Bool in
      let isCancelled = inbox.removeAwaiting(run) != nil
      if isCancelled || inbox.isClosed { return false }
      inbox.awaiting[ObjectIdentifier(run)] = .continuation(continuation)
      needsTurn = inbox.accept(run) == .needsTurn
      return true
    }
    if needsTurn { schedule(viewModel) }
    if !isAccepted { continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Cancellations (contract 2.10, 2.11)

  @usableFromInline typealias Cancellation = Machine<Action, State>.Cancellation

  /// Requests the cancellation of the matching actions among those accepted so far. May be called on any thread.
  ///
  /// Asks here about the action whose effect the driver is subscribing to, because that may take forever. The answer travels with the
  /// request, so that the driver does not ask again.
  @usableFromInline
  func cancel(where matches: @escaping @Sendable (Action) -> Bool) {
    let last = inbox.withLock { $0.lastID }
    var answers: [Machine<Action, State>.Answer] = []
    while let run = request({ _ in .matching(matches, upTo: last, answers) }) {
      answers.append((run, matches(run.action)))
    }
  }

  /// Requests the cancellation of the actions with these numbers. No thread takes a turn, or this one does.
  @usableFromInline
  func cancelActions(_ ids: [UInt64]) {
    let ids = Set(ids)
    request { inbox in
      var runs = outputs.withLock { $0.runs }
      if let run = machine.beginning?.run { runs.append(run) }
      for case .run(let run) in inbox.inputs.elements { runs.append(run) }
      runs = runs.filter { ids.contains($0.id) }
      return runs.isEmpty ? nil : .several(runs.sorted { $0.id < $1.id })
    }
  }

  /// Requests the cancellation of the actions of a scope that has been disposed. May be called on any thread.
  func cancel(_ runs: [Run], of scope: ActionScope<Host>) {
    request { inbox in
      inbox.scopes.members[ObjectIdentifier(scope)] = nil
      return runs.isEmpty ? nil : .several(runs)
    }
  }

  /// Adds a request and closes the gate, under both locks. From then on the driver handles the request before it begins an action or sets a
  /// state.
  ///
  /// While the driver subscribes to an effect that does not return, its turn does not end, and it handles at most as many requests as one
  /// turn does. So this ends that effect if the request means its action, which then ends as cancelled.
  ///
  /// Returns the run of that effect, and adds nothing, if the request has yet to be asked about it.
  @discardableResult
  private func request(_ cancellation: (inout Inbox<Action, State>) -> Cancellation?) -> Run? {
    var (unasked, effect, needsTurn): (Run?, (any Disposable)?, Bool) = (nil, nil, false)
    inbox.withLock { inbox in
      guard let cancellation = cancellation(&inbox), !inbox.isClosed else { return }
      if let run = inbox.subscribing, !run.effect.isOver {
        switch cancellation.answer(about: run) {
        case nil:
          unasked = run
          return
        case true?: effect = run.effect.end()
        case false?: break
        }
      }
      if tap?.request(isOwn: inbox.isDrivenHere) == false { return }
      inbox.cancellations.append(cancellation)
      if inbox.isDrivenHere { gate = .interrupted }
      outputs.withLock { if $0.gate == .open { $0.gate = .interrupted } }
      needsTurn = inbox.needsTurn()
    }
    if needsTurn { schedule(nil) }
    effect?.dispose()
    return unasked
  }

  /// Requests the cancellation of an action that a task awaits. May be called on any thread, also before the engine
  /// accepts the action.
  @usableFromInline
  func cancel(_ run: Run) {
    request { inbox in
      if run.id > 0 { return .one(run) }
      if !inbox.isClosed { inbox.awaiting[ObjectIdentifier(run)] = .cancelled }
      return nil
    }
  }
}

extension Machine.Cancellation {
  var isPredicate: Bool { if case .matching = self { true } else { false } }

  /// Whether this request means the action. Nil if that is not known, because the predicate has not been asked about it.
  func answer(about run: EngineRun<Action, State>) -> Bool? {
    switch self {
    case .one(let other): run === other
    case .several(let runs): runs.contains { $0 === run }
    case .matching(_, let last, let answers): run.id > last ? false : answers.first { $0.run === run }?.isMatch
    }
  }
}

// MARK: Unfinished actions, for a test

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
    let found = inbox.withLock { inbox -> [UnfinishedAction<Action>]? in
      if inbox.isClosed { return [] }
      guard inbox.driver == nil || inbox.isDrivenHere else { return nil }
      var runs = outputs.withLock { $0.runs }
      if let run = machine.beginning?.run, !runs.contains(where: { $0 === run }) { runs.append(run) }
      var found: [UnfinishedAction<Action>] = []
      for input in machine.inputs.elements + inbox.inputs.elements {
        switch input {
        case .action(let id, let action):
          found.append(UnfinishedAction(id: id, action: action, mode: nil, hasStarted: false))
        case .run(let run): runs.append(run)
        case .event, .quiet, .failure, .resume, .pause, .call: break
        }
      }
      return found + runs.compactMap(\.unfinished)
    }
    return found?.sorted { $0.id < $1.id }
  }
}

extension EngineRun {
  /// Nil for a source, and for an action that has ended.
  fileprivate var unfinished: UnfinishedAction<Action>? {
    guard stage != .over, let run = self as? ActionRun else { return nil }
    return UnfinishedAction(id: id, action: run.action, mode: mode, hasStarted: isLoading)
  }
}
