/// The unfinished actions of one view model that end with a ``DisposeBag``. The bag has one entry for all of them (contract 2.13).
@usableFromInline
// Sendable: the lock of the engine guards `runs` and `isDisposed`, all else is set in init only.
final class ActionScope<Action: Sendable, State: Sendable>: Disposable, @unchecked Sendable {
  /// Weak: a user's bag may outlive the view model.
  private(set) weak var engine: Engine<Action, State>?
  /// Weak: the bag retains this object.
  private(set) weak var bag: DisposeBag?
  private let owner: ObjectIdentifier
  private var runs: [UInt64: EngineRun<Action, State>] = [:]
  private var isDisposed = false

  init(_ engine: Engine<Action, State>, _ bag: DisposeBag) {
    (self.engine, self.bag, owner) = (engine, bag, ObjectIdentifier(engine))
  }

  /// Accepts an action, unless the scope has ended. Under the lock.
  func accept(_ run: EngineRun<Action, State>, _ instance: ChildInstance?, _ state: inout EngineState<Action, State>)
    -> Turn?
  {
    if isDisposed { return nil }
    guard let engine, case let turn = engine.accept(run, of: instance, isRetry: instance != nil), turn > .refused else {
      return .refused
    }
    (runs[run.id], state.members[ObjectIdentifier(self)]) = (run, self)
    return turn
  }

  /// Removes an action that has ended. Under the lock.
  @usableFromInline
  func remove(_ run: EngineRun<Action, State>) {
    runs[run.id] = nil
    if runs.isEmpty, runs.capacity > 64 { runs = [:] }
  }

  /// Cancels all the actions with one request, and leaves the bag. The bag calls this at its end, and the engine at its own.
  @usableFromInline
  func dispose() {
    var runs: [UInt64: EngineRun<Action, State>] = [:]
    engine?.shared.withLock { shared in
      (isDisposed, shared.members[ObjectIdentifier(self)]) = (true, nil)
      swap(&runs, &self.runs)
    }
    engine?.cancel(runs.values.sorted { $0.id < $1.id })
    bag?.removeMember(self, of: owner)
  }
}

/// Closes an engine when a bag is disposed, and leaves the bag when the engine ends.
// Sendable: both are set in init only.
private final class ClosingEntry<Action: Sendable, State: Sendable>: Disposable, @unchecked Sendable {
  /// Weak: a user's bag may outlive the view model.
  private weak var engine: Engine<Action, State>?
  /// Weak: the bag retains this object.
  private weak var bag: DisposeBag?

  init(_ engine: Engine<Action, State>, _ bag: DisposeBag) { (self.engine, self.bag) = (engine, bag) }

  /// The bag calls this at its end, and the engine at its own.
  func dispose() {
    engine?.close()
    bag?.removeMember(self, of: ObjectIdentifier(self))
  }
}

extension Engine {
  /// Accepts an action that is cancelled when `bag` is disposed. Called on any thread.
  @usableFromInline
  func execute(_ action: Action, _ mode: ExecutionMode?, in bag: DisposeBag, for viewModel: ViewModel) {
    if !accept(action, mode, in: bag) { report(.executedAfterClear(action), for: viewModel) }
  }

  /// Returns false if the engine is closed. If the scope has ended, does not execute the action.
  func accept(_ action: Action, _ mode: ExecutionMode?, in bag: DisposeBag, again instance: ChildInstance? = nil)
    -> Bool
  {
    var outdated: (any Disposable)?
    while let member = bag.member(of: ObjectIdentifier(self), insteadOf: outdated, { ActionScope(self, bag) }) {
      outdated = member
      // The entry may belong to a released engine that had the same address.
      guard let scope = member as? ActionScope<Action, State>, scope.engine === self else { continue }
      let run = ActionRun(action, mode: mode, sender: .scope(scope))
      guard let turn = shared.withLock({ scope.accept(run, instance, &$0) }) else { continue }
      // A scope of a closed engine has no actions, and leaves the bag.
      if case .refused = turn { scope.dispose() }
      return scheduleIfNeeded(turn)
    }
    return !isOver
  }

  /// Closes the engine when `bag` is disposed. Called on any thread.
  func close(with bag: DisposeBag) {
    // One entry for each engine and bag. The end of a bag closes the engine, so the address of the bag identifies it.
    let key = ObjectIdentifier(bag)
    let entry = shared.withLock { shared -> ClosingEntry<Action, State>? in
      if shared.isClosed { return nil }
      if let entry = shared.members[key] as? ClosingEntry<Action, State> { return entry }
      let entry = ClosingEntry(self, bag)
      shared.members[key] = entry
      return entry
    }
    guard let entry else { return }
    if bag.member(of: ObjectIdentifier(entry), insteadOf: nil, { entry }) == nil { close() }
    // Another thread may have closed the engine before the entry was in the bag.
    if isOver { entry.dispose() }
  }
}
