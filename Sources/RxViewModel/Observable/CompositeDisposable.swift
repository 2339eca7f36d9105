/// A queue of events that the operator's disposable closes, such as an ``EventSerializer``.
@usableFromInline
protocol Closable: AnyObject, Sendable {
  func close()

  /// Stores a weak reference to the subscriptions. If a continuation closes this object, it disposes them. Called before the first event.
  func attach(_ subscriptions: CompositeDisposable)
}

/// The disposable of an operator with resources of its own: the subscriptions to its sources, each under a key.
///
/// The operator reserves a key before it subscribes to a source, because the source may end, or the operator may be disposed, before
/// `connect` has returned the subscription.
@usableFromInline
// Sendable: the lock; `serializer` is set in init only.
final class CompositeDisposable: DisposableNode, @unchecked Sendable {
  /// Nil if the composite has been disposed.
  @usableFromInline typealias Key = Int?

  @usableFromInline
  struct State {
    @usableFromInline var held: [Int: (any Disposable)?] = [:]
    @usableFromInline var nextKey = 0
    @usableFromInline var isDisposed = false

    @inlinable
    init() {}
  }

  @usableFromInline let state = Lock(State())
  /// Weak: the sources retain the serializer, and the serializer retains the sink, which may retain this object.
  @usableFromInline weak var serializer: (any Closable)?

  @inlinable
  init(closing serializer: (any Closable)? = nil) {
    self.serializer = serializer
    super.init()
    serializer?.attach(self)
  }

  @inlinable
  var isOpen: Bool {
    state.withLock { !$0.isDisposed }
  }

  /// A key for a source that is about to be subscribed, or nil once disposed.
  @usableFromInline
  func reserve() -> Key {
    state.withLock { state in
      if state.isDisposed { return nil }
      state.nextKey += 1
      state.held[state.nextKey] = .some(nil)
      return state.nextKey
    }
  }

  /// Stores the subscription under its key, unless its source has ended. Disposes it if all has been disposed in the
  /// meantime.
  @usableFromInline
  func set(_ key: Key, to subscription: any Disposable) {
    let isDisposed = state.withLock { state -> Bool in
      if state.isDisposed { return true }
      if let key, state.held[key] != nil { state.held[key] = .some(subscription) }
      return false
    }
    if isDisposed { subscription.dispose() }
  }

  /// Adds a disposable that needs no key.
  @usableFromInline
  func add(_ resource: any Disposable) {
    set(reserve(), to: resource)
  }

  /// Removes a subscription whose source has ended. Returns true if it was the last one.
  @usableFromInline
  @discardableResult
  func remove(_ key: Key) -> Bool {
    guard let key else { return false }
    let (removed, isEmpty) = state.withLock { ($0.held.removeValue(forKey: key), $0.held.isEmpty) }
    return removed != nil && isEmpty
  }

  /// Disposes the subscription under the key, if it is still held.
  @usableFromInline
  func dispose(_ key: Key) {
    guard let key else { return }
    let removed = state.withLock { $0.held.removeValue(forKey: key) }
    removed??.dispose()
  }

  /// Disposes all subscriptions if `demand` is `.noMore`. Returns `demand`.
  @inlinable
  @discardableResult
  func dispose(unlessWanted demand: Demand) -> Demand {
    if demand == .noMore { dispose() }
    return demand
  }

  /// Closes the serializer, and moves the subscriptions to `pending`, for disposal in the order in which their keys were reserved.
  @usableFromInline
  override func detach(_ others: inout [any Disposable]) -> (any Disposable)? {
    var held: [Int: (any Disposable)?] = [:]
    state.withLock { state in
      state.isDisposed = true
      swap(&held, &state.held)
    }
    serializer?.close()
    if held.count == 1 { return held.first?.value }
    for (_, subscription) in held.sorted(by: { $0.key > $1.key }) {
      if let subscription { others.append(subscription) }
    }
    return nil
  }
}
