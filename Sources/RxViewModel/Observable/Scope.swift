/// The extent of one subscription: what it holds, and whether it is open.
///
/// `subscribe` makes a scope and passes it down the chain. A source adds what it holds to the scope. A linear operator passes the same
/// scope on. An operator with several sources, or with inner streams, gives each of them a child. A scope is open until it is disposed,
/// once; that closes the children too.
///
/// **Who closes.** The maker of a scope disposes it after its sink has received the terminal event. A sink that answers ``Demand/noMore``
/// has received a terminal event, or the maker of its scope has disposed the scope. So an operator that reads `.noMore` only stops.
///
/// **Who retains whom.** A source retains its sink, and the sink its scope; a scope retains its children and resources. No scope retains a
/// sink, so a subscription does not keep its own source alive.
@usableFromInline
class Scope: Disposable, @unchecked Sendable {  // Sendable: the lock guards the variables.
  /// The lock of all scopes of one subscription. It guards the number of the subscription's events that have waited for the thread that
  /// delivers them.
  @usableFromInline typealias TreeLock = Lock<Int>

  @usableFromInline final let lock: TreeLock
  @exclusivity(unchecked) @usableFromInline final var isClosed = false
  /// The resource that was added first. Most scopes have at most one.
  @exclusivity(unchecked) private final var resource: (any Disposable)?
  @exclusivity(unchecked) private final var furtherResources: [any Disposable] = []
  /// The children in the order of creation, linked by `next`. Some may be closed.
  @exclusivity(unchecked) private final var firstChild: Scope?
  @exclusivity(unchecked) private unowned(unsafe) final var lastChild: Scope?
  @exclusivity(unchecked) private final var next: Scope?
  @exclusivity(unchecked) private final var childCount: Int32 = 0
  /// The number of children at which the scope removes the closed ones.
  @exclusivity(unchecked) private final var childLimit: Int32 = 8

  /// The scope of a new subscription.
  @usableFromInline
  init() {
    lock = TreeLock(0)
  }

  /// A scope that ``add(_:)-(Scope)`` makes a child of another one.
  @usableFromInline
  init(lock: TreeLock) {
    self.lock = lock
  }

  deinit {
    removeChildren { _ in }
  }

  @inlinable
  final var isOpen: Bool {
    lock.withLock { _ in !isClosed }
  }

  /// The number of events that have waited, in the queues of this subscription and in the replays of its subjects.
  final var waited: Int {
    lock.withLock { $0 }
  }

  /// Holds the resource until this scope is disposed. Disposes it at once, and returns false, if this scope is closed.
  @usableFromInline
  @discardableResult
  final func add(_ added: any Disposable) -> Bool {
    let isOpen = lock.withLock { _ in
      if isClosed { return false }
      if resource == nil { resource = added } else { furtherResources.append(added) }
      return true
    }
    if !isOpen { added.dispose() }
    return isOpen
  }

  /// A new child. Nil if this scope is closed.
  @usableFromInline
  final func child() -> Scope? {
    let child = Scope(lock: lock)
    return add(child: child) ? child : nil
  }

  /// Adds a child, which has the lock of this scope. Returns false if this scope is closed. O(1), amortized.
  @usableFromInline
  final func add(child: Scope) -> Bool {
    lock.withLock { _ in
      if isClosed { return false }
      if childCount == childLimit { removeClosedChildren() }
      link(child)
      return true
    }
  }

  /// Closes this scope and all below it, then disposes what they hold: children first, in the order of their creation; of one scope the
  /// newest resource first.
  ///
  /// Once they are closed, no other thread changes what they hold.
  @usableFromInline
  final func dispose() {
    _ = close()
  }

  /// As ``dispose()``. Returns whether this scope was open.
  @usableFromInline
  final func close() -> Bool {
    guard let below = closeTree() else { return false }
    disposeResources(below)
    return true
  }

  /// Closes this scope and all below it, and disposes nothing. Returns the scopes below, and nil if this scope was closed. The caller then
  /// calls ``disposeResources(_:)``.
  final func closeTree() -> [Scope]? {
    var below: [Scope] = []
    let wasOpen = lock.withLock { _ in
      if isClosed { return false }
      close(&below)
      return true
    }
    return wasOpen ? below : nil
  }

  /// Appends the scopes below this one that this call closes. Called with the lock held.
  private final func close(_ below: inout [Scope]) {
    isClosed = true
    removeChildren { child in
      if child.isClosed { return }
      child.close(&below)
      below.append(child)
    }
  }

  /// Disposes what `below` and this scope hold. Precondition: this call's thread has closed them.
  final func disposeResources(_ below: [Scope]) {
    for scope in below { scope.disposeResources([]) }
    while let newest = furtherResources.popLast() { newest.dispose() }
    resource.take()?.dispose()
  }

  private final func link(_ child: Scope) {
    if let lastChild { lastChild.next = child } else { firstChild = child }
    lastChild = child
    childCount += 1
  }

  private final func removeClosedChildren() {
    removeChildren { child in if !child.isClosed { link(child) } }
    childLimit = max(8, 2 * childCount)
  }

  /// Removes the children one by one, so that releasing them does not recurse from sibling to sibling.
  private final func removeChildren(_ body: (Scope) -> Void) {
    var rest = firstChild.take()
    lastChild = nil
    childCount = 0
    while let child = rest {
      rest = child.next.take()
      body(child)
    }
  }
}

/// A value that the lock of a scope guards.
@usableFromInline
final class Guarded<Value>: @unchecked Sendable {  // Sendable: the lock.
  @usableFromInline let lock: Scope.TreeLock
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable
  init(_ value: Value, in scope: Scope) {
    lock = scope.lock
    self.value = value
  }

  /// As ``Lock/withLock(_:)``: the body runs no user code and releases no object of the user's.
  @inlinable
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { _ in body(&value) }
  }
}
