/// The observers of live data or live events. Each has the elements that it has not received yet.
@MainActor
final class LiveObservers<Pending> {
  /// An observer and its owner.
  @MainActor
  final class Entry {
    var pending: Pending
    fileprivate let canReceive: @MainActor () -> Bool
    fileprivate let deliver: @MainActor (Entry) -> Bool
    fileprivate var isDelivering = false
    fileprivate var isRemoved = false

    fileprivate init(
      _ pending: Pending, canReceive: @escaping @MainActor () -> Bool, deliver: @escaping @MainActor (Entry) -> Bool
    ) {
      self.pending = pending
      self.canReceive = canReceive
      self.deliver = deliver
    }

    /// Delivers the pending elements while the observer can receive. Inside the observer's callback it does nothing: the outer call
    /// continues.
    ///
    /// This does not use a ``Serial``, because pending elements wait for the owner's resume and may be replaced meanwhile, and
    /// because it only runs on the main actor.
    func flush() {
      if isDelivering { return }
      isDelivering = true
      while !isRemoved, canReceive(), deliver(self) {}
      isDelivering = false
    }
  }

  private var entries: [Entry] = []

  /// Makes a table without observers. May be called on any thread, because live events may be made on any thread.
  nonisolated init() {}

  var isEmpty: Bool { entries.isEmpty }

  /// The observers, in the order of adding.
  var all: [Entry] { entries }

  /// Adds an observer in O(1). Its removal is O(n) for n observers.
  ///
  /// - Parameters:
  ///   - owner: The observer's lifecycle, or nil for an observer that can always receive. The caller has checked that
  ///     the lifecycle is not destroyed.
  ///   - deliver: Delivers the next pending element. Returns false if there is none.
  ///   - isRemoved: Called when the observer has been removed.
  func add(
    _ pending: Pending, owner: Lifecycle?, _ deliver: @escaping @MainActor (Entry) -> Bool,
    isRemoved: @escaping @MainActor @Sendable () -> Void
  ) -> (entry: Entry, disposable: any Disposable) {
    let entry =
      if let owner {
        Entry(pending, canReceive: { [weak owner] in owner?.state == .resumed }, deliver: deliver)
      } else {
        Entry(pending, canReceive: { true }, deliver: deliver)
      }
    entries.append(entry)
    var handlerKey: Int?
    let remove: @MainActor @Sendable (Int?) -> Void = { [weak owner, weak entry] handlerKey in
      // Weak, so that the disposable of a removed observer does not retain it.
      guard let entry, let index = self.entries.firstIndex(where: { $0 === entry }) else { return }
      self.entries.remove(at: index)
      entry.isRemoved = true
      if let handlerKey { owner?.removeHandler(handlerKey) }
      isRemoved()
    }
    handlerKey = owner?.addHandler { state in
      switch state {
      case .resumed: entry.flush()
      case .paused: break
      case .destroyed: remove(nil)
      }
    }
    let registered = handlerKey
    return (entry, Disposables.create { MainQueue.run { remove(registered) } })
  }
}
