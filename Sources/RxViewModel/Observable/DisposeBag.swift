/// Holds disposables and disposes them together: at ``dispose()`` and at its `deinit`.
///
/// Give each screen or view model a bag, so that its subscriptions end with it. Bags nest: `inner.disposed(by: outer)`. May be used from
/// any thread. A disposable that has ended by itself stays in the bag, without the objects that its subscription has captured: for one
/// subscription after another, take a ``SerialDisposable``.
public final class DisposeBag: Disposable {
  private struct State {
    /// In the order of insertion. Nil in the places of members that have been removed.
    var disposables: [(any Disposable)?] = []
    /// The places of the disposables that the engine of a view model looks up, by engine.
    var members: [ObjectIdentifier: Int] = [:]
    var gaps = 0
    var isClosed = false

    /// Removes the member of an owner. O(1), amortized. The caller retains the member, so nothing is released under the lock.
    mutating func removeMember(of owner: ObjectIdentifier) {
      guard let place = members.removeValue(forKey: owner) else { return }
      disposables[place] = nil
      gaps += 1
      if gaps * 2 > disposables.count { compact() }
    }

    /// Closes the gaps. O(n), once for as many gaps.
    mutating func compact() {
      var places: [Int] = []
      var kept = 0
      for disposable in disposables {
        places.append(kept)
        if disposable != nil { kept += 1 }
      }
      disposables.removeAll { $0 == nil }
      members = members.mapValues { places[$0] }
      gaps = 0
    }
  }

  private let state = Lock(State())

  /// Creates an empty bag.
  public init() {}

  /// Holds `disposable` until ``dispose()`` or the bag's `deinit`.
  ///
  /// If this bag is the scope of an `onResume(_:)` and the resume has ended, the bag disposes `disposable` at once.
  public func insert(_ disposable: any Disposable) {
    let isClosed = state.withLock { state -> Bool in
      if !state.isClosed { state.disposables.append(disposable) }
      return state.isClosed
    }
    if isClosed { disposable.dispose() }
  }

  /// Disposes the contents of the bag, in the order of insertion, on the calling thread. Afterwards the bag is empty, and can be used
  /// again.
  public func dispose() {
    dispose(closes: false)
  }

  /// Disposes the contents of the bag. From now on the bag disposes each inserted disposable at once.
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
    for disposable in held.disposables { disposable?.dispose() }
  }

  /// Returns the member of `owner` in this bag, or inserts the one that `make` returns. Nil if the bag is closed.
  ///
  /// - Parameter outdated: A member that has ended, and that a new one replaces.
  func member(
    of owner: ObjectIdentifier, insteadOf outdated: (any Disposable)?, _ make: () -> any Disposable
  ) -> (any Disposable)? {
    state.withLock { state in
      if state.isClosed { return nil }
      if let place = state.members[owner], let member = state.disposables[place], member !== outdated { return member }
      let member = make()
      state.removeMember(of: owner)
      state.members[owner] = state.disposables.count
      state.disposables.append(member)
      return member
    }
  }

  /// Removes a member of `owner` that has ended.
  func removeMember(_ member: any Disposable, of owner: ObjectIdentifier) {
    state.withLock { state in
      if let place = state.members[owner], state.disposables[place] === member { state.removeMember(of: owner) }
    }
  }

  deinit {
    dispose()
  }
}
