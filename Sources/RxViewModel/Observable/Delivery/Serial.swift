/// Serializes the inputs of an operator: its handler gets them one at a time and in the order of acceptance. Inputs may be sent from any
/// thread, also from inside the handler.
///
/// A ``Mailbox`` under the lock of the operator's scope. The thread that finds it idle handles its own input immediately, then those that
/// arrive meanwhile, until none waits. Every other thread, and a call from inside the handler, leaves its input and returns. State that only
/// the handler touches needs no lock. Once the scope is closed, the handler gets no further input.
///
/// The sources retain this object, and the scope only its contents:
///
///     source ──▶ sink ──▶ Serial ──▶ contents ──▶ handler ──▶ subscriber's sink ──▶ scope
///                                      ▲                                              │
///                                      └──────────────────────────────────────────────┘   broken at the dispose, or
///                                                                                         when the sources are released
@usableFromInline
final class Serial<Input>: Sendable {
  /// Handles an input; ``Demand/noMore`` closes the mailbox.
  ///
  /// A struct around the closure, because unspecialized code wraps a bare closure in another thunk each time it swaps the closure.
  @usableFromInline
  struct Handler {
    @usableFromInline let handle: (consuming Input) -> Demand

    @inlinable
    init(_ handle: @escaping (consuming Input) -> Demand) { self.handle = handle }
  }

  /// What the scope holds, and empties at its end.
  @usableFromInline
  final class Contents: Disposable, @unchecked Sendable {  // Sendable: the scope's lock.
    @usableFromInline let lock: Lock<UInt8>
    /// Closed when the handler has wanted no more, or when the scope has been disposed.
    @exclusivity(unchecked) @usableFromInline var mailbox: Mailbox<Input>
    /// Nil while the mailbox is busy, because moving it costs less than retaining it.
    @exclusivity(unchecked) @usableFromInline var handler: Handler?
    /// The inputs whose pieces of work have not run yet: see ``Serial/hold(_:unless:_:)``.
    @exclusivity(unchecked) @usableFromInline var held = Queue<Input>()
    /// Captures nothing. Made where the types are known, so that it is specialized.
    @usableFromInline let empty: @Sendable (Contents) -> Void

    @inlinable
    init(_ handler: Handler?, in scope: Scope) {
      (lock, mailbox, self.handler) = (scope.lock, Mailbox(isBusy: handler == nil), handler)
      empty = { contents in
        var (mailbox, handler, held) = (Mailbox<Input>(isClosed: true), Handler?.none, Queue<Input>())
        contents.lock.withLock { _ in
          swap(&mailbox, &contents.mailbox)
          swap(&handler, &contents.handler)
          swap(&held, &contents.held)
        }
      }
      scope.add(self)
    }

    @usableFromInline
    func dispose() { empty(self) }
  }

  @usableFromInline let scope: Scope
  @usableFromInline let contents: Contents

  /// - Parameter handle: The handler. Without one, inputs wait until ``start(_:)``.
  @inlinable
  init(in scope: Scope, _ handle: ((consuming Input) -> Demand)? = nil) {
    self.scope = scope
    var handler: Handler?
    if let handle { handler = Handler(handle) }
    contents = Contents(handler, in: scope)
  }

  // A closed scope has emptied the contents.
  @inlinable
  deinit { if scope.isOpen { contents.dispose() } }

  /// Whether the mailbox accepts inputs.
  @inlinable
  var isOpen: Bool { contents.lock.withLock { _ in accepts } }

  /// As ``isOpen``, under the lock.
  @inline(__always)
  @inlinable
  var accepts: Bool { !contents.mailbox.isClosed && !scope.isClosed }

  /// Handles the input on this thread, and then those that arrive meanwhile, unless another thread, or a frame further up this thread's
  /// stack, is handling an input and then handles this one. Returns ``Demand/noMore`` if the mailbox is closed.
  @inline(__always)
  @inlinable
  func send(_ input: consuming Input) -> Demand {
    // The input is moved from place to place, and never copied.
    var (handler, input) = (Handler?.none, Optional(input))
    let isOpen = contents.lock.withLock { _ in
      if !accepts { return false }
      if contents.mailbox.accept(input.take()!) { swap(&handler, &contents.handler) }
      return true
    }
    guard let demand = handler?.handle(input.take()!) else { return isOpen ? .more : .noMore }
    return drain(&handler, demand)
  }

  /// Handles the input in a piece of work of its own, on the scheduler that `schedule` passes the work to. If the caller is on that
  /// scheduler (`isHere`), and no other input is held, handles it immediately.
  ///
  /// The work takes the first held input, which may not be its own. So the inputs keep their order even on a concurrent scheduler.
  @inlinable
  func hold(
    _ input: consuming Input, unless isHere: Bool = false, _ schedule: (@escaping @Sendable () -> Void) -> Void
  ) -> Demand {
    let input = input
    let isHeld = contents.lock.withLock { _ in
      if !accepts || isHere && contents.held.isEmpty { return false }
      contents.held.append(input)
      return true
    }
    if !isHeld { return send(input) }
    schedule { [self] in sendHeld() }
    return .more
  }

  @inlinable
  func sendHeld() {
    var (handler, input) = (Handler?.none, Input?.none)
    contents.lock.withLock { _ in
      if accepts { input = contents.held.popFirst() }
      if input != nil, contents.mailbox.accept(input.take()!) { swap(&handler, &contents.handler) }
    }
    if let demand = handler?.handle(input.take()!) { _ = drain(&handler, demand) }
  }

  /// Sets the handler of a mailbox that was created without one, and handles the inputs that wait.
  @inlinable
  func start(_ handle: @escaping (consuming Input) -> Demand) {
    var handler: Handler? = Handler(handle)
    _ = drain(&handler, .more)
  }

  /// Handles the inputs that wait, until none is left. Then it gives the handler back. Returns the last answer.
  @inline(__always)
  @inlinable
  func drain(_ handler: inout Handler?, _ first: Demand) -> Demand {
    var demand = first
    while let input = next(&handler, &demand) { demand = handler!.handle(input) }
    return demand
  }

  @inline(__always)
  @inlinable
  func next(_ handler: inout Handler?, _ demand: inout Demand) -> Input? {
    let input = contents.lock.withLock { _ -> Input? in
      if !accepts { demand = .noMore }
      if demand == .noMore { return nil }
      if let input = contents.mailbox.next() { return input }
      swap(&handler, &contents.handler)
      return nil
    }
    if demand == .noMore { contents.dispose() }
    return input
  }
}

/// Pieces of work, one at a time: work that is sent while another piece is running follows it. So a stream that ends while it is being
/// subscribed neither recurses nor overtakes the rest of its subscription.
@usableFromInline typealias Turns = Serial<@Sendable () -> Void>

extension Serial where Input == @Sendable () -> Void {
  @inlinable
  static func turns(in scope: Scope) -> Turns {
    Turns(in: scope) { work in
      work()
      return .more
    }
  }
}
