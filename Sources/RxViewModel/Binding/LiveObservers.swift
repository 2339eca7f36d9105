/// The observers of live data or live events.
@MainActor
final class LiveObservers {
  /// An observer and its owner.
  @MainActor
  final class Entry {
    /// The number of the value that the observer has received last, or of the event that it receives next.
    var number: Int
    fileprivate let canReceive: @MainActor () -> Bool
    fileprivate let deliver: @MainActor (Entry) -> Bool
    fileprivate var isDelivering = false
    fileprivate var isRemoved = false

    fileprivate init(
      _ number: Int, canReceive: @escaping @MainActor () -> Bool, deliver: @escaping @MainActor (Entry) -> Bool
    ) {
      (self.number, self.canReceive, self.deliver) = (number, canReceive, deliver)
    }

    /// Delivers what waits while the observer can receive. Inside the observer's callback it does nothing: the outer call continues.
    ///
    /// This does not use a ``Serial``, because elements wait for the owner's resume and may be replaced meanwhile, and because it only runs
    /// on the main actor.
    func flush() {
      if isDelivering { return }
      isDelivering = true
      while !isRemoved, canReceive(), deliver(self) {}
      isDelivering = false
    }
  }

  /// In the order of adding.
  private(set) var all: [Entry] = []

  /// Makes a table without observers, on any thread, because live events can be made on any thread.
  nonisolated init() {}

  /// Adds an observer in O(1). Its removal is O(n) for n observers.
  ///
  /// - Parameters:
  ///   - owner: The observer's lifecycle, or nil for an observer that can always receive. The caller has checked that
  ///     the lifecycle is not destroyed.
  ///   - deliver: Delivers the next element. Returns false if there is none.
  ///   - isRemoved: Called when the observer has been removed.
  func add(
    _ number: Int, owner: Lifecycle?, _ deliver: @escaping @MainActor (Entry) -> Bool,
    isRemoved: @escaping @MainActor @Sendable () -> Void
  ) -> (entry: Entry, disposable: any Disposable) {
    let hasOwner = owner != nil
    let entry = Entry(number, canReceive: { [weak owner] in !hasOwner || owner?.state == .resumed }, deliver: deliver)
    all.append(entry)
    let remove: @MainActor @Sendable (Int?) -> Void = { [weak owner, weak entry] handlerKey in
      // Weak, so that the disposable of a removed observer does not retain it.
      guard let entry, let index = self.all.firstIndex(where: { $0 === entry }) else { return }
      self.all.remove(at: index)
      entry.isRemoved = true
      if let handlerKey { owner?.removeHandler(handlerKey) }
      isRemoved()
    }
    let handlerKey = owner?.addHandler { state in
      if state == .resumed { entry.flush() }
      if state == .destroyed { remove(nil) }
    }
    return (entry, Disposables.create { MainQueue.run { remove(handlerKey) } })
  }
}
