/// Holds disposables and disposes them together: at ``dispose()`` and at its `deinit`.
///
/// Give each screen or view model a bag, so that its subscriptions end with it. Bags nest: `inner.disposed(by: outer)`. May be used from
/// any thread.
public final class DisposeBag: Disposable {
  private struct State {
    var disposables: [any Disposable] = []
    /// The disposables that the engine of a view model looks up, by engine.
    var members: [ObjectIdentifier: any Disposable] = [:]
    var isSealed = false
  }

  private let state = Lock(State())

  /// Creates an empty bag.
  public init() {}

  /// Holds `disposable` until ``dispose()`` or the bag's `deinit`.
  ///
  /// If this bag is the scope of an `onResume(_:)` and the resume has ended, the bag disposes `disposable` at once.
  public func insert(_ disposable: any Disposable) {
    let isSealed = state.withLock { state -> Bool in
      if !state.isSealed { state.disposables.append(disposable) }
      return state.isSealed
    }
    if isSealed { disposable.dispose() }
  }

  /// Disposes the contents of the bag, in the order of insertion, on the calling thread. Afterwards the bag is empty, and can be used
  /// again.
  public func dispose() {
    dispose(seals: false)
  }

  /// Disposes the contents of the bag. From now on the bag disposes each inserted disposable at once.
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

  /// Returns the member of `owner` in this bag, or inserts the one that `make` returns. Nil if the bag is sealed.
  ///
  /// - Parameter outdated: A member that has ended, and that a new one replaces.
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
