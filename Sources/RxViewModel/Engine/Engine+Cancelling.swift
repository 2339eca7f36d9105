// Cancelling single actions: `cancelActions(where:)`, and a `perform` whose task is cancelled (contract 2.10, 2.11).

extension Engine {
  @usableFromInline typealias Cancellation = Machine<Action, State>.Cancellation

  /// Requests the cancellation of the matching actions among those accepted so far. May be called on any thread.
  @usableFromInline
  func cancel(where matches: @escaping @Sendable (Action) -> Bool) {
    request { .matching(matches, upTo: $0.lastID) }
  }

  /// Requests the cancellation of an action that a task awaits. May be called on any thread, also before the engine
  /// accepts the action.
  @usableFromInline
  func cancel(_ run: Run) {
    request { _ in
      run.isTaskCancelled = true
      return run.id > 0 ? .one(run) : nil
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
  private func request(_ cancellation: (inout Inbox<Action, State>) -> Cancellation?) {
    let needsTurn = inbox.withLock { inbox -> Bool in
      guard let cancellation = cancellation(&inbox), !inbox.isClosed else { return false }
      inbox.cancellations.append(cancellation)
      if inbox.isDrivenHere { isInterrupted = true }
      outputs.withLock { if $0.gate == .open { $0.gate = .interrupted } }
      return inbox.needsTurn()
    }
    if needsTurn { schedule() }
  }

  /// Hands the waiting requests to the machine, together with the inputs that they may refer to.
  @usableFromInline
  func takeCancellations() {
    isInterrupted = false
    inbox.withLock { inbox in
      isClosed = inbox.isClosed
      if isClosed { return }
      while let cancellation = inbox.cancellations.popFirst() { machine.cancellations.append(cancellation) }
      machine.take(&inbox.inputs)
      outputs.withLock { if $0.gate == .interrupted { $0.gate = .open } }
    }
  }

  /// Adds the actions that a request means to the machine's `ends`, in the order of their acceptance.
  ///
  /// A request for one action is O(1). A request with a predicate is O(n log n) in the number of unfinished actions.
  @usableFromInline
  func cancel() {
    machine.cancellationAllowance -= 1
    defer { takenActions += Int32(machine.removeCancelledInputs()) }
    switch machine.cancellations.popFirst() {
    case .one(let run): machine.end(run, .cancelled)
    case .several(let runs): for run in runs { machine.end(run, .cancelled) }
    case .matching(let matches, let last):
      var candidates = outputs.withLock { $0.all }
      if let run = machine.beginning, !candidates.contains(where: { $0 === run }) { candidates.append(run) }
      candidates = candidates.filter { $0.id <= last && $0.stage != .over }.sorted { $0.id < $1.id }
      let running = candidates.filter { matches($0.action) }
      // The engine has accepted the actions in the queue after all actions that have a run in the table.
      let queued = machine.queuedActions(upTo: last).filter { matches($0.action) }
      for run in running { machine.end(run, .cancelled) }
      for place in queued { machine.cancelQueued(at: place) }
    case nil: break
    }
  }
}

extension Machine {
  /// An action in the queue of inputs.
  @usableFromInline
  struct Queued {
    @usableFromInline let offset: Int
    @usableFromInline let action: Action
  }

  /// The actions that the driver has not taken out of the queue yet.
  @usableFromInline
  func queuedActions(upTo last: UInt64) -> [Queued] {
    inputs.indices.compactMap { offset in
      switch inputs[offset] {
      case .action(let id, let action): id <= last ? Queued(offset: offset, action: action) : nil
      case .run(let run): run.id <= last && run.stage == .queued ? Queued(offset: offset, action: run.action) : nil
      case .event, .quiet, .failure, .resume, .pause, .nothing: nil
      }
    }
  }

  /// Ends an action in the queue, and leaves an empty place there.
  @usableFromInline
  mutating func cancelQueued(at place: Queued) {
    switch inputs[place.offset] {
    case .action(let id, let action):
      inputs[place.offset] = .nothing
      end(Run(action, id: id), .cancelled)
    case .run(let run): end(run, .cancelled)
    case .event, .quiet, .failure, .resume, .pause, .nothing: break
    }
  }

  /// Removes cancelled actions from the front of the queue. Returns their number.
  @usableFromInline
  mutating func removeCancelledInputs() -> Int {
    var count = 0
    while let input = inputs.first {
      switch input {
      case .nothing: break
      case .run(let run) where run.stage != .queued: break
      default: return count
      }
      _ = inputs.popFirst()
      count += 1
    }
    return count
  }

  /// Moves the inputs in `others` to the end of the queue.
  @inlinable
  mutating func take(_ others: inout Queue<EngineInput<Action, State>>) {
    if inputs.isEmpty { return swap(&inputs, &others) }
    while let input = others.popFirst() { inputs.append(input) }
  }
}
