// The screens of a view model, and the scope of what it does while one of them is resumed (contract 2.12).

/// A screen that a view model is told about.
@usableFromInline
enum ScreenID: Hashable, Sendable {
  /// The one that `didResume` and `didPause` speak of.
  case own
  /// One that a lifecycle has bound.
  case bound(UInt64)
}

/// What the end of the engine disposes beside the effects. Guarded by the lock of the inbox.
@usableFromInline
struct Scopes {
  /// The scope of the resume under way.
  @usableFromInline var resumed: DisposeBag?
  /// The scopes that have had an action. The end drops the actions.
  @usableFromInline var members: [ObjectIdentifier: any Disposable] = [:]

  @usableFromInline
  init() {}

  /// The caller has taken this out of the inbox and holds no lock.
  @usableFromInline
  func dispose() {
    resumed?.seal()
    for member in members.values { member.dispose() }
  }
}

extension Engine {
  /// A screen has been resumed. Calls `onResume` if it is the first one.
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

  /// A screen has been paused. Calls `onPause` if it was the last one, and disposes the scope then.
  @usableFromInline
  func pause(_ screen: ScreenID, _ host: Unmanaged<Host>) {
    guard screens.remove(screen) != nil, screens.isEmpty else { return }
    host._withUnsafeGuaranteedRef { $0.onPause() }
    inbox.withLock { $0.scopes.resumed.take() }?.seal()
  }

  /// Asks for another turn, which comes behind what the scheduler has to do meanwhile (contract 1.10).
  ///
  /// - Parameter viewModel: nil for a turn that does not keep it alive.
  /// It is inlinable, because the whole turn is specialised where the closure that takes it is made.
  @inlinable
  func yield(_ viewModel: Host?) {
    let next = schedulerOfNextTurn()
    if let viewModel { return schedule(viewModel, on: next) }
    next?.schedule { [self] in turn(self.viewModel, isStrong: false) }
  }

  @usableFromInline
  func schedulerOfNextTurn() -> (any Scheduler)? {
    let (scheduler, waiting) = inbox.withLock { ($0.scheduler, $0.inputs.count) }
    // All turns of a `MainScheduler` are on the main actor, so that the machine is this thread's here too.
    return (scheduler as? MainScheduler)?.yielding(for: waiting + machine.inputs.count) ?? scheduler
  }
}
