// How the engine gets its turns on the scheduler, and what it does in a turn: one step after the other.

extension Engine {
  /// Schedules a turn. During the view model's `deinit`, in which nothing may retain it, closes the engine instead and returns false.
  ///
  /// Inlinable, because the whole turn is specialized where the closure that takes it is made.
  ///
  /// - Parameter viewModel: The view model that the turn keeps alive, or nil for a turn that keeps none alive.
  @inlinable
  @discardableResult
  func schedule(_ viewModel: Host?, on scheduler: (any Scheduler)? = nil) -> Bool {
    if viewModel != nil, self.viewModel == nil {
      close()
      return false
    }
    let scheduler = scheduler ?? inbox.withLock { $0.scheduler }
    scheduler?.schedule { [self] in
      if let viewModel { turn(viewModel, isStrong: true) } else { turn(self.viewModel, isStrong: false) }
    }
    return true
  }

  /// Takes a turn: handles the inputs that have arrived so far, unless another thread is the driver.
  @inlinable
  func turn(_ viewModel: Host?, isStrong: Bool) {
    let isTaken = inbox.withLock { inbox -> Bool in
      if isStrong { inbox.hasStrongTurn = false } else { inbox.hasWeakTurn = false }
      // The scheduler runs work at once, so this turn runs inside the one that has scheduled it. The outer turn continues by itself.
      if let yieldingThread = inbox.yieldingThread, yieldingThread == .current {
        inbox.yieldingThread = nil
        return true
      }
      return false
    }
    if isTaken { return }
    var isFirst = true
    while becomeDriver(viewModel, isFirst: isFirst) {
      inside(0) { work() }
      if finishTurn(viewModel) { break }
      isFirst = false
    }
    withExtendedLifetime(viewModel) {}
  }

  /// Makes this thread the driver. Returns false if another thread is the driver.
  @inlinable
  func becomeDriver(_ viewModel: Host?, isFirst: Bool) -> Bool {
    let isDriver = inbox.withLock { inbox -> Bool in
      // The view model has been released, so the engine is about to be closed, and closing schedules a turn of its own.
      if inbox.driver != nil || viewModel == nil && !inbox.isClosed { return false }
      inbox.driver = .current
      gate = inbox.gate
      // Inputs that an earlier turn has left come first. Appending more of them here would take time under the lock.
      if machine.inputs.isEmpty { swap(&machine.inputs, &inbox.inputs) }
      // Requests that go on and on do not keep the inputs from their turn.
      if machine.backlog == 0 { machine.backlog = machine.cancellations.count + inbox.cancellations.count }
      return true
    }
    if !isDriver { return false }
    host = viewModel.map { .passUnretained($0) }
    machine.waiting = machine.inputs.count
    if isFirst || machine.isExhausted { machine.renew() }
    return true
  }

  @usableFromInline
  enum TurnEnd {
    /// The turn goes on.
    case `continue`
    case idle
    /// The engine has been closed, and its streams complete.
    case complete
    /// The engine needs another turn, and the scheduler may run it at once.
    case reschedule(isStrong: Bool)
  }

  /// Ends the turn, and schedules another one if inputs have arrived meanwhile. Returns false if the caller must take that turn itself.
  @inlinable
  func finishTurn(_ viewModel: Host?) -> Bool {
    while true {
      switch inbox.withLock({ endOfTurn(&$0, viewModel != nil) }) {
      case .idle: return true
      case .continue: inside(0) { work() }
      case .complete: inside(0) { complete() }
      case .reschedule(let isStrong):
        schedule(isStrong ? viewModel : nil, on: schedulerOfNextTurn())
        return inbox.withLock { inbox in
          if inbox.yieldingThread == nil { return false }
          if inbox.yieldingThread == .current { inbox.yieldingThread = nil }
          return true
        }
      }
    }
  }

