/// Sends one input to an operator's serial handler after a delay. Starting it again replaces the pending input.
///
/// Only the handler starts it. The timer holds the ``Serial`` weakly, because the handler retains the timer. The scheduled work retains
/// both, so that a scheduled input arrives even if it is the last reference to them.
@usableFromInline
// Sendable: `serial` is set before the first event, and only the handler uses `pending`.
final class RestartableTimer<Input: Sendable>: @unchecked Sendable {
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let scope: Scope
  @usableFromInline weak var serial: Serial<Input>?
  /// The scope of the work that the scheduler has for this timer.
  @exclusivity(unchecked) @usableFromInline var pending: Scope?

  @inlinable
  init(on scheduler: any Scheduler, in scope: Scope) {
    self.scheduler = scheduler
    self.scope = scope
  }

  /// Makes the serial handler of the operator.
  ///
  /// - Parameter isBusy: Whether inputs wait until this thread calls `run()`. For an operator that starts the timer at the subscription.
  @inlinable
  func serializing(isBusy: Bool = false, _ handle: @escaping (Input) -> Demand) -> Serial<Input> {
    let serial = Serial(in: scope, isBusy: isBusy, handle)
    self.serial = serial
    return serial
  }

  /// Starts the timer. Does nothing if the operator has been disposed, for instance by the callback of the current event.
  ///
  /// - Parameter input: Makes the input from the thread on which the scheduler sends it.
  @inlinable
  func start(after delay: Duration, _ input: @escaping @Sendable (ThreadID) -> Input) {
    stop()
    guard let serial else { return }
    pending = scope.schedule(after: delay, on: scheduler) { _ = serial.send(input(.current)) }
  }

  /// Stops the timer, which drops its pending input.
  @inlinable
  func stop() {
    pending?.dispose()
    pending = nil
  }

  /// Sends the input after the work that the scheduler already has for this instant.
  @inlinable
  func send(_ input: @escaping @Sendable (ThreadID) -> Input) {
    guard let serial else { return }
    scheduler.schedule { _ = serial.send(input(.current)) }
  }

  /// Whether the handler runs on `thread`, the scheduler's thread that has sent the input. If another thread was delivering and handles the
  /// input instead, this sends the input once more and returns false.
  @inlinable
  func isHandled(on thread: ThreadID, _ input: @escaping @Sendable (ThreadID) -> Input) -> Bool {
    if thread.isCurrent { return true }
    send(input)
    return false
  }
}

/// The inputs of an operator that starts a timer.
@usableFromInline
enum TimedInput<Element: Sendable, Timer: Sendable>: Sendable {
  case source(Event<Element>)
  case timer(Timer, ThreadID)
}
