// How the engine gets its turns on the scheduler.

extension Engine {
  /// Accepts an action. May be called on any thread.
  @inlinable
  func execute(_ action: Action, for viewModel: Host) {
    switch inbox.withLock({ $0.accept(action) }) {
    case .needsTurn: if !schedule(viewModel) { refuse(action, for: viewModel) }
    case .waits: break
    case .refused: refuse(action, for: viewModel)
    }
  }

  @inlinable
  func execute(_ run: Run, for viewModel: Host) {
    switch inbox.withLock({ $0.accept(run) }) {
    case .needsTurn: if !schedule(viewModel) { refuse(run.action, for: viewModel) }
    case .waits: break
    case .refused: refuse(run.action, for: viewModel)
    }
  }

  /// Accepts the actions together, so that no other action comes between them.
  @usableFromInline
  func execute(batch actions: [Action], for viewModel: Host) {
    let batch = ActionBatch()
    let runs = actions.map { Run($0, mode: .sequence, batch: batch) }
    let acceptances = inbox.withLock { inbox in runs.map { inbox.accept($0) } }
    let isRefused =
      switch acceptances.first {
      case .needsTurn: !schedule(viewModel)
      case .refused: true
      case .waits, nil: false
      }
    if isRefused { for action in actions { refuse(action, for: viewModel) } }
  }

  /// Reports an action that was executed after `clear()`. Called with no lock held.
  @usableFromInline
  func refuse(_ action: Action, for viewModel: Host) {
    Refusal.report(by: self) { viewModel.diagnose(.executedAfterClear(action)) }
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
    if needsTurn { schedule() }
  }

  /// Schedules a turn that keeps the view model alive. During the view model's `deinit`, in which nothing may retain it, closes the engine
  /// instead and returns false.
  @inlinable
  @discardableResult
  func schedule(_ viewModel: Host, on scheduler: (any Scheduler)? = nil) -> Bool {
    if self.viewModel == nil {
      close()
      return false
    }
    let scheduler = scheduler ?? inbox.withLock { $0.scheduler }
    scheduler?.schedule { [self] in turn(viewModel, isStrong: true) }
    return true
  }

  /// Schedules a turn that does not keep the view model alive.
  @inlinable
  func schedule() {
    inbox.withLock { $0.scheduler }?.schedule { [self] in turn(viewModel, isStrong: false) }
  }

  /// The number of inputs, and of cancellations, that a turn takes at most (contract 1.10).
  @inlinable
  static var allowance: Int { 1_024 }

  /// Takes a turn: handles the inputs that have arrived so far, unless another thread is the driver.
  @inlinable
  func turn(_ viewModel: Host?, isStrong: Bool) {
    let isTaken = inbox.withLock { inbox -> Bool in
      if isStrong { inbox.hasStrongTurn = false } else { inbox.hasWeakTurn = false }
      // The scheduler runs work at once, so this turn runs inside the one that has scheduled it. The outer turn continues by itself.
      if let yielder = inbox.yielder, yielder == .current {
        inbox.yielder = nil
        return true
      }
      return false
    }
    if isTaken { return }
    while begins(viewModel) {
      work()
      if finishes(viewModel) { break }
    }
    withExtendedLifetime(viewModel) {}
  }

  /// Makes this thread the driver. Returns false if another thread is the driver.
  @inlinable
  func begins(_ viewModel: Host?) -> Bool {
    let isDriver = inbox.withLock { inbox -> Bool in
      // The view model has been released, so the engine is about to be closed, and closing schedules a turn of its own.
      if inbox.driver != nil || viewModel == nil && !inbox.isClosed { return false }
      inbox.driver = .current
      isInterrupted = !inbox.cancellations.isEmpty
      isClosed = inbox.isClosed
      // Inputs that an earlier turn has left come first. Appending more of them here would take time under the lock.
      if machine.inputs.isEmpty { machine.take(&inbox.inputs) }
      return true
    }
    if !isDriver { return false }
    host = viewModel.map { .passUnretained($0) }
    machine.allowance = Int32(min(machine.inputs.count, Self.allowance))
    machine.cancellationAllowance = Int32(Self.allowance)
    return true
  }

  @usableFromInline
  enum Rest {
    case goOn, over, close
    /// The engine needs another turn, and the scheduler may run it at once.
    case another(isStrong: Bool)
  }

  /// Ends the turn, and schedules another one if inputs have arrived meanwhile. Returns false if the caller must take that turn itself.
  @inlinable
  func finishes(_ viewModel: Host?) -> Bool {
    while true {
      if isDelivering || finished != nil { finishDelivery() }
      switch inbox.withLock({ rest(&$0, viewModel != nil) }) {
      case .over: return true
      case .goOn: work()
      case .close: complete()
      case .another(let isStrong):
        yield(isStrong ? viewModel : nil)
        return inbox.withLock { inbox in
          if inbox.yielder == nil { return false }
          if inbox.yielder == .current { inbox.yielder = nil }
          return true
        }
      }
    }
  }

  @inlinable
  func rest(_ inbox: inout Inbox<Action, State>, _ hasViewModel: Bool) -> Rest {
    inbox.queuedActions -= Int(takenActions)
    takenActions = 0
    if inbox.status == .closed {
      inbox.status = .ended
      return .close
    }
    if inbox.status != .ended, !inbox.cancellations.isEmpty, machine.cancellationAllowance > 0 {
      isInterrupted = true
      return .goOn
    }
    inbox.driver = nil
    host = nil
    let isIdle =
      machine.inputs.isEmpty && inbox.inputs.isEmpty && machine.cancellations.isEmpty && inbox.cancellations.isEmpty
    if inbox.status == .ended || isIdle { return .over }
    let isStrong = inbox.queuedActions > 0 && hasViewModel
    if inbox.hasStrongTurn || inbox.hasWeakTurn && !isStrong { return .over }
    if isStrong { inbox.hasStrongTurn = true } else { inbox.hasWeakTurn = true }
    inbox.yielder = .current
    return .another(isStrong: isStrong)
  }
}

/// The reports of actions that were executed after `clear()`, each while `diagnose` runs.
///
/// An override of `diagnose` may itself execute an action on the same view model, which is refused too. Reporting that one would call
/// `diagnose` again, without end.
private struct Refusal: Equatable {
  private static let underWay = Lock<[Refusal]>([])

  let thread: ThreadID
  let engine: ObjectIdentifier

  /// Calls `report`, unless this thread is inside the call for the same engine.
  static func report(by engine: AnyObject, _ report: () -> Void) {
    let refusal = Refusal(thread: .current, engine: ObjectIdentifier(engine))
    let isNested = underWay.withLock { all -> Bool in
      if all.contains(refusal) { return true }
      all.append(refusal)
      return false
    }
    if isNested { return }
    report()
    underWay.withLock { all in all.removeAll { $0 == refusal } }
  }
}
