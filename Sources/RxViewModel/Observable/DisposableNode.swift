/// A disposable that holds the disposables of an operator's sources.
///
/// Disposing a node disposes the nodes below it in a loop, so that the stack does not grow with the chain of operators (contract 1.6). The
/// loop disposes them in the order of recursive calls.
@usableFromInline
// Sendable: has no state; each subclass says what protects its own.
class DisposableNode: Disposable, @unchecked Sendable {
  @usableFromInline
  init() {}

  /// Ends this node and hands over the disposables that it holds, for the caller to dispose: first the result, then those
  /// appended to `others`, the last one first. A node that has already ended hands over none.
  @usableFromInline
  func detach(_ others: inout [any Disposable]) -> (any Disposable)? {
    nil
  }

  @usableFromInline
  final func dispose() {
    // A chain of operators with one source each never fills the array, so disposing it allocates nothing.
    var pending: [any Disposable] = []
    var next = detach(&pending) ?? pending.popLast()
    while let current = next {
      if let node = current as? DisposableNode {
        next = node.detach(&pending) ?? pending.popLast()
      } else {
        current.dispose()
        next = pending.popLast()
      }
    }
  }
}

/// The subscription to a chain of operators. Disposing it also stops an event that is passing through the chain.
@usableFromInline
final class CancellationGate: DisposableNode, @unchecked Sendable {  // Sendable: both are let.
  private let isCut: Lock<Bool>
  private let upstream: any Disposable

  @usableFromInline
  init(isCut: Lock<Bool>, _ upstream: any Disposable) {
    self.isCut = isCut
    self.upstream = upstream
  }

  @usableFromInline
  override func detach(_ others: inout [any Disposable]) -> (any Disposable)? {
    isCut.withLock { $0 = true }
    return upstream
  }
}

/// The subscription of a chain of operators where the chain is cut.
@usableFromInline
final class LinkedDisposable: DisposableNode, @unchecked Sendable {  // Sendable: the link is let.
  private let link: ChainLink<any Disposable>

  @usableFromInline
  init(_ upstream: any Disposable) {
    link = ChainLink(upstream)
  }

  @usableFromInline
  override func detach(_ others: inout [any Disposable]) -> (any Disposable)? {
    link.value
  }
}
