// The screens of a view model, and the scope of the effects that run while one of them is resumed (contract 2.12).

/// A screen that reports to a view model.
@usableFromInline
enum ScreenID: Hashable, Sendable {
  /// The screen that calls `didResume` and `didPause`.
  case own
  /// A screen that a lifecycle has bound.
  case bound(UInt64)
}

/// The scopes that the engine disposes at its end, in addition to the effects. Guarded by the lock of the inbox.
@usableFromInline
struct Scopes {
  /// The scope of the current resume.
  @usableFromInline var resumed: DisposeBag?
  /// The scopes that have had an action. At its end the engine disposes them, which releases their actions.
  @usableFromInline var members: [ObjectIdentifier: any Disposable] = [:]

  @usableFromInline
  init() {}

  /// Disposes the scopes. The caller has taken this value out of the inbox and holds no lock.
  @usableFromInline
  func dispose() {
    resumed?.close()
    for member in members.values { member.dispose() }
  }
}

extension Engine {
  /// Counts a screen as resumed. Calls `onResume` if it is the first one.
  @usableFromInline
  func resume(_ screen: ScreenID, _ host: Unmanaged<Host>) {
    guard screens.insert(screen).inserted, screens.count == 1 else { return }
    let scope = DisposeBag()
    let isOpen = inbox.withLock { inbox -> Bool in
      if !inbox.isClosed { inbox.scopes.resumed = scope }
      return !inbox.isClosed
    }
    if isOpen { host._withUnsafeGuaranteedRef { $0.onResume(scope) } }
  }

  /// Counts a screen as paused. If it is the last one, calls `onPause` and then disposes the scope.
  @usableFromInline
  func pause(_ screen: ScreenID, _ host: Unmanaged<Host>) {
    guard screens.remove(screen) != nil, screens.isEmpty else { return }
    host._withUnsafeGuaranteedRef { $0.onPause() }
    inbox.withLock { $0.scopes.resumed.take() }?.close()
  }

  /// Schedules another turn, which the scheduler runs after the work that it has accepted in the meantime (contract
  /// 1.10).
  ///
  /// Inlinable, because the whole turn is specialized where the closure that takes it is made.
  ///
  /// - Parameter viewModel: The view model that the turn keeps alive, or nil for a turn that keeps none alive.
  @inlinable
  func yield(_ viewModel: Host?) {
    let next = schedulerOfNextTurn()
    if let viewModel {
      schedule(viewModel, on: next)
      return
    }
    next?.schedule { [self] in turn(self.viewModel, isStrong: false) }
  }

  @usableFromInline
  func schedulerOfNextTurn() -> (any Scheduler)? {
    let (scheduler, waiting) = inbox.withLock { ($0.scheduler, $0.inputs.count) }
    // A `MainScheduler` runs all turns on the main actor, so this thread may use the machine here too.
    return (scheduler as? MainScheduler)?.yielding(for: waiting + machine.inputs.count) ?? scheduler
  }
}
