/// The unfinished actions of one view model that end with a ``DisposeBag``. The bag has one entry for all of them
/// (contract 2.13).
///
/// A thread takes this object's lock before that of the inbox, so that accepting an action and adding it here are one
/// step.
// Sendable: `engine`, `bag` and `owner` are set in init only, the lock guards the rest.
final class ActionScope<Host: EngineHost>: Disposable, ActionWatcher, @unchecked Sendable {
  typealias Run = EngineRun<Host.Action, Host.State>

  private struct State {
    var runs: [ObjectIdentifier: Run] = [:]
    var isDisposed = false
  }

  /// Weak: a user's bag may outlive the view model.
  private(set) weak var engine: Engine<Host>?
  /// Weak: the bag retains this object.
  private(set) weak var bag: DisposeBag?
  private let owner: ObjectIdentifier
  private let state = Lock(State())

  init(_ engine: Engine<Host>, _ bag: DisposeBag) {
    self.engine = engine
    owner = ObjectIdentifier(engine)
    self.bag = bag
  }

  /// Returns nil if the scope has been disposed.
  func accept(_ run: Run, by engine: Engine<Host>) -> Inbox<Host.Action, Host.State>.Acceptance? {
    state.withLock { state in
      if state.isDisposed { return nil }
      return engine.inbox.withLock { inbox in
        let acceptance = inbox.accept(run)
        if acceptance == .refused { return .refused }
        run.listener = .watcher(self)
        state.runs[ObjectIdentifier(run)] = run
        inbox.scopes.members[ObjectIdentifier(self)] = self
        return acceptance
      }
    }
  }

  func actionHasFolded(_ run: AnyObject) {}

  func actionHasEnded(_ run: AnyObject) {
    // The engine retains the run during this call, so nothing is released under the lock.
    state.withLock { state in
      state.runs[ObjectIdentifier(run)] = nil
      if state.runs.isEmpty, state.runs.capacity > 64 { state.runs = [:] }
    }
  }

  /// Cancels all the actions with one request, and leaves the bag. The bag calls this at its end, and the engine at its own.
  func dispose() {
    var runs: [ObjectIdentifier: Run] = [:]
    state.withLock { state in
      state.isDisposed = true
      swap(&runs, &state.runs)
    }
    engine?.cancel(runs.values.sorted { $0.id < $1.id }, of: self)
    bag?.removeMember(self, of: owner)
  }
}

extension Engine {
  /// Accepts an action that is cancelled when `bag` is disposed. May be called on any thread.
  @usableFromInline
  func execute(_ run: Run, in bag: DisposeBag, for viewModel: Host) {
    if !accept(run, in: bag, for: viewModel) { refuse(run.action, for: viewModel) }
  }

  /// Returns false if the engine is closed. If the scope has ended, does not execute the action.
  func accept(_ run: Run, in bag: DisposeBag, for viewModel: Host) -> Bool {
    var outdated: (any Disposable)?
    while let member = bag.member(of: ObjectIdentifier(self), insteadOf: outdated, { ActionScope(self, bag) }) {
      outdated = member
      // The entry may belong to a released engine that had the same address.
      guard let scope = member as? ActionScope<Host>, scope.engine === self else { continue }
      guard let acceptance = scope.accept(run, by: self) else { continue }
      // A scope of a closed engine has no actions, and leaves the bag.
      if acceptance == .refused { scope.dispose() }
      return isAccepted(acceptance, for: viewModel)
    }
    return !inbox.withLock { $0.isClosed }
  }

  /// Closes the engine when `bag` is disposed. May be called on any thread.
  func close(with bag: DisposeBag) {
    // One entry for each engine and bag. The end of a bag closes the engine, so the address of the bag identifies it.
    let key = ObjectIdentifier(bag)
    let entry = inbox.withLock { inbox -> ClosingEntry<Host>? in
      if inbox.isClosed { return nil }
      if let entry = inbox.scopes.members[key] as? ClosingEntry<Host> { return entry }
      let entry = ClosingEntry(self, bag)
      inbox.scopes.members[key] = entry
      return entry
    }
    guard let entry else { return }
    if bag.member(of: ObjectIdentifier(entry), insteadOf: nil, { entry }) == nil { close() }
    // Another thread may have closed the engine before the entry was in the bag.
    if isOver { entry.dispose() }
  }

  /// Whether `clear` has been called, or the view model has been released. All actions have ended then.
  var isOver: Bool {
    outputs.withLock { $0.gate == .closed }
  }
}

/// Closes an engine when a bag is disposed, and leaves the bag when the engine ends.
// Sendable: both are set in init only.
private final class ClosingEntry<Host: EngineHost>: Disposable, @unchecked Sendable {
  /// Weak: a user's bag may outlive the view model.
  private weak var engine: Engine<Host>?
  /// Weak: the bag retains this object.
  private weak var bag: DisposeBag?

  init(_ engine: Engine<Host>, _ bag: DisposeBag) {
    self.engine = engine
    self.bag = bag
  }

  /// The bag calls this at its end, and the engine at its own.
  func dispose() {
    engine?.close()
    bag?.removeMember(self, of: ObjectIdentifier(self))
  }
}
