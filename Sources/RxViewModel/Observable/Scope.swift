/// The extent of one subscription: what it holds, and whether it is open.
///
/// Every subscription has a scope, which goes down the chain. A source adds what it holds to it. A linear operator passes the same scope
/// on. An operator with several sources, or with inner streams, gives each of them a child. A scope is open until it is disposed, once;
/// that closes the children too.
///
/// **Who closes.** The code that makes a scope closes it at the terminal event, before it passes that event on, so a stream holds nothing
/// when its end arrives. A sink that answers ``Demand/noMore`` has received a terminal event, or the maker of its scope has disposed the
/// scope. So an operator that reads `.noMore` only stops.
///
/// **Who retains whom.** A source retains its sink, and the sink its scope; a scope retains its children and resources. No scope retains a
/// sink, so a subscription does not keep its own source alive.
@usableFromInline
final class Scope: Disposable, @unchecked Sendable {  // Sendable: the lock guards the variables.
  /// The lock of all scopes of one subscription.
  @usableFromInline let lock: Lock<UInt8>
  @exclusivity(unchecked) @usableFromInline var isClosed = false
  /// Whether `dispose()` was called on a closed scope: by a resource that `close()` disposes, or on another thread. Then the end isn't
  /// delivered.
  @exclusivity(unchecked) private var isDisposed = false
  /// The resource that was added first. Most scopes have at most one.
  @exclusivity(unchecked) private var resource: (any Disposable)?
  @exclusivity(unchecked) private var furtherResources: [any Disposable] = []
  /// In the order of creation. Some may be closed.
  @exclusivity(unchecked) private var children: [Scope] = []
  /// The number of children at which the scope removes the closed ones.
  @exclusivity(unchecked) private var childLimit = 8

  /// The scope of a new subscription, or a child that is not linked yet.
  @usableFromInline
  init(lock: Lock<UInt8> = Lock(0)) {
    self.lock = lock
  }

  @inlinable
  var isOpen: Bool {
    lock.withLock { _ in !isClosed }
  }

  /// Holds the resource until this scope is disposed. Disposes it immediately, and returns false, if this scope is closed.
  @usableFromInline
  @discardableResult
  func add(_ added: any Disposable) -> Bool {
    let isOpen = lock.withLock { _ in
      if isClosed { return false }
      if resource == nil { resource = added } else { furtherResources.append(added) }
      return true
    }
    if !isOpen { added.dispose() }
    return isOpen
  }

  /// A new child. Nil if this scope is closed. O(1), amortized.
  @usableFromInline
  func child() -> Scope? {
    let child = Scope(lock: lock)
    return lock.withLock { _ in
      if isClosed { return nil }
      if children.count == childLimit {
        children.removeAll { $0.isClosed }
        childLimit = max(8, 2 * children.count)
      }
      children.append(child)
      return child
    }
  }

  @usableFromInline
  func dispose() {
    if let below = closeTree() { disposeResources(below) } else { lock.withLock { _ in isDisposed = true } }
  }

  /// Closes this scope and all below it, then disposes what they hold: children first, in the order of their creation; of one scope the
  /// newest resource first. Returns whether this scope was open, and none of these resources has disposed it.
  @usableFromInline
  func close() -> Bool {
    guard let below = closeTree() else { return false }
    disposeResources(below)
    return lock.withLock { _ in !isDisposed }
  }

  /// Closes immediately, and passes the disposing of the resources to `run`. A source that keeps the scheduler busy stops, because it finds
  /// its scope closed.
  @usableFromInline
  func dispose(_ run: (@escaping @Sendable () -> Void) -> Void) {
    if let below = closeTree() { run { self.disposeResources(below) } }
  }

  /// Closes this scope and all below it. Returns the scopes below, and nil if this one was closed. No other thread changes what they hold
  /// from then on.
  private func closeTree() -> [Scope]? {
    var below: [Scope] = []
    let wasOpen = lock.withLock { _ in
      if isClosed { return false }
      close(&below)
      return true
    }
    return wasOpen ? below : nil
  }

  private func close(_ below: inout [Scope]) {
    isClosed = true
    for child in children where !child.isClosed {
      child.close(&below)
      below.append(child)
    }
    children = []
  }

  private func disposeResources(_ below: [Scope]) {
    if below.count > 0 { for scope in below { scope.disposeResources([]) } }
    // By index, because iterators and `popLast` make up a tenth of a subscription in debug builds.
    var count = furtherResources.count
    while count > 0 {
      count -= 1
      furtherResources[count].dispose()
    }
    furtherResources = []
    resource.take()?.dispose()
  }
}
