/// The extent of one subscription: what it holds, and whether it is open.
///
/// A subscription has a scope, unless it is one to a subject itself or to a single element. The scope goes down the chain. A source adds what it holds to it. A
/// linear operator passes the same scope on. An operator with several sources, or with inner streams, gives each of them a child. A scope is
/// open until it is disposed, once; that closes the children too.
///
/// **Who closes.** The code that makes a scope closes it at the terminal event, before it passes that event on, so a stream holds nothing
/// when its end arrives. A sink that answers ``Demand/noMore`` has received a terminal event, or the maker of its scope has disposed the
/// scope. So an operator that reads `.noMore` only stops.
///
/// **Who retains whom.** A source retains its sink, and the sink its scope; a scope retains its children and resources. No scope retains a
/// sink, so a subscription does not keep its own source alive, unless the operator subscribes to it again, as `retry` does.
@usableFromInline
final class Scope: Disposable, @unchecked Sendable {  // Sendable: the lock guards the variables.
  /// The lock of all scopes of one subscription.
  @usableFromInline let lock: Lock<UInt8>
  @exclusivity(unchecked) @usableFromInline var phase = Phase.open
  /// The resource that was added first. Most scopes have at most one.
  @exclusivity(unchecked) private var resource: (any Disposable)?
  @exclusivity(unchecked) private var furtherResources: [any Disposable] = []
  /// In the order of creation. Some may be closed.
  @exclusivity(unchecked) private var children: [Scope] = []
  /// The number of children at which the scope removes the closed ones.
  @exclusivity(unchecked) private var childLimit = 8

  /// The scope of a new subscription, or a child that is not linked yet.
  @usableFromInline
  init(lock: Lock<UInt8> = Lock(0)) { self.lock = lock }

  @usableFromInline
  enum Phase {
    /// `ended` before the terminal event is passed on. A dispose follows it if it comes before that.
    case open, ended, disposed
  }

  /// Under the lock.
  @inlinable
  var isClosed: Bool { phase != .open }

  @inlinable
  var isOpen: Bool { lock.withLock { _ in !isClosed } }

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

  /// Closes this scope and all below it, then disposes what they hold: children first, in the order of their creation; of one scope the
  /// newest resource first.
  @usableFromInline
  func dispose() { if let below = close(.disposed) { disposeResources(below) } }

  /// As ``dispose()``, for a terminal event. Returns whether the caller passes that event on: it is the first one, and no dispose has come
  /// before it or meanwhile.
  @usableFromInline
  func end() -> Bool {
    guard let below = close(.ended) else { return false }
    disposeResources(below)
    return lock.withLock { _ in phase == .ended }
  }

  /// Closes immediately, and passes the disposing of the resources to `run`. A source that keeps the scheduler busy stops, because it finds
  /// its scope closed.
  @usableFromInline
  func dispose(_ run: (@escaping @Sendable () -> Void) -> Void) {
    if let below = close(.disposed) { run { self.disposeResources(below) } }
  }

  /// Closes this scope and all below it. Returns the scopes below, and nil if this one was closed. No other thread changes what they hold
  /// from then on.
  private func close(_ new: Phase) -> [Scope]? {
    var below: [Scope] = []
    let wasOpen = lock.withLock { _ in
      if isClosed {
        if new == .disposed { phase = new }
        return false
      }
      close(new, &below)
      return true
    }
    return wasOpen ? below : nil
  }

  private func close(_ new: Phase, _ below: inout [Scope]) {
    phase = new
    for child in children where !child.isClosed {
      child.close(.disposed, &below)
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
