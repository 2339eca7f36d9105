/// Serializes the inputs of an operator: its handler gets them one at a time and in the order of acceptance. Inputs may be sent from any
/// thread, also from inside the handler.
///
/// The thread that finds the serializer idle handles its own input at once, then the inputs that other threads have
/// added in the meantime. Every other thread leaves its input in the queue and returns. So no thread waits, nothing
/// recurses, and no lock is held while the handler runs (contract 1.2, 1.3, 1.6). State that only the handler touches
/// needs no lock. ``DeliveryQueue`` limits how many inputs one thread handles for others.
@usableFromInline
// Sendable: the lock; `subscriptions` is set before the first input.
final class EventSerializer<Input>: Closable, @unchecked Sendable {
  /// Handles an input; ``Demand/noMore`` closes the serializer.
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

  @usableFromInline
  struct State {
    /// Nil while the delivering thread is using it, and after the serializer is closed.
    @usableFromInline var handler: Handler?
    @usableFromInline var queue: DeliveryQueue<Input>
    @usableFromInline var isClosed = false

    @inlinable
    init(handler: Handler, queue: DeliveryQueue<Input>) {
      self.handler = handler
      self.queue = queue
    }
  }

  @usableFromInline let state: Lock<State>
  @usableFromInline let schedule: Continuation
  /// The subscriptions that a continuation disposes if its input closes the serializer. Weak, because they may retain the serializer.
  @usableFromInline weak var subscriptions: CompositeDisposable?

  /// - Parameters:
  ///   - isBusy: Whether inputs wait until this thread calls ``run()``.
  ///   - schedule: Schedules the remaining delivery when a thread hands it over.
  @inlinable
  init(
    isBusy: Bool = false, continuingBy schedule: @escaping Continuation = continueOnGlobalQueue,
    _ handle: @escaping (Input) -> Demand
  ) {
    state = Lock(State(handler: Handler(handle), queue: DeliveryQueue(isBusy ? .delivering(.current) : .idle)))
    self.schedule = schedule
  }

  /// Handles the input on this thread, unless another thread is delivering, which then handles it.
  ///
  /// Returns ``Demand/pending`` if another thread, or a frame further up this thread's stack, handles the input. Returns ``Demand/noMore``
  /// if the serializer is closed, by this input or before it.
  @inlinable
  func send(_ input: Input) -> Demand {
    var handler: Handler?
    let acceptance = state.withLock { state -> DeliveryQueue<Input>.Acceptance? in
      if state.isClosed { return nil }
      let acceptance = state.queue.accept(input)
      if acceptance != .queued { swap(&handler, &state.handler) }
      return acceptance
    }
    switch acceptance {
    case nil: return .noMore
    case .queued: return .pending
    case .takeOver: return run(&handler, .more)
    case .deliver:
      let demand = handler!.handle(input)
      return run(&handler, demand)
    }
  }

  /// Handles the waiting inputs of a serializer that was created with `isBusy`.
  @inlinable
  func run() -> Demand {
    var handler: Handler?
    state.withLock { swap(&handler, &$0.handler) }
    return run(&handler, handler == nil ? .noMore : .more)
  }

  @inline(__always)
  @inlinable
  func run(_ handler: inout Handler?, _ demand: Demand) -> Demand {
    var demand = demand
    while true {
      var leftOver = Queue<Input>()
      var input: Input?
      let next = state.withLock { state -> DeliveryQueue<Input>.Next in
        if demand == .noMore || state.isClosed {
          demand = .noMore
          state.isClosed = true
          swap(&leftOver, &state.queue.items)
          return .stop
        }
        let next = state.queue.next()
        if case .deliver = next { input = state.queue.takeNext() } else { swap(&handler, &state.handler) }
        return next
      }
      switch next {
      case .deliver:
        demand = handler!.handle(input!)
      case .stop:
        return demand
      case .handOver(let needsContinuation):
        if needsContinuation { schedule { [self] in resume() } }
        return .pending
      }
    }
  }

  /// Continues a delivery that a thread has handed over, unless another thread has continued it.
  @inlinable
  func resume() {
    var handler: Handler?
    state.withLock { state in
      if !state.isClosed, state.queue.resume() { swap(&handler, &state.handler) }
    }
    if handler != nil, run(&handler, .more) == .noMore { subscriptions?.dispose() }
  }

  /// Whether the serializer accepts inputs.
  @inlinable
  var isOpen: Bool {
    state.withLock { !$0.isClosed }
  }

  @inlinable
  func attach(_ subscriptions: CompositeDisposable) {
    self.subscriptions = subscriptions
  }

  /// Releases the waiting inputs, and the handler with its captured objects. If the handler is running, its current input is the last one.
  @inlinable
  func close() {
    var leftOver = Queue<Input>()
    var handler: Handler?
    state.withLock { state in
      state.isClosed = true
      swap(&leftOver, &state.queue.items)
      swap(&handler, &state.handler)
    }
  }
}
