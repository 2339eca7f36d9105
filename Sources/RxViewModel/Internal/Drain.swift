/// The one serial drain: whatever threads its inputs come from, and even if one is sent from inside the handler, the
/// handler gets them one at a time and in the order in which they were accepted.
///
/// The thread that finds the drain idle handles its own input at once and then what has come meanwhile; everybody else
/// leaves the input in the queue and goes on. So nobody waits, nothing recurses, and no lock is held while the
/// handler runs (contract 1.2, 1.3, 1.6). What the handler alone touches needs no lock of its own.
@usableFromInline
final class Drain<Input>: Closable {
  /// Handles an input; false closes the drain.
  ///
  /// A struct around the closure: a bare closure that is swapped is wrapped in a thunk more each time, where it is not
  /// specialised.
  @usableFromInline
  struct Handler {
    @usableFromInline let handle: (Input) -> Bool

    @inlinable
    init(_ handle: @escaping (Input) -> Bool) {
      self.handle = handle
    }
  }

  @usableFromInline
  struct State {
    /// Nil while a thread that is draining has taken it, and for good once the drain is closed.
    @usableFromInline var handler: Handler?
    @usableFromInline var queue = Queue<Input>()
    /// A thread is draining, or has been asked to.
    @usableFromInline var isBusy: Bool
    @usableFromInline var isClosed = false

    @inlinable
    init(handler: Handler, isBusy: Bool) {
      self.handler = handler
      self.isBusy = isBusy
    }
  }

  @usableFromInline
  enum Admission {
    /// The caller is to drain.
    case first
    /// Somebody is draining already.
    case queued
    case closed
  }

  @usableFromInline let state: Lock<State>

  /// - Parameter isBusy: whether inputs are to wait until ``run()`` is called.
  @inlinable
  init(isBusy: Bool = false, _ handle: @escaping (Input) -> Bool) {
    state = Lock(State(handler: Handler(handle), isBusy: isBusy))
  }

  /// Handles the input here, unless a thread is draining: then it is left to that one.
  ///
  /// False if the drain is closed, by this input or before it.
  @inlinable
  func send(_ input: Input) -> Bool {
    var handler: Handler?
    let admission = state.withLock { state -> Admission in
      if state.isClosed { return .closed }
      if state.isBusy {
        state.queue.append(input)
        return .queued
      }
      state.isBusy = true
      swap(&handler, &state.handler)
      return .first
    }
    guard admission == .first else { return admission == .queued }
    let isOpen = handler!.handle(input)
    return run(&handler, isOpen)
  }

  /// Leaves the input in the queue. `.first` asks the caller to see to it that ``run()`` is called.
  @inlinable
  func enqueue(_ input: Input) -> Admission {
    state.withLock { state in
      if state.isClosed { return .closed }
      state.queue.append(input)
      if state.isBusy { return .queued }
      state.isBusy = true
      return .first
    }
  }

  /// Handles what has been left in the queue by ``enqueue(_:)``. False if the drain is closed.
  @inlinable
  func run() -> Bool {
    var handler: Handler?
    state.withLock { swap(&handler, &$0.handler) }
    return run(&handler, handler != nil)
  }

  @inlinable
  func run(_ handler: inout Handler?, _ isOpen: Bool) -> Bool {
    var isOpen = isOpen
    while true {
      var leftOver = Queue<Input>()
      var next: Input?
      let isOver = state.withLock { state -> Bool in
        if !isOpen || state.isClosed {
          isOpen = false
          state.isClosed = true
          swap(&leftOver, &state.queue)
          return true
        }
        if state.queue.isEmpty {
          state.isBusy = false
          swap(&handler, &state.handler)
          return true
        }
        next = state.queue.popFirst()
        return false
      }
      if isOver { return isOpen }
      isOpen = handler!.handle(next!)
    }
  }

  /// Whether an input would be taken.
  @inlinable
  var isOpen: Bool {
    state.withLock { !$0.isClosed }
  }

  /// No input is handled any more but the one at work; what waits is dropped, and the handler with all that it holds.
  @inlinable
  func close() {
    var leftOver = Queue<Input>()
    var handler: Handler?
    state.withLock { state in
      state.isClosed = true
      swap(&leftOver, &state.queue)
      swap(&handler, &state.handler)
    }
  }
}
