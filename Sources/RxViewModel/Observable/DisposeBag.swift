/// Holds disposables and disposes them together: at ``dispose()`` and at its `deinit`.
///
/// Give each screen or view model a bag, and its subscriptions end with it. Bags nest: `inner.disposed(by: outer)`. May
/// be used from any thread.
public final class DisposeBag: Disposable {
  private struct State {
    var disposables: [any Disposable] = []
    /// The disposables that an owner, the engine of a view model, looks up.
    var members: [ObjectIdentifier: any Disposable] = [:]
    var isSealed = false
  }

  private let state = Lock(State())

  /// An empty bag.
  public init() {}

  /// Holds `disposable` until ``dispose()`` or the bag's `deinit`.
  ///
  /// A bag that a view model has been given in `onResume(_:)` disposes it at once if that screen has been paused since.
  public func insert(_ disposable: any Disposable) {
    let isSealed = state.withLock { state -> Bool in
      if !state.isSealed { state.disposables.append(disposable) }
      return state.isSealed
    }
    if isSealed { disposable.dispose() }
  }

  /// Disposes what the bag holds, in the order of insertion. The bag is empty then and can be used again.
  public func dispose() {
    dispose(seals: false)
  }

  /// Disposes what the bag holds. From here on it disposes at once each disposable that is inserted.
  func seal() {
    dispose(seals: true)
  }

  private func dispose(seals: Bool) {
    var held = State()
    state.withLock { state in
      held.isSealed = seals || state.isSealed
      swap(&held, &state)
    }
    for disposable in held.disposables { disposable.dispose() }
  }

  /// The member that `owner` has in this bag, or the one that `make` makes, inserted. Nil if the bag is sealed.
  ///
  /// - Parameter outdated: a member that has ended: another one replaces it.
  func member(
    of owner: ObjectIdentifier, insteadOf outdated: (any Disposable)?, _ make: () -> any Disposable
  ) -> (any Disposable)? {
    state.withLock { state in
      if state.isSealed { return nil }
      if let member = state.members[owner], member !== outdated { return member }
      let member = make()
      // The member that this replaces stays among the disposables.
      state.members[owner] = member
      state.disposables.append(member)
      return member
    }
  }

  deinit {
    dispose()
  }
}
