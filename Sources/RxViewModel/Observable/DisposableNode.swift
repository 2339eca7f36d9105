/// A disposable that holds the disposables of an operator's sources.
///
/// Disposing a node disposes the nodes below it in a loop, so that the stack does not grow with the chain of operators (contract 1.6). The
/// loop disposes them in the order of recursive calls.
@usableFromInline
// Sendable: has no state; each subclass says what protects its own.
class DisposableNode: Disposable, @unchecked Sendable {
  @usableFromInline
  init() {}

  /// Ends this node, and appends its disposables to `pending` in reverse order, for the caller to dispose. A node that has been ended
  /// appends nothing.
  @usableFromInline
  func detach(into pending: inout [any Disposable]) {}

  @usableFromInline
  final func dispose() {
    var pending: [any Disposable] = []
    detach(into: &pending)
    while let next = pending.popLast() {
      if let node = next as? DisposableNode { node.detach(into: &pending) } else { next.dispose() }
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
  override func detach(into pending: inout [any Disposable]) {
    isCut.withLock { $0 = true }
    pending.append(upstream)
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
  override func detach(into pending: inout [any Disposable]) {
    pending.append(link.value)
  }
}