  @inlinable
  func endOfTurn(_ inbox: inout Inbox<Action, State>, _ hasViewModel: Bool) -> TurnEnd {
    inbox.queuedActions -= Int(takenActions)
    takenActions = 0
    if inbox.status == .closed {
      inbox.status = .ended
      return .complete
    }
    if inbox.status != .ended, !inbox.cancellations.isEmpty, machine.allowance.cancellations > 0, machine.ends.isEmpty {
      gate = .interrupted
      return .continue
    }
    inbox.driver = nil
    host = nil
    let isIdle =
      machine.isIdle && machine.inputs.isEmpty && inbox.inputs.isEmpty && machine.cancellations.isEmpty
      && inbox.cancellations.isEmpty
    if inbox.status == .ended || isIdle {
      tap?.rest()
      return .idle
    }
    let isStrong = (inbox.queuedActions > 0 || machine.keepsAlive) && hasViewModel
    if inbox.hasStrongTurn || inbox.hasWeakTurn && !isStrong { return .idle }
    if isStrong { inbox.hasStrongTurn = true } else { inbox.hasWeakTurn = true }
    inbox.yieldingThread = .current
    return .reschedule(isStrong: isStrong)
  }

  /// Runs work after what it has accepted in the meantime (contract 1.10).
  @usableFromInline
  func schedulerOfNextTurn() -> (any Scheduler)? {
    let scheduler = inbox.withLock { $0.scheduler }
    // A `MainScheduler` runs all turns on the main actor, so this thread may use the machine here too.
    return (scheduler as? MainScheduler)?.yielding(after: machine.takeAmount()) ?? scheduler
  }

  /// Does one step after the other, until the turn has nothing left to do or the engine is closed.
  ///
  /// - Parameter isInside: Whether the caller is inside the subscription to an effect. If so, the engine only handles events that the view
  ///   model's own work has sent.
  @inlinable
  func work(isInside: Bool = false) {
    while !isClosed {
      if gate == .interrupted, machine.allowance.cancellations > 0, machine.cancellations.isEmpty {
        takeCancellations()
      }
      switch machine.next(isInside: isInside) {
      case .end: end()
      case .cancel: cancel()
      case .fold: continueFolding()
      case .receive: receive()
      case .release: release()
      case .begin: continueBeginning()
      case .stopLoading: stopLoading()
      case .input: takeInput()
      case .finishTurn: return
      }
    }
  }

  // MARK: The check before each step
  //
  // A step is one function, which first checks whether a cancellation or the end comes before it. If so, it stores itself in its slot of
  // the machine and returns. Otherwise it calls the next step directly.

  @inline(__always)
  @inlinable
  var isDisturbed: Bool {
    gate != .open && (isClosed || machine.allowance.cancellations > 0)
  }

  @inline(__always)
  @inlinable
  var mayFold: Bool { machine.mayFold && !isDisturbed }

  @inline(__always)
  @inlinable
  var mayBegin: Bool { machine.mayBegin && !isDisturbed }

  /// Looks at the outputs, under their lock. Returns whether the driver may pass the gate. If not, it must first handle the cancellations
  /// or the end that have closed the gate.
  @inline(__always)
  @inlinable
  func passes(_ outputs: borrowing Outputs<Action, State>) -> Bool {
    isObserved = outputs.streams.isObserved
    if outputs.gate == .open { return true }
    gate = outputs.gate
    return !isDisturbed
  }

  /// Whether no other thread has requested anything that comes first.
  @inlinable
  func mayContinue() -> Bool {
    outputs.withLock { passes($0) }
  }

  /// Whether the engine is closed, perhaps by another thread, so that the driver calls nothing any more.
  @usableFromInline
  func isCleared() -> Bool {
    _ = mayContinue()
    return isClosed
  }

  /// Hands the waiting requests to the machine, which has none, together with the inputs that a predicate may refer to.
  @usableFromInline
  func takeCancellations() {
    inbox.withLock { inbox in
      gate = inbox.isClosed ? .closed : .open
      if isClosed { return }
      swap(&machine.cancellations, &inbox.cancellations)
      outputs.withLock { if $0.gate == .interrupted { $0.gate = .open } }
    }
    if !machine.cancellations.elements.contains(where: \.isPredicate) { return }
    var inputs = Queue<EngineInput<Action, State>>()
    inbox.withLock { swap(&inputs, &$0.inputs) }
    while let input = inputs.popFirst() { machine.inputs.append(input) }
  }
}
