/// Disposes everything you put into it, at ``dispose()`` or at its `deinit`.
///
/// Give each screen or view model a bag, so that its subscriptions end with it. Bags nest: `inner.disposed(by: outer)`. You can use a bag
/// from any thread. A disposable that has ended by itself stays in the bag, but no longer retains what its subscription captured. If one
/// subscription replaces another, use a ``SerialDisposable`` instead.
public final class DisposeBag: Disposable {
  private struct State {
    var disposables = Bag<any Disposable>()
    /// The keys of the disposables that the engine of a view model looks up, by engine.
    var members: [ObjectIdentifier: UInt64] = [:]
    var isClosed = false

    /// Removes the member of an owner. The caller retains the member, so nothing is released under the lock.
    mutating func removeMember(of owner: ObjectIdentifier) {
      if let key = members.removeValue(forKey: owner) { _ = disposables.remove(key) }
    }
  }

  private let state = Lock(State())

  /// Creates an empty bag.
  public init() {}

  /// See ``Disposable/disposed(by:)``.
  @usableFromInline
  package func insert(_ disposable: any Disposable) {
    let isClosed = state.withLock { state -> Bool in
      if !state.isClosed { _ = state.disposables.insert(disposable) }
      return state.isClosed
    }
    if isClosed { disposable.dispose() }
  }

  /// Disposes the contents of the bag, in the order of insertion, on the calling thread. Afterwards the bag is empty, and you can use it
  /// again.
  public func dispose() {
    dispose(closes: false)
  }

  /// Disposes the contents of the bag. From now on the bag disposes each inserted disposable immediately.
  @usableFromInline
  func close() {
    dispose(closes: true)
  }

  private func dispose(closes: Bool) {
    var held = State()
    state.withLock { state in
      held.isClosed = closes || state.isClosed
      swap(&held, &state)
    }
    for disposable in held.disposables.values { disposable?.dispose() }
  }

  /// Returns the member of `owner` in this bag, or inserts the one that `make` returns. Nil if the bag is closed. `make` runs under the
  /// lock, so it runs no user code.
  ///
  /// - Parameter outdated: A member that has ended, and that a new one replaces.
  func member(
    of owner: ObjectIdentifier, insteadOf outdated: (any Disposable)?, _ make: () -> any Disposable
  ) -> (any Disposable)? {
    state.withLock { state in
      if state.isClosed { return nil }
      if let key = state.members[owner], let member = state.disposables[key], member !== outdated { return member }
      let member = make()
      state.removeMember(of: owner)
      state.members[owner] = state.disposables.insert(member)
      return member
    }
  }

  /// Removes a member of `owner` that has ended.
  func removeMember(_ member: any Disposable, of owner: ObjectIdentifier) {
    state.withLock { state in
      if let key = state.members[owner], state.disposables[key] === member { state.removeMember(of: owner) }
    }
  }

  deinit {
    dispose()
  }
}
