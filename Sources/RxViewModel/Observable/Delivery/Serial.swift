/// Serializes the inputs of an operator: its handler gets them one at a time and in the order of acceptance. Inputs may be sent from any
/// thread, also from inside the handler.
///
///               handle                       nothing waits
///     idle ──────────────────▶ handling ───────────────────────▶ idle
///
/// The thread that finds the queue idle handles its own input at once, then the inputs that arrive meanwhile, until none waits (contract
/// 1.10). Every other thread, and a call from inside the handler, leaves its input in the queue and returns. So no thread waits, nothing
/// recurses, and no lock is held while the handler runs (contract 1.2, 1.3, 1.6). State that only the handler touches needs no lock.
///
/// The lock is that of the operator's scope. Once the scope is closed, the handler gets no further input.
///
/// The sources retain this object, and the scope only its contents:
///
///     source ──▶ sink ──▶ Serial ──▶ Contents ──▶ handler ──▶ subscriber's sink ──▶ scope
///                                      ▲                                              │
///                                      └──────────────────────────────────────────────┘   broken at the dispose, or
///                                                                                         when the sources are released
@usableFromInline
final class Serial<Input>: @unchecked Sendable {  // Sendable: the lock guards the contents.
  /// Handles an input; ``Demand/noMore`` closes the queue.
  ///
  /// A struct around the closure, because unspecialized code wraps a bare closure in another thunk each time it swaps the closure.
  @usableFromInline
  struct Handler {
    @usableFromInline let handle: (Input) -> Demand

    @inlinable
    init(_ handle: @escaping (Input) -> Demand) {
      self.handle = handle
    }
  }

  /// The fields that the lock guards. As a resource of the scope, it is closed when the scope is disposed.
  @usableFromInline
  final class Contents: Disposable, @unchecked Sendable {  // Sendable: the lock.
    @usableFromInline let lock: Scope.TreeLock
    /// Nil while a thread is handling inputs, before ``Serial/start(_:)``, and once closed.
    @exclusivity(unchecked) @usableFromInline var handler: Handler?
    /// The inputs that wait for the thread that is handling one.
    @exclusivity(unchecked) @usableFromInline var waiting = Queue<Input>()
    /// Whether the handler has wanted no more, or the scope has been disposed.
    @exclusivity(unchecked) @usableFromInline var isClosed = false
    /// Captures nothing. Made where the types are known, so that it is specialized.
    @usableFromInline let close: @Sendable (Contents) -> Void

    @inlinable
    init(_ handler: Handler?, lock: Scope.TreeLock) {
      self.handler = handler
      self.lock = lock
      close = { contents in
        var leftOver = Queue<Input>()
        var handler: Handler?
        contents.lock.withLock { _ in
          contents.isClosed = true
          swap(&leftOver, &contents.waiting)
          swap(&handler, &contents.handler)
        }
      }
    }

    @usableFromInline
    func dispose() {
      close(self)
    }
  }

  @usableFromInline let scope: Scope
  @usableFromInline let lock: Scope.TreeLock
  @usableFromInline let contents: Contents

  /// - Parameter handle: The handler. Without one, inputs wait until ``start(_:)``.
  @inlinable
  init(in scope: Scope, _ handle: ((Input) -> Demand)? = nil) {
    self.scope = scope
    lock = scope.lock
    contents = Contents(handle.map { Handler($0) }, lock: scope.lock)
    scope.add(contents)
  }

  @inlinable
  deinit {
    close()
  }

  /// Whether the queue accepts inputs.
  @inlinable
  var isOpen: Bool {
    lock.withLock { _ in !contents.isClosed && !scope.isClosed }
  }

  /// Releases the waiting inputs, and the handler with its captured objects. If the handler is running, its current input is the last one.
  @inlinable
  func close() {
    contents.close(contents)
  }

  /// Handles the input on this thread, and then those that arrive meanwhile. Nil if another thread, or a frame further up this thread's
  /// stack, is handling an input and then handles this one. Otherwise returns ``Demand/noMore`` if the queue is closed, by this input or
  /// before it.
  @inline(__always)
  @inlinable
  func handle(_ input: Input) -> Demand? {
    var handler: Handler?
    let isClosed = lock.withLock { waited in
      if contents.isClosed || scope.isClosed { return true }
      swap(&handler, &contents.handler)
      if handler == nil {
        contents.waiting.append(input)
        waited += 1
      }
      return false
    }
    if isClosed { return .noMore }
    guard let first = handler?.handle(input) else { return nil }
    return drain(&handler, first)
  }

  /// As ``handle(_:)``; ``Demand/more`` if the input waits.
  @inlinable
  func send(_ input: Input) -> Demand {
    handle(input) ?? .more
  }

  /// Sets the handler of a queue that was created without one, and handles the inputs that wait.
  @inlinable
  func start(_ handle: @escaping (Input) -> Demand) {
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
    let input = lock.withLock { _ -> Input? in
      if contents.isClosed || scope.isClosed { demand = .noMore }
      if demand == .noMore { return nil }
      // Asked first, because an empty `popFirst()` costs more.
      if !contents.waiting.isEmpty { return contents.waiting.popFirst() }
      swap(&handler, &contents.handler)
      return nil
    }
    if demand == .noMore { close() }
    return input
  }
}
