/// Serializes the inputs of an operator: its handler gets them one at a time and in the order of acceptance. Inputs may be sent from any
/// thread, also from inside the handler.
///
///               handle                       nothing waits
///     idle ──────────────────▶ handling ───────────────────────▶ idle
///
/// The thread that finds the queue idle handles its own input immediately, then the inputs that arrive meanwhile, until none waits. In a
/// flood it pauses now and then after 1,024 of these, and a thread that sends during a pause goes on with the rest (contract 1.10). Every
/// other thread, and a call from inside the handler, leaves its input in the queue and returns. So no thread waits for another, nothing
/// recurses, and no lock is held while the handler runs (contract 1.2, 1.3, 1.6). State that only the handler touches needs no lock.
///
/// The lock is that of the operator's scope. Once the scope is closed, the handler gets no further input.
///
/// The sources retain this object, and the scope only its contents:
///
///     source ──▶ sink ──▶ Serial ──▶ contents ──▶ handler ──▶ subscriber's sink ──▶ scope
///                                      ▲                                              │
///                                      └──────────────────────────────────────────────┘   broken at the dispose, or
///                                                                                         when the sources are released
@usableFromInline
final class Serial<Input>: Sendable {
  /// Handles an input; ``Demand/noMore`` closes the queue.
  ///
  /// A struct around the closure, because unspecialized code wraps a bare closure in another thunk each time it swaps the closure.
  @usableFromInline
  struct Handler {
    @usableFromInline let handle: (consuming Input) -> Demand

    @inlinable
    init(_ handle: @escaping (consuming Input) -> Demand) {
      self.handle = handle
    }
  }

  @usableFromInline
  struct Contents: Emptiable {
    @inlinable
    static var empty: Contents { Contents(nil, isClosed: true) }

    /// Nil while a thread is handling inputs, before ``Serial/start(_:)``, and once closed.
    @usableFromInline var handler: Handler?
    /// The inputs that wait for the thread that is handling one.
    @usableFromInline var waiting = Queue<Input>()
    /// Whether the handler has wanted no more, or the scope has been disposed.
    @usableFromInline var isClosed = false

    @inlinable
    init(_ handler: Handler?, isClosed: Bool = false) {
      (self.handler, self.isClosed) = (handler, isClosed)
    }
  }

  @usableFromInline let scope: Scope
  @usableFromInline let contents: Guarded<Contents>

  /// - Parameter handle: The handler. Without one, inputs wait until ``start(_:)``.
  @inlinable
  init(in scope: Scope, _ handle: ((consuming Input) -> Demand)? = nil) {
    self.scope = scope
    var handler: Handler?
    if let handle { handler = Handler(handle) }
    contents = Guarded(emptied: Contents(handler), in: scope)
  }

  // A closed scope has emptied the contents.
  @inlinable
  deinit { if scope.isOpen { contents.dispose() } }

  /// Whether the queue accepts inputs.
  @inlinable
  var isOpen: Bool {
    contents.withLock { !$0.isClosed && !scope.isClosed }
  }

  /// Handles the input on this thread, and then those that arrive meanwhile, unless another thread, or a frame further up this thread's
  /// stack, is handling an input and then handles this one. Returns ``Demand/noMore`` if the queue is closed.
  @inline(__always)
  @inlinable
  func send(_ input: consuming Input) -> Demand {
    // The input is moved from place to place, and never copied.
    var (handler, input) = (Handler?.none, Optional(input))
    let isOpen = contents.withLock { contents in
      if contents.isClosed || scope.isClosed { return false }
      swap(&handler, &contents.handler)
      // The inputs that a thread has left at its pause come first.
      if handler == nil || !contents.waiting.isEmpty {
        contents.waiting.append(input.take()!)
        if handler != nil { input = contents.waiting.popFirst() }
      }
      return true
    }
    guard let demand = handler?.handle(input.take()!) else { return isOpen ? .more : .noMore }
    return drain(&handler, demand)
  }

  /// Sets the handler of a queue that was created without one, and handles the inputs that wait.
  @inlinable
  func start(_ handle: @escaping (consuming Input) -> Demand) {
    var handler: Handler? = Handler(handle)
    _ = drain(&handler, .more)
  }

  /// Handles the inputs that wait, until none is left or another thread goes on. Then it gives the handler back. Returns the last answer.
  @inline(__always)
  @inlinable
  func drain(_ handler: inout Handler?, _ first: Demand) -> Demand {
    var (demand, count) = (first, 0)
    while handler != nil, let input = next(&handler, &demand) {
      demand = handler!.handle(input)
      count += 1
      if count > 1_024, count % 16 == 0 { pause(&handler) }
    }
    return demand
  }

  /// If more waits than the handler's own inputs usually are, lets a thread that sends go on with the rest, so that a flood keeps no
  /// subscription for ever (contract 1.10).
  @inlinable
  func pause(_ handler: inout Handler?) {
    contents.withLock { if !$0.isClosed, $0.waiting.count > 16 { swap(&handler, &$0.handler) } }
    if handler != nil { return }
    pauseThread()
    contents.withLock { if !$0.isClosed { swap(&handler, &$0.handler) } }
  }

  @inline(__always)
  @inlinable
  func next(_ handler: inout Handler?, _ demand: inout Demand) -> Input? {
    let input = contents.withLock { contents -> Input? in
      if contents.isClosed || scope.isClosed { demand = .noMore }
      if demand == .noMore { return nil }
      // Asked first, because an empty `popFirst()` costs more.
      if !contents.waiting.isEmpty { return contents.waiting.popFirst() }
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
