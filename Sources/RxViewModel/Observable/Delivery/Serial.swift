/// Serializes the inputs of an operator: its handler gets them one at a time and in the order of acceptance. Inputs may be sent from any
/// thread, also from inside the handler.
///
/// The thread that finds the queue idle handles its own input at once, then the inputs that other threads have added in the meantime. Every
/// other thread leaves its input in the queue and returns. So no thread waits, nothing recurses, and no lock is held while the handler runs
/// (contract 1.2, 1.3, 1.6). State that only the handler touches needs no lock. ``DeliveryQueue`` limits how many inputs one thread handles
/// for others.
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
final class Serial<Input>: DeliveryLoop, @unchecked Sendable {  // Sendable: the lock guards the contents.
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

  /// What the lock guards. As a resource of the scope, it is closed when the scope is disposed.
  @usableFromInline
  final class Contents: Disposable, @unchecked Sendable {  // Sendable: the lock.
    @usableFromInline let lock: Scope.TreeLock
    /// Nil while the delivering thread is using it, and once closed.
    @exclusivity(unchecked) @usableFromInline var handler: Handler?
    @exclusivity(unchecked) @usableFromInline var queue: DeliveryQueue<Input>
    /// Whether the handler has wanted no more, or the scope has been disposed.
    @exclusivity(unchecked) @usableFromInline var isClosed = false
    /// Captures nothing. Made where the types are known, so that it is specialized.
    @usableFromInline let close: @Sendable (Contents) -> Void

    @inlinable
    init(_ handler: Handler, _ queue: DeliveryQueue<Input>, lock: Scope.TreeLock) {
      self.handler = handler
      self.queue = queue
      self.lock = lock
      close = { contents in
        var leftOver = Queue<Input>()
        var handler: Handler?
        contents.lock.withLock { _ in
          contents.isClosed = true
          swap(&leftOver, &contents.queue.items)
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
  @usableFromInline let schedule: Continuation

  /// - Parameters:
  ///   - isBusy: Whether inputs wait until this thread calls ``run()``.
  ///   - schedule: Schedules the remaining delivery when a thread hands it over.
  @inlinable
  init(
    in scope: Scope, isBusy: Bool = false, continuingBy schedule: @escaping Continuation = continueOnGlobalQueue,
    _ handle: @escaping (Input) -> Demand
  ) {
    self.scope = scope
    lock = scope.lock
    self.schedule = schedule
    contents = Contents(Handler(handle), DeliveryQueue(isBusy ? .delivering(.current) : .idle), lock: scope.lock)
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

  /// Handles the input on this thread, unless another thread, or a frame further up this thread's stack, is delivering and handles it.
  /// Returns ``Demand/noMore`` if the queue is closed, by this input or before it.
  @inlinable
  func send(_ input: Input) -> Demand {
    var delivery = Delivery()
    let acceptance = lock.withLock { _ -> DeliveryQueue<Input>.Acceptance? in
      if contents.isClosed || scope.isClosed { return nil }
      let acceptance = contents.queue.accept(input)
      if acceptance != .queued { swap(&delivery.handler, &contents.handler) }
      return acceptance
    }
    switch acceptance {
    case nil: return .noMore
    case .queued: return .more
    case .takeOver: break
    case .deliver: delivery.demand = delivery.handler!.handle(input)
    }
    run(&delivery)
    return delivery.demand
  }

  /// Handles the waiting inputs of a queue that was created with `isBusy`.
  @inlinable
  func run() -> Demand {
    guard var delivery = takeReceivers(if: { _ in true }) else { return .noMore }
    run(&delivery)
    return delivery.demand
  }

  @usableFromInline
  struct Delivery {
    /// Nil once this thread delivers no more.
    @usableFromInline var handler: Handler?
    /// The handler's answer.
    @usableFromInline var demand = Demand.more

    @inlinable
    init() {}
  }

  @inline(__always)
  @inlinable
  func next(_ delivery: inout Delivery) -> DeliveryStep<Input> {
    let step = lock.withLock { _ -> DeliveryStep<Input> in
      if contents.isClosed || scope.isClosed { delivery.demand = .noMore }
      if delivery.demand == .noMore { return .stop }
      let step = contents.queue.next()
      if case .deliver = step { return step }
      swap(&delivery.handler, &contents.handler)
      return step
    }
    if delivery.demand == .noMore { close() }
    return step
  }

  @inline(__always)
  @inlinable
  func deliver(_ input: Input, _ delivery: inout Delivery) {
    delivery.demand = delivery.handler!.handle(input)
  }

  @inlinable
  func takeReceivers(if condition: (inout DeliveryQueue<Input>) -> Bool) -> Delivery? {
    var delivery = Delivery()
    return lock.withLock { _ in
      if contents.isClosed || !condition(&contents.queue) { return nil }
      swap(&delivery.handler, &contents.handler)
      return delivery
    }
  }
}
